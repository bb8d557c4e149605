#!/usr/bin/env bash
# Instructions per evaluation of the two hot kernels, counted by callgrind: the difference of a long and a short run.
#
# Usage: bench/scripts/instructions.sh KERNEL_LOOP MAPS.fld LIGAND.pdbqt [DEVICE]    (valgrind 3.19: AVX2, not AVX-512)
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 1; }
loop=$1 fld=$2 ligand=$3 device=${4:-cpu/avx2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count() { # KIND REPEATS
  valgrind --tool=callgrind --callgrind-out-file="$work/out" "$loop" "$fld" "$ligand" "$1" "$2" "$device" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
  sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/log"
}

for kind in energy gradient; do
  short=$(count $kind 2) long=$(count $kind 12)
  echo "$device $kind: $(((long - short) / 640)) instructions per evaluation"
done
