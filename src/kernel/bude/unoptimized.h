/* unoptimized.h - the energy kernel before optimization: receptor atoms in file order, pair parameters looked up or
 * computed for every pair, optionally with branches. `berth bench bude` shows what each step gained.
 *
 * Included by energy.h in place of its own loop. */
#ifndef BERTH_KERNEL_BUDE_UNOPTIMIZED_H
#define BERTH_KERNEL_BUDE_UNOPTIMIZED_H

/* The pair of a receptor and a ligand type by the benchmark's rules (bt_bude_law_of in forcefield/bude.h). */
BT_FUNCTION bt_bude_pair bt_bude_make_pair(bt_bude_parameters receptor, bt_bude_parameters ligand) {
  bt_bude_pair pair;
  const int formal = receptor.class_code & ligand.class_code & BT_BUDE_FORMAL;
  const int either = (receptor.class_code | ligand.class_code) & BT_BUDE_EITHER;
  const float charge = 22.5f * receptor.charge * ligand.charge;
  const int both = receptor.hydrophobic < 0.0f && ligand.hydrophobic < 0.0f;
  const int mixed = receptor.hydrophobic * ligand.hydrophobic < 0.0f;
  const float size = (receptor.hydrophobic < 0.0f ? -receptor.hydrophobic : receptor.hydrophobic) +
                     (ligand.hydrophobic < 0.0f ? -ligand.hydrophobic : ligand.hydrophobic);
  const float reach =
      both ? receptor.reach_nonpolar + ligand.reach_nonpolar : receptor.reach_polar + ligand.reach_polar;
  pair.reach = receptor.radius + ligand.radius;
  pair.hardness = 0.5f * (receptor.hardness + ligand.hardness);
  pair.slope = 1.0f / pair.reach;
  pair.charge = either && charge > 0.0f ? -charge : charge;
  pair.charge_slope = formal ? 0.25f : 0.5f;
  pair.charge_offset = 1.0f + pair.reach * pair.charge_slope;
  pair.desolvation = both ? -0.5f * size : mixed ? 0.5f * size : 0.0f;
  pair.desolvation_slope = 2.0f / reach;
  pair.desolvation_offset = 1.0f + pair.reach * pair.desolvation_slope;
  pair.kind = BT_BUDE_CHARGE | BT_BUDE_DESOLVATION;
  return pair;
}

/* Terms as in the paper's first version: each behind a branch. */
BT_FUNCTION bt_real bt_bude_asked(bt_real sum, bt_real r, const bt_bude_pair *pair) {
  const bt_mask core = bt_lt(r, bt_splat(pair->reach));
  const bt_real gap = r - bt_splat(pair->reach), one = bt_splat(1.0f);
  if (bt_any(core)) sum = sum + bt_select_zero(core, bt_splat(pair->hardness) * (one - r * bt_splat(pair->slope)));
  if (pair->charge != 0.0f) {
    const bt_real fall = one - gap * bt_splat(pair->charge_slope);
    const bt_mask near = bt_lt(bt_splat(0.0f), fall);
    if (bt_any(near)) sum = sum + bt_select_zero(near, bt_splat(pair->charge) * bt_select(core, one, fall));
  }
  if (pair->desolvation != 0.0f) {
    const bt_real fall = one - gap * bt_splat(pair->desolvation_slope);
    const bt_mask near = bt_lt(bt_splat(0.0f), fall);
    if (bt_any(near)) sum = sum + bt_select_zero(near, bt_splat(pair->desolvation) * bt_select(core, one, fall));
  }
  return sum;
}

BT_FUNCTION void bt_bude_sum(bt_bude_poses *mine, BT_GLOBAL char *arena, const bt_bude_launch *launch,
                             const bt_bude_task *task, BT_SCRATCH float *memory) {
  const BT_GLOBAL bt_bude_atom *receptor = (const BT_GLOBAL bt_bude_atom *)(arena + launch->unsorted);
#if (BT_BUDE_WITHOUT) & BT_BUDE_WITHOUT_RUNS
  const BT_GLOBAL bt_bude_pair *pairs = (const BT_GLOBAL bt_bude_pair *)(arena + launch->pairs);
#else
  const BT_GLOBAL bt_bude_parameters *types = (const BT_GLOBAL bt_bude_parameters *)(arena + launch->types);
  const BT_GLOBAL bt_bude_parameters *runs = types + launch->n_types;
#endif
  (void)memory;
  for (int l = task->from; l < task->to; l++) {
    const int type = task->atoms[l].type;
    bt_bude_place_all(mine, task, launch, l);
    for (int p = 0; p < launch->n_receptor; p++) {
      const bt_bude_atom atom = receptor[p];
      bt_bude_site site;
#if (BT_BUDE_WITHOUT) & BT_BUDE_WITHOUT_RUNS
      const bt_bude_pair pair = pairs[(long)type * launch->n_runs + atom.type];
#else
      const bt_bude_pair pair = bt_bude_make_pair(runs[atom.type], types[type]);
#endif
      site.x = launch->scale * atom.x;
      site.y = launch->scale * atom.y;
      site.z = launch->scale * atom.z;
      site.square = site.x * site.x + site.y * site.y + site.z * site.z;
      BT_UNROLL for (int k = 0; k < BT_BUDE_POSES; k++) {
        const bt_real r = bt_bude_distance(mine, k, site);
#if (BT_BUDE_WITHOUT) & BT_BUDE_WITHOUT_SELECT
        mine->sum[k] = bt_bude_asked(mine->sum[k], r, &pair);
#else
        mine->sum[k] = bt_bude_terms(mine->sum[k], r, BT_BUDE_CHARGE | BT_BUDE_DESOLVATION, &pair);
#endif
      }
    }
  }
}

#endif
