# common.sh - what the scripts of this folder share; sourced by them after `cd` to the top of the source tree.

# Never ask: no terminal is assumed, and whoever reads stdin gets an end of file.
exec </dev/null
export DEBIAN_FRONTEND=noninteractive

say() { printf '%s\n' "$*"; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

jobs() { nproc 2>/dev/null || echo 2; }

# build PRESET [CMAKE OPTION...]: configures and builds, silent unless it fails.
build() {
  local preset=$1 log
  shift
  log=$(mktemp)
  if cmake --preset "$preset" "$@" >"$log" 2>&1 && cmake --build --preset "$preset" --parallel "$(jobs)" >>"$log" 2>&1; then
    rm -f "$log"
    return 0
  fi
  cat "$log"
  rm -f "$log"
  printf '%s: the build of preset %s failed (see above)\n' "$(basename "$0")" "$preset" >&2
  return 1
}

# usage SCRIPT: prints the comment that opens a script.
usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$1"; }
