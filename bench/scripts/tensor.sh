#!/usr/bin/env bash
# The experiments of the paper on tensor-core reductions (docs/papers.md), on one GPU; writes the JSON for docs.py.
#
# Usage: bench/scripts/tensor.sh [-b BIN] [-d DATA] [-o FOLDER] [-n NAME] [-l SECONDS] DEVICE PART...
#
#   PART       errors: 7cpa, all reductions, errors and dockings (Tables 3 to 5)
#              table3: 7cpa, blocks of 64, 90 dockings (Table 3: 100), 14 minutes on an H200; table3-tensor-ec,
#                      table3-two-step-ec: one of the two beside what it is compared with
#              baseline: 7cpa, the paper's baseline and its product in blocks of 64, 128 and 256; with -b of the build
#                      `variants.sh build unfenced`: without AutoDock-GPU's fences
#              set:    all complexes, blocks of 64, 128 and 256, microseconds per evaluation (Figure 4)
#              e50:    evaluations to success of all complexes, by score and RMSD, in blocks of 64 (Figures 1 and 3);
#                      e50-128, e50-256: in larger blocks
#              e50-half: the 24 complexes of at most 11 torsions, four strategies, with the kernels of -b: those of
#                      build/variants/unguarded/bin and its like show why half precision costs evaluations in
#                      AutoDock-GPU (variants.sh)
#   -b BIN     folder of berth (build/release/bin)
#   -d DATA    folder with set42 ($BERTH_SHARED/data)
#   -o FOLDER  where to put the files (docs/benchmarks/data)
#   -n NAME    their suffix: reductions-7cpa-NAME.json ... (DEVICE without :)
#   -l SECONDS for each part; what is not done by then is left out (e50: run again with the same folder to continue)
#
# Exit code 0: everything was valid and written.
set -uo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." || exit 1
. bench/scripts/gpf.sh
. bench/scripts/options.sh

[ ${#rest[@]} -ge 2 ] || { echo "$script: give DEVICE and PART; see -h" >&2; exit 2; }
device=${rest[0]}
measure_in "$device"
cd "$work" || exit 1

reductions() { # COMPLEX FILE OPTION...
  local complex=$1 file=$2
  shift 2
  make_maps "$data/set42" "$complex" || return 1
  berth bench reductions -m "$complex/protein.maps.fld" -l "$complex/rand-0.pdbqt" \
    --reference "$complex/flex-xray.pdbqt" --device "$device" "$@" --json-file "$file"
}

# Like reductions, into $out; the command in the file has no path of this machine.
kept_reductions() { # COMPLEX FILE OPTION...
  reductions "$@" && cp "$2" "$out" || failed=1
}

part_errors() {
  kept_reductions 7cpa "reductions-7cpa-$name.json" --evals 2500000 --repeats 3
}

part_baseline() {
  kept_reductions 7cpa "baseline-$name.json" --reduction two-step-ec --evals 2500000 --repeats 3
}

part_table3() { # REDUCTION...
  local reduction
  for reduction; do
    kept_reductions 7cpa "table3-$reduction-$name.json" --team 64 --reduction "$reduction" --evals 2500000 --repeats 90
  done
}

part_set() {
  local end=$((SECONDS + limit)) folder complex reduction
  mkdir -p set
  for folder in "$data"/set42/*/; do
    complex=$(basename "$folder")
    for reduction in two-step-ec tensor-ec; do
      [ $SECONDS -lt $end ] || break 2
      reductions "$complex" "set/$complex-$reduction.json" --reduction $reduction --evals 100000 --repeats 2 >/dev/null || failed=1
    done
  done
  python3 - "$out/reductions-set-$name.json" set/*.json <<'END' || failed=1
import json, os, sys
parts = []
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as stream:
        parts.append({"complex": os.path.basename(path)[:4], **json.load(stream)})
merged = {key: parts[0][key] for key in parts[0] if key not in ("rows", "complex", "ligand", "atoms", "torsions", "pairs", "bodies")}
merged["valid"] = all(part["valid"] for part in parts)
merged["complexes"] = parts
with open(sys.argv[1], "w", encoding="utf-8") as stream:
    json.dump(merged, stream, indent=1)
    stream.write("\n")
END
}

# part_e50 TEAM FILE [OPTION...]: ADADELTA and the papers' population, all strategies or those of $reductions
part_e50() {
  local common="device=$device,team=$1,local-search=adadelta,population=150" words=() reduction
  for reduction in ${reductions:-simt tensor-ec tensor-fp16 two-step-ec two-step-fp16}; do
    words+=("$reduction:$common,reduction=$reduction")
  done
  mkdir -p "$out/$2-state-$name"
  ln -sfn "$data/set42" set42 # so that the command in the file has no path of this machine
  ln -sfn "$out/$2-state-$name" "$2-state"
  timeout "$limit" berth bench e50 --set set42 -o "$2-state" --runs 50 --evals 1M --enough 0.75 "${@:3}" \
    --config "${words[@]}" --json-file "$2-$name.json" --plot "$2-$name.svg" || failed=1
  cp "$2-$name.json" "$2-$name.svg" "$out" || failed=1
}

for part in "${rest[@]:1}"; do
  case $part in
    errors | baseline | set) part_$part ;;
    table3) part_table3 tensor-ec two-step-ec ;;
    table3-*) part_table3 "${part#table3-}" ;;
    e50) part_e50 64 e50-tensor ;;
    e50-half) reductions="simt tensor-fp16 two-step-ec two-step-fp16" part_e50 64 e50-half --only \
      1ac8,1gkc,1ig3,1jla,1k3u,1kzk,1lpz,1lrh,1m2z,1nav,1of6,1opk,1p2y,1p62,1t40,1t46,1y6b,1yqy,1yv3,1ywr,2bm2,2brt,2bsm,2wbg ;;
    e50-128 | e50-256) part_e50 "${part#e50-}" "e50-tensor-${part#e50-}" ;;
    *) echo "$script: no part '$part'; see -h" >&2; exit 2 ;;
  esac
done
exit $failed
