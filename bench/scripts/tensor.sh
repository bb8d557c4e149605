#!/usr/bin/env bash
# The experiments of the paper on tensor-core reductions (docs/papers.md), on one GPU; leaves the JSON for docs.py.
#
# Usage: bench/scripts/tensor.sh [-b BIN] [-d DATA] [-o FOLDER] [-n NAME] [-l SECONDS] DEVICE PART...
#
#   PART       errors: 7cpa, all strategies, errors and dockings (Tables 3 to 5)
#              table3: 7cpa, blocks of 64, 100 dockings (Table 3)
#              set:    all complexes, blocks of 64, 128 and 256, microseconds per evaluation (Figure 4)
#              e50:    evaluations to success of all complexes, by score and RMSD (Figures 1 and 3)
#   -b BIN     folder of berth (build/release/bin)
#   -d DATA    folder with set42 ($BERTH_SHARED/data)
#   -o FOLDER  where to put the files (docs/benchmarks/data)
#   -n NAME    their ending: reductions-7cpa-NAME.json ... (DEVICE without :)
#   -l SECONDS for each part; what is not done by then is left out (e50: run it again with the same folder)
#
# Exit code 0: everything was valid and written.
set -uo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." || exit 1
. bench/scripts/gpf.sh

bin=build/release/bin data=${BERTH_SHARED:-../shared}/data out=docs/benchmarks/data name= limit=100000
while getopts b:d:o:n:l:h option; do
  case $option in
    b) bin=$OPTARG ;;
    d) data=$OPTARG ;;
    o) out=$OPTARG ;;
    n) name=$OPTARG ;;
    l) limit=$OPTARG ;;
    *) sed -n '2,/^set/{s/^# \{0,1\}//p}' bench/scripts/tensor.sh; exit 0 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || { echo "bench/scripts/tensor.sh: give DEVICE and PART; see -h" >&2; exit 2; }
device=$1 name=${name:-${1//[:\/]/-}}
shift
mkdir -p "$out" || exit 1
bin=$(readlink -f "$bin") data=$(readlink -f "$data") out=$(readlink -f "$out")
for file in "$bin/berth" "$data/set42/7cpa/protein.pdbqt"; do
  [ -e "$file" ] || { echo "bench/scripts/tensor.sh: no $file; see -h" >&2; exit 77; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/berth-tensor-XXXXXX")
trap 'rm -rf "$work"' EXIT
PATH=$bin:$PATH # so that the files name the command as a user types it
failed=0
cd "$work" || exit 1

maps() {
  [ -e "$1/protein.maps.fld" ] && return
  mkdir -p "$1"
  ln -sf "$data/set42/$1/protein.pdbqt" "$data/set42/$1/rand-0.pdbqt" "$data/set42/$1/flex-xray.pdbqt" "$1"
  make_gpf "$data/set42/$1" >"$1/protein.gpf"
  (cd "$1" && berth-autogrid -p protein.gpf -l protein.glg >/dev/null)
}

reductions() { # COMPLEX FILE OPTION...
  local complex=$1 file=$2
  shift 2
  maps "$complex" && berth bench reductions -m "$complex/protein.maps.fld" -l "$complex/rand-0.pdbqt" \
    --reference "$complex/flex-xray.pdbqt" --device "$device" "$@" --json-file "$file"
}

part_errors() {
  reductions 7cpa "$out/reductions-7cpa-$name.json" --evals 300000 --repeats 3 || failed=1
}

part_table3() {
  local reduction
  for reduction in tensor-ec two-step-ec; do
    reductions 7cpa "$out/table3-$reduction-$name.json" --team 64 --reduction $reduction --evals 100000 --repeats 100 || failed=1
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

# ADADELTA and the papers' population, in blocks of 64.
part_e50() {
  local common="device=$device,team=64,local-search=adadelta,population=150" words=() reduction
  for reduction in simt tensor-ec tensor-fp16 two-step-ec two-step-fp16; do
    words+=("$reduction:$common,reduction=$reduction")
  done
  mkdir -p "$out/e50-state-$name"
  timeout "$limit" berth bench e50 --set "$data/set42" -o "$out/e50-state-$name" --runs 50 --evals 1M --enough 0.75 \
    --config "${words[@]}" --json-file "$out/e50-tensor-$name.json" --plot "$out/e50-tensor-$name.svg" || failed=1
}

for part; do
  case $part in
    errors | table3 | set | e50) part_$part ;;
    *) echo "bench/scripts/tensor.sh: no part '$part'; see -h" >&2; exit 2 ;;
  esac
done
exit $failed
