/* search.h - BUDE's evolutionary Monte Carlo on the device: generation 0, the best of a generation, mutation.
 *
 * A pose is six indices into grids (three angles, then three translations), stored as one 64-bit code; the poses that
 * the energy kernel reads are expanded from it by table look-up, so they are identical on every device.
 *
 *   first      component k of pose i: floor(u n_k)
 *   sort       sorts the energies of a bin of poses, ascending, by Batcher's bitonic network in local memory
 *   best       the K best of all bins: the smallest of their heads, K times
 *   children   poses 0 .. K-1 are the parents themselves; pose i >= K is parent i mod K with m of its six components,
 *              m uniform in 1 .. 4, redrawn from the other values of their grids
 *
 * McIntosh-Smith, Price, Sessions (the BUDE engine); Batcher 1968. Random numbers: Philox4x32-10 of Salmon et al.,
 * SC'11; key: seed, counter: (pose, generation, id of the conformer, block).
 */
#ifndef BERTH_KERNEL_BUDE_SEARCH_H
#define BERTH_KERNEL_BUDE_SEARCH_H

#define BT_BUDE_NO_KEY (~0ul)

/* Bits of a code: 9 for each angle, 12 for each translation. */
BT_FUNCTION int bt_bude_index(unsigned long code, int component) {
  return component < 3 ? (int)(code >> (9 * component)) & 511 : (int)(code >> (27 + 12 * (component - 3))) & 4095;
}

BT_FUNCTION unsigned long bt_bude_code_set(unsigned long code, int component, int index) {
  int shift = component < 3 ? 9 * component : 27 + 12 * (component - 3);
  unsigned long mask = (component < 3 ? 511ul : 4095ul) << shift;
  return (code & ~mask) | ((unsigned long)index << shift);
}

/* Sorts by ascending energy, then by pose. */
BT_FUNCTION unsigned long bt_bude_key(unsigned int energy_bits, int pose) {
  unsigned int ordered = energy_bits ^ ((energy_bits >> 31) != 0 ? 0xFFFFFFFFu : 0x80000000u);
  return ((unsigned long)ordered << 32) | (unsigned long)(unsigned int)pose;
}

typedef struct bt_bude_words {
  unsigned int w[4];
} bt_bude_words;

