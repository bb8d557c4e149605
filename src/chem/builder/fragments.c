/* fragments.c - cuts a molecule into fragments.
 *
 * Contents: 1. which bonds are cut; 2. caps; 3. vertices, slots and bonds; 4. stereochemistry; 5. all fragments.
 */
#include "chem/builder/fragments.h"

/* ---- 1. which bonds are cut ---- */

/* Of n vertices, from pairs of them. */
static bool make_adjacency(int n, const int (*pairs)[2], int n_pairs, bt_arena *arena, bt_adjacency *ret) {
  int *at;
  BT_NEW(arena, ret->first, n + 1);
  BT_NEW(arena, ret->neighbor, 2 * n_pairs);
  BT_NEW(arena, ret->bond, 2 * n_pairs);
  BT_NEW(arena, at, n);
  if (arena->failed) return false;
  for (int k = 0; k < n_pairs; k++) ret->first[pairs[k][0] + 1]++, ret->first[pairs[k][1] + 1]++;
  for (int i = 0; i < n; i++) ret->first[i + 1] += ret->first[i];
  for (int i = 0; i < n; i++) at[i] = ret->first[i];
  for (int k = 0; k < n_pairs; k++)
    for (int e = 0; e < 2; e++) {
      int end = pairs[k][e], other = pairs[k][1 - e];
      int place = at[end]++; /* ascending by insertion: an atom has few bonds */
      for (; place > ret->first[end] && ret->neighbor[place - 1] > other; place--) {
        ret->neighbor[place] = ret->neighbor[place - 1];
        ret->bond[place] = ret->bond[place - 1];
      }
      ret->neighbor[place] = other;
      ret->bond[place] = k;
    }
  return true;
}

static bool find_neighbors(const bt_build_structure *s, bt_arena *arena, bt_adjacency *ret) {
  int(*pairs)[2];
  BT_NEW(arena, pairs, s->n_bonds);
  if (arena->failed) return false;
  for (int k = 0; k < s->n_bonds; k++) pairs[k][0] = s->bonds[k].a, pairs[k][1] = s->bonds[k].b;
  return make_adjacency(s->n_atoms, (const int(*)[2])pairs, s->n_bonds, arena, ret);
}

static int degree(const bt_adjacency *adjacency, int atom) {
  return adjacency->first[atom + 1] - adjacency->first[atom];
}

/* An atom without further neighbors, such as a halogen or O-, stays with its neighbor: in a ring only if it is charged,
 * or there would be as many ring fragments as patterns of substituents. */
static bool stays(const bt_fragmentation *c, int end, int partner) {
  const bt_build_atom *atoms = c->structure->atoms;
  return degree(&c->adjacency, end) == 1 && (atoms[end].charge != 0 || !atoms[partner].ring);
}

static bool is_cut(const bt_fragmentation *c, const bt_build_bond *bond) {
  const bt_build_atom *atoms = c->structure->atoms;
  return bond->order == 1 && !bond->ring && atoms[bond->a].element > 1 && atoms[bond->b].element > 1 &&
         !stays(c, bond->a, bond->b) && !stays(c, bond->b, bond->a);
}

/* Numbers the fragments by their lowest atoms. */
static bool label(bt_fragmentation *c, bt_arena *arena) {
  int *queue;
  BT_NEW(arena, queue, c->structure->n_atoms);
  if (arena->failed) return false;
  for (int i = 0; i < c->structure->n_atoms; i++) c->fragment[i] = -1;
  for (int i = 0; i < c->structure->n_atoms; i++) {
    if (c->fragment[i] >= 0) continue;
    int count = 0;
    c->fragment[i] = c->n_fragments;
    queue[count++] = i;
    for (int q = 0; q < count; q++)
      for (int k = c->adjacency.first[queue[q]]; k < c->adjacency.first[queue[q] + 1]; k++) {
        int other = c->adjacency.neighbor[k];
        if (c->cut[c->adjacency.bond[k]] || c->fragment[other] >= 0) continue;
        c->fragment[other] = c->n_fragments;
        queue[count++] = other;
      }
    c->n_fragments++;
  }
  return true;
}

/* ---- 2. caps ---- */

/* Bonds of an atom by what they are to. */
typedef struct bond_count {
  int doubles, triples, aromatic;
  bool to_nitrogen, to_chalcogen, charged_oxygen, aromatic_nitrogen;
} bond_count;

