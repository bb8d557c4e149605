#!/usr/bin/env bash
# All that docs/benchmarks/bude.md shows of one or several devices: validity and speed of both decks, sweep, optimisations
# left out in turn, search.
#
# Usage: bench/scripts/bude.sh BERTH DECKS DEVICE...      (DECKS holds bm1 and bm2; devices as in `berth devices`)
# A figure per line on standard output; whole JSON objects go to $OUT, if that is set.
set -uo pipefail
[ $# -ge 3 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 1; }
berth=$1 decks=$2
shift 2
for device in "$@"; do
  echo "== $device"
  "$berth" bench bude --deck "$decks/bm1" --device "$device" --iterations 20 --warm-up 5 --search --quiet
  "$berth" bench bude --deck "$decks/bm2" --device "$device" --iterations 1 --warm-up 0 --quiet
  "$berth" bench bude --deck "$decks/bm1" --device "$device" --steps --quiet
  "$berth" bench bude --deck "$decks/bm1" --device "$device" --sweep --quiet | sed '1,7d'
  if [ -n "${OUT:-}" ]; then
    "$berth" bench bude --deck "$decks/bm1" --device "$device" --sweep --steps --search --quiet --json >"$OUT/bude-${device//[:\/]/-}.json"
  fi
done