BT_FUNCTION bt_bude_words bt_bude_random(const bt_bude_search *search, int pose, unsigned int generation,
                                         unsigned int id, unsigned int block) {
  unsigned int c0 = (unsigned int)pose, c1 = generation, c2 = id, c3 = block;
  unsigned int k0 = search->seed[0], k1 = search->seed[1];
  for (int round = 0; round < 10; round++) {
    unsigned int h0 = bt_mulhi_scalar(c0, 0xD2511F53u), l0 = c0 * 0xD2511F53u;
    unsigned int h1 = bt_mulhi_scalar(c2, 0xCD9E8D57u), l1 = c2 * 0xCD9E8D57u;
    c0 = h1 ^ c1 ^ k0;
    c1 = l1;
    c2 = h0 ^ c3 ^ k1;
    c3 = l0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  bt_bude_words words = {{c0, c1, c2, c3}};
  return words;
}

BT_FUNCTION int bt_bude_below(unsigned int word, int n) { return (int)bt_mulhi_scalar(word, (unsigned int)n); }

/* Bins per ligand; groups are numbered [ligand][bin]. */
BT_FUNCTION int bt_bude_bins(const bt_bude_launch *launch) {
  return (launch->n_poses + launch->search.bin - 1) / launch->search.bin;
}

/* Stores the code as pose i of a ligand's population and expands it. */
BT_FUNCTION void bt_bude_put(BT_GLOBAL char *arena, const bt_bude_launch *launch, int ligand, int i,
                             unsigned long code) {
  BT_GLOBAL const float *table = (BT_GLOBAL const float *)(arena + launch->extra + launch->search.table);
  BT_GLOBAL float *poses = (BT_GLOBAL float *)(arena + launch->poses) + 6 * (bt_bude_offset)ligand * launch->stride + i;
  BT_GLOBAL unsigned long *codes = (BT_GLOBAL unsigned long *)(arena + launch->extra + launch->search.codes);
  codes[(bt_bude_offset)ligand * launch->stride + i] = code;
  int start = 0;
  for (int k = 0; k < 6; k++) {
    poses[(bt_bude_offset)k * launch->stride] = table[start + bt_bude_index(code, k)];
    start += launch->search.grid[k];
  }
}

/* n_ligands * bins groups. */
BT_FUNCTION void bt_bude_first_body(BT_GLOBAL char *arena, const bt_bude_launch *launch, BT_SCRATCH float *memory) {
  const bt_bude_search *search = &launch->search;
  int bins = bt_bude_bins(launch), ligand = BT_GROUP / bins, from = (BT_GROUP % bins) * search->bin;
  int end = from + search->bin < launch->n_poses ? from + search->bin : launch->n_poses;
  unsigned int id = ((BT_GLOBAL const unsigned int *)(arena + launch->extra + search->ids))[ligand];
  (void)memory;
  for (int i = from + BT_ITEM; i < end; i += BT_ITEMS) {
    bt_bude_words a = bt_bude_random(search, i, 0, id, 0), b = bt_bude_random(search, i, 0, id, 1);
    unsigned long code = 0;
    for (int k = 0; k < 6; k++)
      code = bt_bude_code_set(code, k, bt_bude_below(k < 4 ? a.w[k] : b.w[k - 4], search->grid[k]));
    bt_bude_put(arena, launch, ligand, i, code);
  }
}

/* n_ligands * bins groups; local: unsigned long [bin], bin a power of 2. */
BT_FUNCTION void bt_bude_sort_body(BT_GLOBAL char *arena, const bt_bude_launch *launch, BT_SCRATCH float *memory) {
  const bt_bude_search *search = &launch->search;
  const int n = search->bin, bins = bt_bude_bins(launch);
  const int ligand = BT_GROUP / bins, from = (BT_GROUP % bins) * n;
  BT_GLOBAL const unsigned int *energies =
      (BT_GLOBAL const unsigned int *)(arena + launch->energies) + (bt_bude_offset)ligand * launch->stride;
  BT_GLOBAL unsigned long *sorted =
      (BT_GLOBAL unsigned long *)(arena + launch->extra + search->keys) + ((bt_bude_offset)ligand * bins * n + from);
  BT_SCRATCH unsigned long *keys = (BT_SCRATCH unsigned long *)memory;
  for (int i = BT_ITEM; i < n; i += BT_ITEMS)
    keys[i] = from + i < launch->n_poses ? bt_bude_key(energies[from + i], from + i) : BT_BUDE_NO_KEY;
  BT_SYNC();
  for (int size = 2; size <= n; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      for (int i = BT_ITEM; i < n / 2; i += BT_ITEMS) {
        int low = 2 * i - (i & (stride - 1)), high = low + stride;
        unsigned long a = keys[low], b = keys[high];
        unsigned long less = a < b ? a : b, more = a < b ? b : a;
        keys[low] = (low & size) == 0 ? less : more;
        keys[high] = (low & size) == 0 ? more : less;
      }
      BT_SYNC();
    }
  for (int i = BT_ITEM; i < n; i += BT_ITEMS) sorted[i] = keys[i];
}

/* Advances the heads of a work-item's bins past the pose taken and, with distinct, past all its duplicates. Returns the
 * smallest of these heads. */
BT_FUNCTION unsigned long bt_bude_advance(const bt_bude_launch *launch, int bins, unsigned long taken,
                                          BT_GLOBAL const unsigned long *keys, BT_GLOBAL const unsigned long *codes,
                                          BT_SCRATCH unsigned long *heads, BT_SCRATCH int *cursors) {
  const bt_bude_search *search = &launch->search;
  unsigned long least = BT_BUDE_NO_KEY;
  for (int b = BT_ITEM; b < bins; b += BT_ITEMS) {
    unsigned long head = heads[b];
    while (head != BT_BUDE_NO_KEY &&
           (head == taken || (search->distinct && head >> 32 == taken >> 32 &&
                              codes[(int)(head & 0xFFFFFFFFul)] == codes[(int)(taken & 0xFFFFFFFFul)]))) {
      cursors[b]++;
      head = cursors[b] < search->bin ? keys[(bt_bude_offset)b * search->bin + cursors[b]] : BT_BUDE_NO_KEY;
    }
    heads[b] = head;
    least = head < least ? head : least;
  }
  return least;
}

/* n_ligands groups; local: unsigned long [work-items], unsigned long [bins], int [bins + 1]. */
BT_FUNCTION void bt_bude_best_body(BT_GLOBAL char *arena, const bt_bude_launch *launch, BT_SCRATCH float *memory) {
  const bt_bude_search *search = &launch->search;
  const int bins = bt_bude_bins(launch), ligand = BT_GROUP;
  const bt_bude_offset first_parent = (bt_bude_offset)ligand * search->parents;
  BT_GLOBAL const unsigned long *keys = (BT_GLOBAL const unsigned long *)(arena + launch->extra + search->keys) +
                                        (bt_bude_offset)ligand * bins * search->bin;
  BT_GLOBAL const unsigned long *codes = (BT_GLOBAL const unsigned long *)(arena + launch->extra + search->codes) +
                                         (bt_bude_offset)ligand * launch->stride;
  BT_GLOBAL const float *energies =
      (BT_GLOBAL const float *)(arena + launch->energies) + (bt_bude_offset)ligand * launch->stride;
  BT_GLOBAL unsigned long *parents = (BT_GLOBAL unsigned long *)(arena + launch->extra + search->best) + first_parent;
  BT_GLOBAL float *parent_energies = (BT_GLOBAL float *)(arena + launch->extra + search->best_energies) + first_parent;
  BT_GLOBAL int *counts = (BT_GLOBAL int *)(arena + launch->extra + search->counts);
  BT_SCRATCH unsigned long *minima = (BT_SCRATCH unsigned long *)memory;
  BT_SCRATCH unsigned long *heads = minima + BT_ITEMS;
  BT_SCRATCH int *cursors = (BT_SCRATCH int *)(heads + bins);
  for (int b = BT_ITEM; b < bins; b += BT_ITEMS) {
    cursors[b] = 0;
    heads[b] = keys[(bt_bude_offset)b * search->bin];
  }
  unsigned long taken = BT_BUDE_NO_KEY;
  int count = 0, equal = 0; /* from equal on, parents have the energy of the last one */
  for (int more = 1; more && count < search->parents;) {
    minima[BT_ITEM] = bt_bude_advance(launch, bins, taken, keys, codes, heads, cursors);
    BT_SYNC();
    for (int step = 1; step < BT_ITEMS; step *= 2) {
      if ((BT_ITEM & (2 * step - 1)) == 0 && BT_ITEM + step < BT_ITEMS &&
          minima[BT_ITEM + step] < minima[BT_ITEM])
        minima[BT_ITEM] = minima[BT_ITEM + step];
      BT_SYNC();
    }
    unsigned long winner = minima[0];
    more = winner != BT_BUDE_NO_KEY;
    if (BT_ITEM == 0) {
      int pose = (int)(winner & 0xFFFFFFFFul), fresh = more;
      if (taken == BT_BUDE_NO_KEY || winner >> 32 != taken >> 32) equal = count;
      for (int j = equal; more && search->distinct && j < count; j++) fresh = fresh && parents[j] != codes[pose];
      if (fresh) {
        parents[count] = codes[pose];
        parent_energies[count] = energies[pose];
      }
      cursors[bins] = fresh;
    }
    BT_SYNC();
    taken = winner;
    count += cursors[bins];
  }
  if (BT_ITEM == 0) counts[ligand] = count;
}

/* m of the six components, the first m of a shuffle, get a different value of their grids. */
BT_FUNCTION unsigned long bt_bude_mutate(const bt_bude_search *search, unsigned long code, int pose, unsigned int id) {
  bt_bude_words a = bt_bude_random(search, pose, search->generation, id, 0);
  bt_bude_words b = bt_bude_random(search, pose, search->generation, id, 1);
  bt_bude_words c = bt_bude_random(search, pose, search->generation, id, 2);
  int m = 1 + bt_bude_below(a.w[0], 4);
  unsigned int order = 0x543210u; /* one component per nibble */
  for (int j = 0; j < 4; j++) {
    unsigned int pick = j < 3 ? a.w[j + 1] : b.w[0], value = j < 3 ? b.w[j + 1] : c.w[0];
    int other = j + bt_bude_below(pick, 6 - j);
    unsigned int x = (order >> (4 * j)) & 15u, y = (order >> (4 * other)) & 15u;
    order ^= ((x ^ y) << (4 * j)) ^ ((x ^ y) << (4 * other));
    int component = (int)y, n = search->grid[component];
    if (j < m && n > 1) {
      int index = bt_bude_below(value, n - 1);
      code = bt_bude_code_set(code, component, index + (index >= bt_bude_index(code, component)));
    }
  }
  return code;
}

/* n_ligands * bins groups. */
BT_FUNCTION void bt_bude_children_body(BT_GLOBAL char *arena, const bt_bude_launch *launch, BT_SCRATCH float *memory) {
  const bt_bude_search *search = &launch->search;
  int bins = bt_bude_bins(launch), ligand = BT_GROUP / bins, from = (BT_GROUP % bins) * search->bin;
  int end = from + search->bin < launch->n_poses ? from + search->bin : launch->n_poses;
  unsigned int id = ((BT_GLOBAL const unsigned int *)(arena + launch->extra + search->ids))[ligand];
  int count = ((BT_GLOBAL const int *)(arena + launch->extra + search->counts))[ligand];
  BT_GLOBAL const unsigned long *parents = (BT_GLOBAL const unsigned long *)(arena + launch->extra + search->best) +
                                           (bt_bude_offset)ligand * search->parents;
  (void)memory;
  for (int i = from + BT_ITEM; i < end; i += BT_ITEMS) {
    unsigned long code = parents[i % count];
    bt_bude_put(arena, launch, ligand, i, i < count ? code : bt_bude_mutate(search, code, i, id));
  }
}

#endif