static bond_count count_bonds(const bt_fragmentation *c, int atom) {
  bond_count count = {0};
  for (int k = c->adjacency.first[atom]; k < c->adjacency.first[atom + 1]; k++) {
    const bt_build_atom *other = &c->structure->atoms[c->adjacency.neighbor[k]];
    int order = c->structure->bonds[c->adjacency.bond[k]].order;
    count.doubles += order == 2;
    count.triples += order == 3;
    count.aromatic += order == 4;
    if (order == 2) count.to_nitrogen |= other->element == 7;
    if (order == 4) count.aromatic_nitrogen |= other->element == 7;
    if (order == 2) count.to_chalcogen |= other->element == 8 || other->element == 16;
    count.charged_oxygen |= order == 1 && other->element == 8 && other->charge == -1;
  }
  return count;
}

static bt_cap cap_of_carbon(bond_count count) {
  if (count.triples > 0 || count.doubles > 1) return BT_CAP_ALKYNE;
  if (count.aromatic > 0) return count.aromatic_nitrogen ? BT_CAP_PYRIDYL : BT_CAP_ARYL;
  if (count.to_chalcogen) return BT_CAP_CARBONYL;
  if (count.to_nitrogen) return BT_CAP_AMIDINE;
  return count.doubles > 0 ? BT_CAP_VINYL : BT_CAP_SATURATED;
}

/* BT_CAP_NONE: of no known kind. */
static bt_cap cap_of(const bt_fragmentation *c, int atom) {
  bond_count count = count_bonds(c, atom);
  switch (c->structure->atoms[atom].element) {
    case 6: return cap_of_carbon(count);
    case 7:
      if (count.triples > 0 || count.doubles > 1) return BT_CAP_NONE;
      if (count.to_chalcogen && count.charged_oxygen) return BT_CAP_NITRO;
      if (count.aromatic > 0) return c->structure->atoms[atom].charge > 0 ? BT_CAP_ARYL : BT_CAP_PYRROLYL;
      return count.doubles > 0 ? BT_CAP_VINYL : BT_CAP_SATURATED;
    case 15:
    case 16:
    case 34: return count.doubles == 0 ? BT_CAP_SATURATED : count.doubles == 1 ? BT_CAP_OXIDE : BT_CAP_DIOXIDE;
    case 5:
    case 8:
    case 9:
    case 14:
    case 17:
    case 35:
    case 53: return BT_CAP_SATURATED;
    default: return BT_CAP_NONE;
  }
}

/* Planar atoms of rings have their substituents where a hydrogen would be, and carbon of saturated rings where methyl
 * would be: one fragment for all patterns of substituents. */
static bool has_slot(const bt_build_atom *atom) {
  return atom->ring && (atom->aromatic || (atom->element == 6 && atom->hybridization == 2));
}

bt_fragment_atom bt_fragment_cap(const bt_fragmentation *c, int atom) {
  const bt_build_atom *kind = &c->structure->atoms[atom];
  return (bt_fragment_atom){
      .element = (int16_t)kind->element, .charge = (int8_t)kind->charge, .cap = (int8_t)cap_of(c, atom)};
}

static bt_fragment_atom cap_at(const bt_fragmentation *c, int inside, int outside) {
  const bt_build_atom *in = &c->structure->atoms[inside];
  if (in->ring && in->element == 6) return (bt_fragment_atom){.element = 6, .cap = BT_CAP_SATURATED};
  return bt_fragment_cap(c, outside);
}

/* ---- 3. vertices, slots and bonds ---- */

/* A fragment in the order of the molecule's atoms. */
typedef struct draft {
  int n_vertices, n_slots, n_links;
  bt_fragment_atom *atoms; /* [n_vertices] */
  int *source;             /* [n_vertices] */
  bool *outside;           /* [n_vertices] */
  int *slot_vertex, *slot_source;
  bool *slot_outside;
  int (*links)[2]; /* vertices, and */
  int *link_bond;  /* the molecule's bond */
} draft;

static bool draft_create(draft *d, int atoms, int bonds, bt_arena *arena) {
  BT_NEW(arena, d->atoms, atoms + bonds);
  BT_NEW(arena, d->source, atoms + bonds);
  BT_NEW(arena, d->outside, atoms + bonds);
  BT_NEW(arena, d->slot_vertex, bonds + 1);
  BT_NEW(arena, d->slot_source, bonds + 1);
  BT_NEW(arena, d->slot_outside, bonds + 1);
  BT_NEW(arena, d->links, bonds + 1);
  BT_NEW(arena, d->link_bond, bonds + 1);
  return !arena->failed;
}

static int add_vertex(draft *d, bt_fragment_atom atom, int source, bool outside) {
  d->atoms[d->n_vertices] = atom;
  d->source[d->n_vertices] = source;
  d->outside[d->n_vertices] = outside;
  return d->n_vertices++;
}

