#!/usr/bin/env bash
# Affinity maps: speed-up over autogrid4 on one core, for the whole command with its file access.
#
# Usage: bench/scripts/maps.sh [-b BIN] [-n PAIRS] [-d DATA] [-o FILE.json] [COMPLEX...]
#
#   -b BIN    folder of berth-autogrid (build/release/bin)
#   -n PAIRS  runs of each program, alternating (5)
#   -d DATA   folder of complexes, each with protein.pdbqt, protein.maps.fld and flex-xray.pdbqt ($BERTH_SHARED/data/set42)
#   -o FILE   where to write the figures as well, for bench/scripts/docs.py
#
# Both programs get the same .gpf (the box of the .fld, all atom types of the ligand) and run pinned to the same core,
# A B A B ..., so that a busy machine slows both. The ratio of processor times (user and system) is taken for each pair
# of consecutive runs; their median is reported. Results are valid only if every value of every map agrees with
# autogrid4's within 0.002 kcal/mol or 0.1 %.
set -uo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." || exit 1

bin=build/release/bin pairs=5 data=${BERTH_SHARED:-../shared}/data/set42 out=''
while getopts b:n:d:o:h option; do
  case $option in
    b) bin=$OPTARG ;;
    n) pairs=$OPTARG ;;
    d) data=$OPTARG ;;
    o) out=$(readlink -f "$(dirname "$OPTARG")")/$(basename "$OPTARG") ;;
    *) sed -n '2,/^set/{s/^# \{0,1\}//p}' bench/scripts/maps.sh; exit 0 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- 7cpa 1m2z 1of6 3er5
command -v autogrid4 >/dev/null || { echo "bench/scripts/maps.sh: autogrid4 is not installed (Debian package autogrid)" >&2; exit 77; }
[ -x "$bin/berth-autogrid" ] || { echo "bench/scripts/maps.sh: no $bin/berth-autogrid; build first, or give -b" >&2; exit 1; }
[ -d "$data" ] || { echo "bench/scripts/maps.sh: no $data; give -d" >&2; exit 77; }
berth=$(readlink -f "$bin/berth-autogrid")
core=$(taskset -cp $$ | sed 's/.*[ ,-]//')
work=$(mktemp -d "${TMPDIR:-/tmp}/berth-bench-XXXXXX")
trap 'rm -rf "$work"' EXIT

. bench/scripts/gpf.sh

# run_once NAME COMMAND...: processor seconds and wall-clock seconds of one run in a fresh folder.
run_once() {
  local folder=$work/$1 TIMEFORMAT='%U %S %R'
  shift
  rm -rf "$folder" && mkdir "$folder" && cp "$work"/input/* "$folder" && cd "$folder" || exit 1
  { time taskset -c "$core" "$@" >/dev/null 2>log; } 2>&1 | awk '{ print $1 + $2, $3 }'
  grep -q ' Successful Completion' protein.glg || { echo "bench/scripts/maps.sh: $1 failed" >&2; exit 1; }
}

# compare: number of values, and of those beyond the tolerance, over all maps of both folders.
compare() {
  for map in "$work"/autogrid/*.map; do
    paste <(tail -n +7 "$map") <(tail -n +7 "$work/berth/${map##*/}")
  done | awk '{ d = $1 > $2 ? $1 - $2 : $2 - $1; m = $1 < 0 ? -$1 : $1; t = m > 2 ? 0.001 * m : 0.002
                if (d > t + 1e-9 || NF != 2) bad++ } END { print NR, bad + 0 }'
}

cache=$(dirname "$(dirname "$berth")")/CMakeCache.txt
setting() { sed -n "s/^$1:[^=]*=//p" "$cache" 2>/dev/null | head -n 1; }
compiler=$(setting CMAKE_C_COMPILER)
echo "commit   $(git describe --always --dirty 2>/dev/null || echo unknown)"
echo "compiler $("${compiler:-cc}" --version | head -n 1), flags $(setting CMAKE_C_FLAGS) $(setting CMAKE_C_FLAGS_RELEASE)"
echo "cpu      $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), core $core, load $(cut -d' ' -f1 /proc/loadavg)"
echo "oracle   $(autogrid4 --version | head -n 1), $(dpkg-query -W -f '${Version}' autogrid 2>/dev/null)"
printf '%-8s %7s %8s %5s  %9s %9s %7s %16s %7s  %s\n' complex atoms points maps autogrid4 berth ratio '(range)' wall valid
status=0
for name in "$@"; do
  mkdir -p "$work/input" && cp "$data/$name/protein.pdbqt" "$work/input/" && make_gpf "$data/$name" >"$work/input/protein.gpf"
  (run_once berth "$berth" -p protein.gpf -l protein.glg -t 1) >/dev/null # warm up
  : >"$work/times"
  for ((i = 0; i < pairs; i++)); do
    a=$(run_once autogrid autogrid4 -p protein.gpf -l protein.glg) || exit 1
    b=$(run_once berth "$berth" -p protein.gpf -l protein.glg -t 1) || exit 1
    echo "$a $b" >>"$work/times"
  done
  read -r values bad < <(compare)
  valid="yes, 0 of $values values beyond the tolerance"
  [ "$bad" -eq 0 ] || { valid="NO, $bad of $values values beyond the tolerance" status=1; }
  column() { awk "$1" "$work/times" | sort -g; }
  median() { column "$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
  atoms=$(grep -cE '^(ATOM|HETATM)' "$work/input/protein.pdbqt")
  points=$(awk '/^npts/ { print ($2 + 1) * ($3 + 1) * ($4 + 1) }' "$work/input/protein.gpf")
  maps=$(find "$work/berth" -name '*.map' | wc -l)
  echo "$name $atoms $points $maps $values $bad $(tr '\n' ' ' <"$work/times")" >>"$work/rows"
  if [ "$bad" -eq 0 ]; then
    printf '%-8s %7d %8d %5d  %7.2f s %7.3f s %7.1f %16s %7.1f  %s\n' "$name" \
      "$atoms" "$points" "$maps" "$(median '{print $1}')" "$(median '{print $3}')" \
      "$(median '{print $1 / $3}')" \
      "$(column '{print $1 / $3}' | awk 'NR == 1 { low = $1 } { high = $1 } END { printf "(%.1f-%.1f)", low, high }')" \
      "$(median '{print $2 / $4}')" "$valid"
  else
    printf '%-8s %s\n' "$name" "$valid"
  fi
  rm -rf "$work/input"
done
[ -z "$out" ] || python3 - "$out" "$work/rows" "$bin" "$pairs" "$*" <<'PYTHON' || status=1
import os, sys
sys.path.insert(0, "bench/scripts")
import measured
out, path, folder, pairs, complexes = sys.argv[1:]
keys, rows = ("autogrid4_seconds", "autogrid4_wall", "seconds", "wall"), []
with open(path, encoding="utf-8") as stream:
    for line in stream:
        name, *words = line.split()
        atoms, points, maps, values, beyond = map(int, words[:5])
        times = list(map(float, words[5:]))
        rows.append({"complex": name, "atoms": atoms, "points": points, "maps": maps, "values": values, "beyond": beyond,
                     "runs": [dict(zip(keys, times[k:k + 4])) for k in range(0, len(times), 4)]})
command = f"bench/scripts/maps.sh -n {pairs} -o {os.path.basename(out)} {complexes}"
measured.write(out, {**measured.provenance(f"{folder}/berth", "maps-speed", command), "reference": "AutoGrid 4.2.6",
                     "valid": all(row["beyond"] == 0 for row in rows), "rows": rows})
PYTHON
exit $status
