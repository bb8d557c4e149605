#!/usr/bin/env bash
# The GPU experiments of the papers on miniMDock, AutoDock-GPU in OpenCL, the GA on CUDA, and BUDE (docs/papers.md);
# writes the JSON for docs.py. Those of the paper on tensor cores are in bench/scripts/tensor.sh.
#
# Usage: bench/scripts/papers.sh [-b BIN] [-u UNCACHED] [-d DATA] [-o FOLDER] [-n NAME] DEVICE PART...
#
#   PART       mappings:    1yv3, 7cpa, 3er5, lanes per pose, Solis-Wets and ADADELTA, 100 runs
#              population:  7cpa, energies and operators only, 50 to 5,760 individuals, one run
#              portability: the same three, all devices of the machine, ten repeats
#              groups:      the three in shorter dockings: lanes per pose through OpenCL on a processor; an hour at most
#              openmp:      the same through OpenMP target regions (DEVICE omp-target:0), on the host without a GPU
#              offload:     the three at the load of portability through CUDA, OpenCL and OpenMP on the same GPU; which
#                           compiler's OpenMP, BERTH_OMPTARGET_LIBRARY says
#              bude:        bm1, optimizations switched off in turn, and a search of 128 conformations; then cumulative:
#              cumulative:  bm1 through OpenCL, optimizations added one by one
#   -b BIN     folder of berth (build/release/bin)
#   -u UNCACHED  folder of berth as built by `variants.sh build uncached` (CUDA, HIP): population also has blocks that
#              keep nothing in local memory
#   -d DATA    folder with set42 and bude ($BERTH_SHARED/data)
#   -o FOLDER  where to put the files (docs/benchmarks/data)
#   -n NAME    their suffix: mappings-solis-wets-NAME.json ... (DEVICE without :)
#
# Exit code 0: everything was valid and written.
set -uo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." || exit 1
. bench/scripts/gpf.sh
. bench/scripts/options.sh

[ ${#rest[@]} -ge 2 ] || { echo "$script: give DEVICE and PART; see -h" >&2; exit 2; }
device=${rest[0]}
if [ -n "$uncached" ]; then
  case $device in
    cuda* | hip*) ;;
    *) echo "$script: -u: blocks of $device keep poses in local memory in every build; use CUDA or HIP" >&2; exit 2 ;;
  esac
  uncached=$(readlink -f "$uncached")
  [ -x "$uncached/berth" ] || { echo "$script: no $uncached/berth; see -h" >&2; exit 77; }
fi
measure_in "$device"
cases=()
cd "$work" || exit 1

for complex in 1yv3 7cpa 3er5; do
  make_maps "$data/set42" "$complex" || exit 1
  cases+=(--case "$complex=$complex/protein.maps.fld:$complex/rand-0.pdbqt")
done

keep() { [ ! -e "$1" ] || cp "$1" "$out"; } # so that the command in the file has no path of this machine

part_mappings() {
  local search
  for search in solis-wets adadelta; do
    berth bench mappings -q --device "$device" --local-search $search --runs 100 -p 150 --evaluations 60k --repeats 3 \
      "${cases[@]}" --json-file mappings-$search-"$name".json || failed=1
    keep mappings-$search-"$name".json
  done
}

# short_mappings NAME: short dockings with every number of lanes per pose. Teams of many lanes are slow on a processor,
# where PoCL also compiles each size anew, for half a minute and more. A docking is left out where it would take a
# minute, all together end after an hour, and every row is told.
short_mappings() {
  timeout 3600 berth bench mappings --device "$device" --local-search solis-wets --runs 8 -p 50 --evaluations 5k \
    --repeats 3 --most-seconds 60 "${cases[@]}" --json-file "$1-$name".json || failed=1
  keep "$1-$name".json
}

part_groups() { short_mappings groups-solis-wets; }

part_openmp() { BERTH_OMPTARGET_ALLOW_HOST=1 short_mappings openmp-solis-wets; }

# populations VARIANT BERTH: a thread, teams and blocks per individual
populations() {
  local size
  for size in 50 100 150 200 300 500 1000 2000 5760; do
    "$2" bench mappings -q --device "$device" --local-search none --runs 1 -p $size --evaluations 300k --repeats 3 \
      "${cases[@]:2:2}" --json-file population-"$1"-$size.json >/dev/null || failed=1
  done
}