static void add_slot(draft *d, int vertex, int source, bool outside) {
  d->atoms[vertex].slots++;
  d->slot_vertex[d->n_slots] = vertex;
  d->slot_source[d->n_slots] = source;
  d->slot_outside[d->n_slots++] = outside;
}

static void add_link(draft *d, int a, int b, int bond) {
  d->links[d->n_links][0] = a;
  d->links[d->n_links][1] = b;
  d->link_bond[d->n_links++] = bond;
}

/* vertex_of[n_atoms]: scratch. False: a bond, or a cap, of no known kind. */
static bool make_draft(const bt_fragmentation *c, int fragment, int *vertex_of, draft *d) {
  const bt_build_structure *s = c->structure;
  for (int i = 0; i < s->n_atoms; i++) {
    const bt_build_atom *atom = &s->atoms[i];
    vertex_of[i] = -1;
    if (c->fragment[i] != fragment || atom->element == 1) continue;
    vertex_of[i] =
        add_vertex(d,
                   (bt_fragment_atom){
                       .element = (int16_t)atom->element, .charge = (int8_t)atom->charge, .aromatic = atom->aromatic},
                   i, false);
  }
  for (int v = 0, n = d->n_vertices; v < n; v++) {
    int inside = d->source[v];
    for (int k = c->adjacency.first[inside]; k < c->adjacency.first[inside + 1]; k++) {
      int other = c->adjacency.neighbor[k], bond = c->adjacency.bond[k];
      bool cut = c->cut[bond];
      if (s->bonds[bond].order == 0) return false;
      if (s->atoms[other].element == 1 || (cut && has_slot(&s->atoms[inside]))) {
        add_slot(d, v, other, cut);
      } else if (cut) {
        bt_fragment_atom cap = cap_at(c, inside, other);
        if (cap.cap == BT_CAP_NONE) return false;
        add_link(d, v, add_vertex(d, cap, other, true), bond);
      } else if (other > inside) {
        add_link(d, v, vertex_of[other], bond);
      }
    }
  }
  return true;
}

static uint64_t hash_of(const bt_fragment_atom *atom) {
  return (uint64_t)atom->element << 32 | (uint64_t)(uint8_t)atom->charge << 24 | (uint64_t)(uint8_t)atom->cap << 16 |
         (uint64_t)(uint8_t)atom->slots << 8 | atom->aromatic;
}

static bool rank_vertices(const bt_fragmentation *c, const draft *d, int *ret_rank, bt_arena *arena) {
  bt_adjacency links;
  int8_t *order;
  uint64_t *hash;
  BT_NEW(arena, order, 2 * d->n_links);
  BT_NEW(arena, hash, d->n_vertices);
  if (!make_adjacency(d->n_vertices, (const int(*)[2])d->links, d->n_links, arena, &links)) return false;
  for (int v = 0; v < d->n_vertices; v++) hash[v] = hash_of(&d->atoms[v]);
  for (int k = 0; k < 2 * d->n_links; k++) order[k] = (int8_t)c->structure->bonds[d->link_bond[links.bond[k]]].order;
  return bt_canonical_ranks(d->n_vertices, links.first, links.neighbor, order, hash, ret_rank, arena);
}

static int compare_bonds(const void *a, const void *b) {
  const bt_fragment_bond *x = a, *y = b;
  return x->a != y->a ? x->a - y->a : x->b - y->b;
}

/* Vertices, slots and bonds in canonical order; sides are still those of the molecule's lowest neighbors. */
static bool order_draft(const bt_fragmentation *c, const draft *d, const int *rank, bt_fragment_use *use,
                        bt_arena *arena) {
  bt_fragment_graph *g = &use->graph;
  int *slot_at;
  *g = (bt_fragment_graph){.n_vertices = d->n_vertices, .n_bonds = d->n_links, .n_slots = d->n_slots};
  BT_NEW(arena, g->atoms, g->n_vertices);
  BT_NEW(arena, g->bonds, g->n_bonds);
  BT_NEW(arena, use->source, g->n_vertices + g->n_slots);
  BT_NEW(arena, use->outside, g->n_vertices + g->n_slots);
  BT_NEW(arena, slot_at, g->n_vertices + 1);
  if (arena->failed) return false;
  for (int v = 0; v < d->n_vertices; v++) {
    g->atoms[rank[v]] = d->atoms[v];
    use->source[rank[v]] = d->source[v];
    use->outside[rank[v]] = d->outside[v];
  }
  slot_at[0] = g->n_vertices;
  for (int v = 0; v < g->n_vertices; v++) slot_at[v + 1] = slot_at[v] + g->atoms[v].slots;
  for (int k = 0; k < d->n_slots; k++) {
    int place = slot_at[rank[d->slot_vertex[k]]]++;
    use->source[place] = d->slot_source[k];
    use->outside[place] = d->slot_outside[k];
  }
  for (int l = 0; l < d->n_links; l++) {
    int a = rank[d->links[l][0]], b = rank[d->links[l][1]];
    const bt_build_bond *bond = &c->structure->bonds[d->link_bond[l]];
    g->bonds[l] = (bt_fragment_bond){.a = (int16_t)(a < b ? a : b),
                                     .b = (int16_t)(a < b ? b : a),
                                     .order = (int8_t)bond->order,
                                     .side = (int8_t)bond->side};
  }
  qsort(g->bonds, (size_t)g->n_bonds, sizeof *g->bonds, compare_bonds);
  return true;
}

