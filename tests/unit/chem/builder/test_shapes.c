/* test_shapes.c - molecules are cut into fragments that others share, and their coordinates are made once. */
#include <stdlib.h>
#include <string.h>

#include "chem/builder/fragments.h"
#include "chem/builder/shapes.h"
#include "unit/support.h"

enum { MOST = 24 };

/* A molecule by hand. */
typedef struct drawing {
  bt_build_atom atoms[MOST];
  bt_build_bond bonds[MOST];
  bt_build_structure structure;
} drawing;

static int add(drawing *d, int element, int hybridization) {
  d->atoms[d->structure.n_atoms] = (bt_build_atom){.element = element, .hybridization = hybridization};
  return d->structure.n_atoms++;
}

static void join(drawing *d, int a, int b, int order) {
  d->bonds[d->structure.n_bonds++] = (bt_build_bond){.a = a, .b = b, .order = order};
}

static int add_to(drawing *d, int to, int element, int hybridization) {
  int atom = add(d, element, hybridization);
  join(d, to, atom, 1);
  return atom;
}

static void fill(drawing *d, int atom, int hydrogens) {
  for (int k = 0; k < hydrogens; k++) add_to(d, atom, 1, 0);
}

static bt_fragmentation cut(drawing *d, bt_arena *arena) {
  bt_fragmentation c;
  d->structure.atoms = d->atoms;
  d->structure.bonds = d->bonds;
  assert_true(bt_fragments_cut(&d->structure, arena, &c));
  return c;
}

/* CH3-CH2-...-CH2-X, the last atom first if wanted. */
static drawing chain(int carbons, int last, bool backwards) {
  drawing d = {0};
  int previous = -1;
  for (int k = 0; k < carbons; k++) {
    bool is_last = backwards ? k == 0 : k == carbons - 1, is_first = backwards ? k == carbons - 1 : k == 0;
    int atom = add(&d, is_last ? last : 6, 3);
    if (previous >= 0) join(&d, previous, atom, 1);
    fill(&d, atom, is_last ? (last == 8 ? 1 : 2) : is_first ? 3 : 2);
    previous = atom;
  }
  return d;
}

static size_t key_of(const bt_fragmentation *c, int atom, uint8_t *out, bt_arena *arena) {
  size_t size;
  uint8_t *key = bt_fragment_key(&c->uses[c->fragment[atom]].graph, arena, &size);
  memcpy(out, key, size);
  return size;
}

static void test_fragments_do_not_depend_on_the_order_of_atoms(void **state) {
  (void)state;
  bt_arena arena = {0};
  drawing forward = chain(4, 8, false), backward = chain(4, 8, true); /* propanol */
  bt_fragmentation a = cut(&forward, &arena), b = cut(&backward, &arena);
  assert_int_equal(a.n_fragments, 4);
  assert_int_equal(b.n_fragments, 4);
  uint8_t one[512], other[512];
  /* the carbon beside oxygen: the third of the chain, the second one backwards, with two hydrogens each */
  size_t size = key_of(&a, 7, one, &arena), again = key_of(&b, 2, other, &arena);
  assert_int_equal(size, again);
  assert_memory_equal(one, other, size);
  bt_arena_destroy(&arena);
}

static void test_caps_tell_fragments_apart(void **state) {
  (void)state;
  bt_arena arena = {0};
  drawing alcohol = chain(4, 8, false), amine = chain(4, 7, false);
  bt_fragmentation a = cut(&alcohol, &arena), b = cut(&amine, &arena);
  uint8_t one[512], other[512];
  assert_int_equal(key_of(&a, 7, one, &arena), key_of(&b, 7, other, &arena)); /* beside O or N */
  assert_memory_not_equal(one, other, key_of(&a, 7, one, &arena));
  assert_int_equal(key_of(&a, 0, one, &arena), key_of(&b, 0, other, &arena)); /* CH3 beside CH2 */
  assert_memory_equal(one, other, key_of(&a, 0, one, &arena));
  bt_arena_destroy(&arena);
}

