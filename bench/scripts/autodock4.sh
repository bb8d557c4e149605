#!/usr/bin/env bash
# Speed against autodock4 on one core: Solis-Wets against Solis-Wets, microseconds of CPU time per evaluation, A B A B.
#
# Usage: bench/scripts/autodock4.sh BERTH FOLDER [ROUNDS]      FOLDER: protein.maps.fld with its maps, and ligand.pdbqt
#
# autodock4 runs one Lamarckian search of 500,000 evaluations (population 150, pseudo-Solis-Wets, 300 steps); the time
# is that of the whole process, including reading the maps, as is Berth's in the last column. Prints one line per round.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 1; }
berth=$1 folder=$(readlink -f "$2") rounds=${3:-5} evals=500000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$folder"/protein.* "$folder"/ligand.pdbqt "$work"
cd "$work"
types=$(awk '/^(ATOM|HETATM)/ {print substr($0, 78, 2)}' ligand.pdbqt | tr -d ' ' | sort -u | tr '\n' ' ')
about=$(awk '/^(ATOM|HETATM)/ {n++; x += substr($0, 31, 8); y += substr($0, 39, 8); z += substr($0, 47, 8)}
  END {printf "%.4f %.4f %.4f", x / n, y / n, z / n}' ligand.pdbqt)
{
  printf 'autodock_parameter_version 4.2\noutlev 1\nintelec\nseed 1234 5678\nligand_types %s\nfld protein.maps.fld\n' "$types"
  for t in $types; do echo "map protein.$t.map"; done
  printf 'elecmap protein.e.map\ndesolvmap protein.d.map\nmove ligand.pdbqt\nabout %s\ntran0 random\nquaternion0 random\ndihe0 random\n' "$about"
  printf 'rmstol 2.0\nga_pop_size 150\nga_num_evals %d\nga_num_generations 27000\nga_elitism 1\nga_mutation_rate 0.02\n' "$evals"
  printf 'ga_crossover_rate 0.8\nga_window_size 10\nga_cauchy_alpha 0.0\nga_cauchy_beta 1.0\nset_ga\nsw_max_its 300\nsw_max_succ 4\n'
  printf 'sw_max_fail 4\nsw_rho 1.0\nsw_lb_rho 0.01\nls_search_freq 0.06\nset_psw1\nunbound_model bound\nga_run 1\nanalysis\n'
} >run.dpf

seconds() { # user CPU seconds of a command
  local TIMEFORMAT=%U
  { time "$@" >log 2>&1; } 2>&1 || { cat log >&2; exit 1; }
}
"$berth" bench evals -r protein.maps.fld -l ligand.pdbqt --runs 1 --evals 20000 | head -3
for ((round = 1; round <= rounds; round++)); do
  theirs=$(seconds taskset -c 0 autodock4 -p run.dpf -l run.dlg)
  ours=$(seconds taskset -c 0 "$berth" dock -r protein.maps.fld -l ligand.pdbqt -o out --runs 1 --evals $evals --heuristics off \
    --autostop off --local-search solis-wets --seed "$round" --threads 1 --format json --quiet)
  done_evals=$(sed -n 's/.*"evaluations": *\([0-9]*\).*/\1/p' out/ligand.json | head -1)
  adadelta=$(seconds taskset -c 0 "$berth" dock -r protein.maps.fld -l ligand.pdbqt -o out --runs 1 --evals $evals --heuristics off \
    --autostop off --local-search adadelta --seed "$round" --threads 1 --format json --quiet)
  adam=$(seconds taskset -c 0 "$berth" dock -r protein.maps.fld -l ligand.pdbqt -o out --runs 1 --evals $evals --heuristics off \
    --autostop off --local-search adam --seed "$round" --threads 1 --format json --quiet)
  awk -v a="$theirs" -v b="$ours" -v c="$adadelta" -v d="$adam" -v n=$evals -v m="$done_evals" 'BEGIN {
    printf "autodock4 %.3f us, berth Solis-Wets %.4f us, ratio %.1f; ADADELTA %.4f us, ADAM %.4f us, ratio %.1f\n",
      a / n * 1e6, b / m * 1e6, (a / n) / (b / m), c / n * 1e6, d / n * 1e6, a / d}'
done
