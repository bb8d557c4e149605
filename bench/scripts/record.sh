#!/usr/bin/env bash
# Measures one device and writes the JSON from which bench/scripts/docs.py makes tables. Run it on an otherwise idle
# machine.
#
# Usage: bench/scripts/record.sh [-b BIN] [-d DATA] [-o FOLDER] [-n NAME] [DEVICE]
#
#   DEVICE     as in `berth devices` (cpu: the best instructions of this processor)
#   -b BIN     folder of berth (build/release/bin)
#   -d DATA    folder with set42, screen_def and bude ($BERTH_SHARED/data)
#   -o FOLDER  where to put the files (docs/benchmarks/data)
#   -n NAME    their suffix: evals-7cpa-NAME.json ... (DEVICE without :)
#
# Exit code 0: everything was valid and written.
set -uo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." || exit 1
. bench/scripts/gpf.sh
. bench/scripts/options.sh

device=${rest[0]:-cpu}
measure_in "$device"

# record FILE COMMAND...
record() {
  local file=$1
  shift
  echo "$file: $*"
  if "$@" --json-file "$file-$name.json"; then
    cp "$file-$name.json" "$out" || failed=1
  else
    failed=1
  fi
}

cd "$work" || exit 1
cases=()
for complex in 1ac8 7cpa 3er5 1jla; do
  make_maps "$data/set42" "$complex" || exit 1
done
for complex in 1ac8 7cpa 3er5; do cases+=(--case "$complex=$complex/protein.maps.fld:$complex/rand-0.pdbqt"); done

for complex in 7cpa 1jla 1ac8; do
  record "evals-$complex" berth bench evals -r "$complex/protein.maps.fld" -l "$complex/rand-0.pdbqt" --device "$device"
done
for complex in 7cpa 3er5 1ac8; do
  record "reductions-$complex" berth bench reductions -m "$complex/protein.maps.fld" -l "$complex/rand-0.pdbqt" --device "$device"
done
case $device in
  cpu*)
    # all devices of this machine, the slowest of which has a thousandth of the speed of a GPU
    record portability berth bench portability -q "${cases[@]}" --evaluations 50k
    if command -v autogrid4 >/dev/null; then
      for complex in 1ac8 7cpa; do
        mkdir -p autogrid/$complex && cp -L $complex/protein.gpf $complex/protein.pdbqt autogrid/$complex
        (cd autogrid/$complex && autogrid4 -p protein.gpf -l protein.glg) || exit 1
        record grid-$complex berth bench grid -m autogrid/$complex/protein.maps.fld -r autogrid/$complex/protein.pdbqt
      done
    else
      echo "bench/scripts/record.sh: no autogrid4 (Debian package autogrid): maps are not compared"
    fi
    limit=100 alone=(-t 1)
    ;;
  *)
    record portability berth bench portability -q "${cases[@]}" --device "$device"
    record mappings berth bench mappings -q "${cases[@]}" --device "$device"
    limit=2000 alone=()
    ;;
esac
if [ -e "$data/screen_def" ]; then
  mkdir def && tar -xzf "$data/screen_def/ligands.tar.gz" -C def --strip-components=1 && ln -s "$data/screen_def/receptor.pdbqt" .
  berth grid -q --overwrite -r receptor.pdbqt -l def --center -36.0095,25.6285,67.492 --size 22,22,22 -o def/def || exit 1
  record screen berth bench screen -q -m def/def.maps.fld -l def --limit $limit --runs 5 --evals 400000 --device "$device"
fi
for deck in bm1 bm2; do
  [ -e "$data/bude/$deck" ] || continue
  ln -s "$data/bude/$deck" .
  case $deck-$device in
    bm1-*) record bude-bm1 berth bench bude -q --deck bm1 --device "$device" --steps --search "${alone[@]}" ;;
    bm2-cpu*) ;; # minutes per iteration
    *) record bude-bm2 berth bench bude -q --deck bm2 --device "$device" --iterations 1 --warm-up 0 ;;
  esac
done
exit $failed