/* CHFClBr with this parity: the enantiomers are one fragment and its mirror image. */
static void test_enantiomers_are_mirror_images(void **state) {
  (void)state;
  bt_arena arena = {0};
  uint8_t keys[2][512];
  bool mirrored[2];
  size_t size = 0;
  for (int e = 0; e < 2; e++) {
    drawing d = {0};
    int center = add(&d, 6, 3);
    add_to(&d, center, 9, 3), add_to(&d, center, 17, 3), add_to(&d, center, 35, 3), fill(&d, center, 1);
    d.atoms[center].parity = e == 0 ? 1 : -1;
    bt_fragmentation c = cut(&d, &arena);
    assert_int_equal(c.n_fragments, 1);
    size = key_of(&c, center, keys[e], &arena);
    mirrored[e] = c.uses[0].mirrored;
  }
  assert_memory_equal(keys[0], keys[1], size);
  assert_true(mirrored[0] != mirrored[1]);
  bt_arena_destroy(&arena);
}

static int made;

static bt_status make_line(const bt_fragment_graph *graph, bt_shape *ret_shape, bt_error *opt_error) {
  (void)opt_error;
  made++;
  *ret_shape = (bt_shape){.n_rows = graph->n_vertices + graph->n_slots, .n_variants = graph->n_vertices > 3 ? 0 : 1};
  ret_shape->x = calloc((size_t)ret_shape->n_rows + 1, sizeof *ret_shape->x);
  for (int r = 0; r < ret_shape->n_rows; r++) ret_shape->x[r][0] = (float)r / 3;
  return BT_OK;
}

static void get_all(bt_shapes *shapes, int last) {
  bt_arena arena = {0};
  bt_error error = {0};
  drawing d = chain(5, last, false);
  bt_fragmentation c = cut(&d, &arena);
  for (int f = 0; f < c.n_fragments; f++) {
    const bt_shape *shape;
    support_ok(bt_shapes_get(shapes, &c.uses[f].graph, &arena, &shape, &error), &error);
    assert_int_equal(shape->n_rows, c.uses[f].graph.n_vertices + c.uses[f].graph.n_slots);
    if (shape->n_variants > 0 && shape->n_rows > 1) assert_float_equal(shape->x[1][0], 1.0 / 3, 1e-6);
  }
  bt_arena_destroy(&arena);
}

static void test_shapes_are_made_once_and_kept(void **state) {
  (void)state;
  bt_shapes *shapes;
  bt_error error = {0};
  char folder[] = "/tmp/berth-shapes-XXXXXX";
  assert_non_null(mkdtemp(folder));
  setenv("BERTH_CACHE_DIR", folder, 1);
  made = 0;
  support_ok(bt_shapes_create(make_line, "1", &shapes, &error), &error);
  get_all(shapes, 8);
  int first = made;
  assert_true(first >= 3);
  get_all(shapes, 8);
  assert_int_equal(made, first);
  get_all(shapes, 7); /* CH3 and the CH2 beside it are known, that beside N is not */
  assert_true(made > first && made < 2 * first);
  first = made;
  assert_int_equal(bt_shapes_count(shapes), (size_t)made);
  bt_shapes_destroy(shapes);
  support_ok(bt_shapes_create(make_line, "1", &shapes, &error), &error);
  get_all(shapes, 8), get_all(shapes, 7);
  assert_int_equal(made, first); /* from the cache */
  bt_shapes_destroy(shapes);
  support_ok(bt_shapes_create(make_line, "2", &shapes, &error), &error);
  get_all(shapes, 8);
  assert_true(made > first); /* of another version */
  bt_shapes_destroy(shapes);
  support_ok(bt_shapes_create(make_line, NULL, &shapes, &error), &error);
  first = made;
  get_all(shapes, 8);
  assert_true(made > first); /* not kept */
  bt_shapes_destroy(shapes);
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fragments_do_not_depend_on_the_order_of_atoms),
      cmocka_unit_test(test_caps_tell_fragments_apart),
      cmocka_unit_test(test_enantiomers_are_mirror_images),
      cmocka_unit_test(test_shapes_are_made_once_and_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