part_population() {
  populations cached berth
  [ -z "$uncached" ] || populations uncached "$uncached/berth"
  python3 - population-"$name".json population-*cached-*.json <<'END' || failed=1
import json, sys
parts = [(path.split("-")[1], json.load(open(path, encoding="utf-8"))) for path in sys.argv[2:]]
parts.sort(key=lambda part: (part[0], part[1]["population"]))
for variant, part in parts:
    if ("BT_STUDY_UNCACHED=1" in part["compiler"]) != (variant == "uncached"):
        sys.exit(f"bench/scripts/papers.sh: the build for {variant} blocks is another: {part['compiler']}; see -u")
first = parts[0][1]
merged = {key: first[key] for key in first if key not in ("rows", "population", "command")}
merged["command"] = "bench/scripts/papers.sh DEVICE population"
merged["valid"] = all(part["valid"] for _, part in parts)
merged["rows"] = [{"variant": variant, "population": part["population"], **row} for variant, part in parts
                  for row in part["rows"]]
with open(sys.argv[1], "w", encoding="utf-8") as stream:
    json.dump(merged, stream, indent=1)
    stream.write("\n")
END
  keep population-"$name".json
}

part_portability() {
  local search
  for search in solis-wets adadelta; do
    berth bench portability -q --device all --local-search $search --runs 20 -p 150 --evaluations 60k --repeats 10 \
      "${cases[@]}" --json-file portability-$search-"$name".json || failed=1
    keep portability-$search-"$name".json
  done
}

part_offload() {
  local search
  for search in solis-wets adadelta; do
    berth bench portability -q --device "$device,${device/cuda/opencl},${device/cuda/omp-target}" \
      --local-search $search --runs 20 -p 150 --evaluations 60k --repeats 3 --most-seconds 20 "${cases[@]}" \
      --json-file offload-$search-"$name".json || failed=1
    keep offload-$search-"$name".json
  done
}

part_bude() {
  ln -sfn "$data/bude/bm1" bm1
  berth bench bude -q --deck bm1 --device "$device" --steps --search --conformations 128 \
    --json-file bude-bm1-"$name".json || failed=1
  keep bude-bm1-"$name".json
  part_cumulative
}

# Each row adds one optimization to those above it; all these kernels exist only where they are compiled at run time,
# hence OpenCL on a CUDA device.
part_cumulative() {
  ln -sfn "$data/bude/bm1" bm1
  local order=(select table runs kinds square fast soa local constants parts tuning) k words
  for ((k = 0; k <= ${#order[@]}; k++)); do
    words=("${order[@]:k}")
    [ ${#words[@]} = 0 ] || { unset 'words[-1]' && words=(${words[0]:+--without "${words[@]}"} --poses-per-item 8); }
    berth bench bude -q --deck bm1 --device "${device/cuda/opencl}" "${words[@]}" \
      --json-file cumulative-$((100 + k)).json >/dev/null || failed=1
  done
  python3 - bude-cumulative-"$name".json "nothing ${order[*]}" cumulative-1*.json <<'END' || failed=1
import json, sys
parts = [json.load(open(path, encoding="utf-8")) for path in sys.argv[3:]]
merged = {key: parts[0][key] for key in parts[0] if key not in ("rows", "command")}
merged["command"] = "bench/scripts/papers.sh DEVICE cumulative"
merged["valid"] = all(part["valid"] for part in parts)
merged["rows"] = [{"with": word, **next(row for row in part["rows"] if row["kind"] == "main")}
                  for word, part in zip(sys.argv[2].split(), parts)]
with open(sys.argv[1], "w", encoding="utf-8") as stream:
    json.dump(merged, stream, indent=1)
    stream.write("\n")
END
  keep bude-cumulative-"$name".json
}

for part in "${rest[@]:1}"; do
  case $part in
    mappings | groups | openmp | offload | population | portability | bude | cumulative) part_$part ;;
    *) echo "$script: no part '$part'; see -h" >&2; exit 2 ;;
  esac
done
exit $failed