/* ---- 4. stereochemistry ---- */

/* The neighbors of a vertex, as the molecule's atoms: vertices, then slots. Returns how many, at most most. */
static int neighbors_of(const bt_fragment_use *use, int vertex, int most, int *ret_atoms) {
  const bt_fragment_graph *g = &use->graph;
  int count = 0, slot = g->n_vertices;
  for (int v = 0; v < g->n_vertices; v++) {
    for (int k = 0; k < g->n_bonds && count < most; k++) {
      const bt_fragment_bond *bond = &g->bonds[k];
      if ((bond->a == v && bond->b == vertex) || (bond->b == v && bond->a == vertex))
        ret_atoms[count++] = use->source[v];
    }
  }
  for (int v = 0; v < vertex; v++) slot += g->atoms[v].slots;
  for (int k = 0; k < g->atoms[vertex].slots && count < most; k++) ret_atoms[count++] = use->source[slot + k];
  return count;
}

/* The molecule's parity and sides are for ascending atoms, the fragment's for its own order. */
static void set_stereo(const bt_fragmentation *c, bt_fragment_use *use) {
  enum { MOST = 8 };
  int atoms[MOST];
  bt_fragment_graph *g = &use->graph;
  for (int v = 0; v < g->n_vertices; v++) {
    int parity = g->atoms[v].cap == BT_CAP_NONE ? c->structure->atoms[use->source[v]].parity : 0;
    if (parity == 0) continue;
    int n = neighbors_of(use, v, MOST, atoms);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++)
        if (atoms[j] > atoms[i]) parity = -parity;
    g->atoms[v].parity = (int8_t)parity;
  }
  int first = 0;
  for (int v = 0; v < g->n_vertices && first == 0; v++) first = g->atoms[v].parity;
  use->mirrored = first < 0;
  for (int v = 0; v < g->n_vertices && use->mirrored; v++) g->atoms[v].parity = (int8_t)-g->atoms[v].parity;
  for (int k = 0; k < g->n_bonds; k++) {
    bt_fragment_bond *bond = &g->bonds[k];
    if (bond->side == 0) continue;
    int ends[2] = {bond->a, bond->b};
    for (int e = 0; e < 2; e++) {
      int n = neighbors_of(use, ends[e], MOST, atoms), other = use->source[ends[1 - e]], reference = -1;
      for (int i = 0; i < n; i++)
        if (atoms[i] != other && reference < 0) reference = atoms[i];
      for (int i = 0; i < n; i++)
        if (atoms[i] != other && atoms[i] < reference) {
          bond->side = (int8_t)-bond->side;
          break;
        }
    }
  }
}

/* ---- 5. all fragments ---- */

bool bt_fragments_cut(const bt_build_structure *structure, bt_arena *arena, bt_fragmentation *ret_cut) {
  bt_fragmentation *c = ret_cut;
  int *vertex_of, *rank;
  *c = (bt_fragmentation){.structure = structure};
  if (!find_neighbors(structure, arena, &c->adjacency)) return false;
  BT_NEW(arena, c->fragment, structure->n_atoms);
  BT_NEW(arena, c->cut, structure->n_bonds);
  BT_NEW(arena, vertex_of, structure->n_atoms);
  BT_NEW(arena, rank, structure->n_atoms + structure->n_bonds);
  if (arena->failed) return false;
  for (int k = 0; k < structure->n_bonds; k++) c->cut[k] = is_cut(c, &structure->bonds[k]);
  if (!label(c, arena)) return false;
  BT_NEW(arena, c->uses, c->n_fragments);
  if (arena->failed) return false;
  for (int f = 0; f < c->n_fragments; f++) {
    draft d = {0};
    if (!draft_create(&d, structure->n_atoms, structure->n_bonds, arena) || !make_draft(c, f, vertex_of, &d) ||
        d.n_vertices == 0 || !rank_vertices(c, &d, rank, arena) || !order_draft(c, &d, rank, &c->uses[f], arena))
      return false;
    set_stereo(c, &c->uses[f]);
  }
  return true;
}
