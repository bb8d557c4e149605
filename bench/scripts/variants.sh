#!/usr/bin/env bash
# Variants of the kernels, for docs/papers.md: each is a build of its own (src/kernel/lga/study/study.h), and all dock the
# same ligands in turn.
#
# Usage: bench/scripts/variants.sh [-b BUILDS] build VARIANT... [-- CMAKE OPTION...]
#        bench/scripts/variants.sh [-b BUILDS] [-d DATA] [-o FOLDER] [-n NAME] [-l ROUNDS] DEVICE STUDY...
#
#   VARIANT    standard, separate, uncached, registers-64, -80, -168, -255 (register limit per work-item on CUDA), lto;
#              repeats: repeats a part of every generation (phases.py --populations);
#              unguarded, unguarded-outside, unguarded-uncorrected: for E50 of sums in half precision (tensor.sh
#              e50-half), with -- -DBERTH_WITH_STUDIES=ON "-DBERTH_ONLY_IMAGES=^lga:64:1:[1256]";
#              unfenced: `sequential` sums without AutoDock-GPU's fences (tensor.sh baseline), likewise with the images
#              ^lga:(64|128|256):1:
#   STUDY      separate:  energy and gradient from one evaluation, and from two
#              uncached:  blocks that keep poses and tables in local memory, and blocks that do not (CUDA)
#              registers: limits of registers (CUDA; standard has 128)
#              lto:       link-time optimization of the program
#   -b BUILDS  folder with a build of each variant (build/variants)
#   -d DATA    folder with set42 ($BERTH_SHARED/data)
#   -o FOLDER  where to put the files (docs/benchmarks/data)
#   -n NAME    their suffix: variants-separate-NAME.json ... (DEVICE without :)
#   -l ROUNDS  rounds in which each variant is run (3)
#
# Exit code 0: everything was valid and written.
set -uo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." || exit 1
. bench/scripts/gpf.sh
usual_bin=build/variants usual_limit=3
. bench/scripts/options.sh

declare -A definitions=([separate]=BT_STUDY_SEPARATE=1 [uncached]=BT_STUDY_UNCACHED=1 [registers-64]=BT_WARPS=32
  [registers-80]=BT_WARPS=24 [registers-168]=BT_WARPS=12 [registers-255]=BT_WARPS=8 [standard]='' [lto]=''
  [repeats]=BT_STUDY_REPEATS=1
  [unguarded]=BT_STUDY_UNGUARDED=1 [unguarded-outside]=BT_STUDY_UNGUARDED=2
  [unfenced]=BT_STUDY_UNFENCED=1 [unguarded-uncorrected]='BT_STUDY_UNGUARDED=1;BT_STUDY_UNCORRECTED=1')
declare -A studies=([separate]="standard separate" [uncached]="standard uncached" [lto]="standard lto"
  [registers]="standard registers-64 registers-80 registers-168 registers-255")
[ ${#rest[@]} -ge 2 ] || { echo "$script: give DEVICE and STUDY, or build and VARIANT; see -h" >&2; exit 2; }

if [ "${rest[0]}" = build ]; then
  variants=() options=()
  for ((k = 1; k < ${#rest[@]}; k++)); do
    [ "${rest[k]}" != -- ] || { options=("${rest[@]:k+1}"); break; }
    [ -n "${definitions[${rest[k]}]+known}" ] || { echo "$script: no variant '${rest[k]}'; see -h" >&2; exit 2; }
    variants+=("${rest[k]}")
  done
  for variant in "${variants[@]}"; do
    lto=OFF
    [ "$variant" != lto ] || lto=ON
    cmake -G Ninja -S . -B "$bin/$variant" -DCMAKE_BUILD_TYPE=Release -DBERTH_WITH_RDKIT=OFF -DBERTH_WITH_GEMMI=OFF \
      -DBERTH_WITH_HIP=OFF -DBERTH_WITH_OMPTARGET=OFF -DBERTH_WITH_STUDIES=OFF -DBERTH_BUILD_TESTS=OFF \
      -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=$lto "-DBERTH_KERNEL_DEFINITIONS=${definitions[$variant]}" \
      ${options[@]+"${options[@]}"} >/dev/null && cmake --build "$bin/$variant" --target bin/berth bin/berth-bench \
      bin/berth-autogrid || exit 1
  done
  exit
fi

device=${rest[0]} builds=$(readlink -f "$bin")
bin=$builds/standard/bin
measure_in "$device"
cd "$work" || exit 1
cases=() complexes="1ac8 7cpa 3er5"
for complex in $complexes; do
  make_maps "$data/set42" "$complex" || exit 1
  cases+=(--case "$complex=$complex/protein.maps.fld:$complex/rand-0.pdbqt")
done

# once STUDY VARIANT ROUND: GPUs with every number of lanes per pose, OpenCL with the automatic choice, a processor on
# one thread in CPU time
once() {
  local berth="$builds/$2/bin/berth" file="$1.$3.$2" complex
  case $device in
    cpu*)
      for complex in $complexes; do
        "$berth" bench evals -r "$complex/protein.maps.fld" -l "$complex/rand-0.pdbqt" --device "$device" --evals 60k \
          -p 150 --json-file "$file.$complex.json" >/dev/null || failed=1
      done ;;
    opencl*) "$berth" bench portability -q --device "$device" --runs 8 --evaluations 30k --repeats 3 -p 150 "${cases[@]}" \
      --local-search adadelta --json-file "$file.all.json" >/dev/null || failed=1 ;;
    *) "$berth" bench mappings -q --device "$device" --runs 40 --evaluations 60k --repeats 3 -p 150 "${cases[@]}" \
      --local-search adadelta --json-file "$file.all.json" >/dev/null || failed=1 ;;
  esac
}

merge() {
  python3 - "$@" <<'PYTHON' || failed=1
import json, sys
target, study, variants, paths = sys.argv[1], sys.argv[2], sys.argv[3].split(), sys.argv[4:]
parts = [(path.split("."), json.load(open(path, encoding="utf-8"))) for path in paths]
kept = ("benchmark", "commit", "compiler", "cpu", "version", "system", "date")
first = next(part for name, part in parts if name[2] == variants[0])
merged = {key: first[key] for key in kept}
merged.update(command=f"bench/scripts/variants.sh DEVICE {study}", valid=all(part["valid"] for _, part in parts),
              variants=variants, compilers={name[2]: part["compiler"] for name, part in parts})

def rows(name, part): # of evals: one, in microseconds
    if "rows" in part:
        return part["rows"]
    return [{"case": name[3], "team": 0, "measured": True, "seconds_min": part["adadelta_us"] / 1e6,
             "evaluations_per_second": 1e6 / part["adadelta_us"],
             **{key: part[key] for key in ("device", "description", "valid", "energy_us", "gradient_us", "adadelta_us")}}]

merged["rows"] = [{"variant": name[2], "round": int(name[1]), "local_search": "ADADELTA", **row}
                  for name, part in sorted(parts, key=lambda item: item[0]) for row in rows(name, part)]
with open(target, "w", encoding="utf-8") as stream:
    json.dump(merged, stream, indent=1)
    stream.write("\n")
PYTHON
  [ ! -e "$1" ] || cp "$1" "$out"
}

for study in "${rest[@]:1}"; do
  [ -n "${studies[$study]+known}" ] || { echo "$script: no study '$study'; see -h" >&2; exit 2; }
  for ((round = 1; round <= limit; round++)); do
    for variant in ${studies[$study]}; do
      once "$study" "$variant" "$round"
    done
  done
  merge "variants-$study-$name.json" "$study" "${studies[$study]}" "$study".*.json
done
exit $failed
