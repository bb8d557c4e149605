# options.sh - the options shared by scripts of this folder; sourced with their arguments, in the top folder.
#
# Sets bin, data, out, name, limit and uncached from -b, -d, -o, -n, -l and -u, and rest to the other arguments. -h and
# unknown options print the script's header comment. A script may set usual_bin and usual_limit before.

bin=${usual_bin:-build/release/bin} limit=${usual_limit:-100000}
data=${BERTH_SHARED:-../shared}/data out=docs/benchmarks/data name='' uncached=''
script=bench/scripts/$(basename "$0")
while getopts b:d:o:n:l:u:h option; do
  case $option in
    b) bin=$OPTARG ;;
    d) data=$OPTARG ;;
    o) out=$OPTARG ;;
    n) name=$OPTARG ;;
    l) limit=$OPTARG ;;
    u) uncached=$OPTARG ;;
    *) sed -n '2,/^set/{s/^# \{0,1\}//p}' "$script"; exit 0 ;;
  esac
done
shift $((OPTIND - 1))
rest=("$@")

# measure_in NAME: files get this suffix unless -n was given; works in a new folder that is removed at the end
measure_in() {
  name=${name:-${1//[:\/]/-}}
  mkdir -p "$out" || exit 1
  bin=$(readlink -f "$bin") data=$(readlink -f "$data") out=$(readlink -f "$out")
  local file
  for file in "$bin/berth" "$data/set42/7cpa/protein.pdbqt"; do
    [ -e "$file" ] || { echo "$script: no $file; see -h" >&2; exit 77; }
  done
  work=$(mktemp -d "${TMPDIR:-/tmp}/berth-bench-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  PATH=$bin:$PATH # so that the files name the command as a user types it
  failed=0
}
