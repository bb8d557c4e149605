# common.sh - functions shared by the scripts of this folder, which source it after `cd` to the top of the source tree.

# Never prompt: no terminal is assumed, and stdin is empty.
exec </dev/null
export DEBIAN_FRONTEND=noninteractive

say() { printf '%s\n' "$*"; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

jobs() { nproc 2>/dev/null || echo 2; }

# usage SCRIPT: prints the comment that opens a script.
usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$1"; }

# Stages: `stages NAME...` announces them, `stage NAME` begins the next one, `stages_end` prints the time of each.
stage_names=() stage_times=() stage_index=0 stage_start=$SECONDS
stages() {
  stage_names=("$@") stage_times=() stage_index=0
  say "Stages: $(printf '%s, ' "$@" | sed 's/, $//')"
}
stage_close() {
  [ $stage_index -eq 0 ] || stage_times+=("$(printf '%5d s  %s' $((SECONDS - stage_start)) "${stage_names[stage_index - 1]}")")
  stage_start=$SECONDS
}
stage() {
  stage_close
  stage_names[stage_index]=$1
  stage_index=$((stage_index + 1))
  say ""
  say "== $stage_index of ${#stage_names[@]}: $1 ($SECONDS s so far)"
}
stages_end() {
  stage_close
  say ""
  say "Time by stage ($(jobs) cores)"
  printf '  %s\n' "${stage_times[@]}"
  printf '  %5d s  in all\n' "$SECONDS"
}

# Progress of a command, from its log. Each prints one line, or nothing.
ninja_progress() { # ninja counts its check of globbed folders as a step of another total
  grep -a -v 'Re-checking globbed' "$1" | grep -oE '^\[[0-9]+/[0-9]+\]' | tail -n 1 | sed -E 's|\[(.*)/(.*)\]|compiled \1 of \2|'
}
ctest_progress() {
  grep -aE '^( *[0-9]+/[0-9]+ Test| +Start )' "$1" | awk '
    $1 == "Start" { running[$3] = 1; next }
    { split($1, part, "/"); done = part[1]; all = part[2]; for (i = 1; i < NF; i++) if ($i ~ /^#/) delete running[$(i + 1)] }
    END { for (name in running) names = names " " name; print done + 0 " of " (all ? all : "?") " tests done; running:" names }'
}
apt_progress() {
  awk '/newly installed/ { for (i = 2; i <= NF; i++) if ($i == "newly") all = $(i - 1) }
    /newly installed/ { got = 0 } # earlier lines were lists of packages
    /^Get:/ { got++ } /^Unpacking / { unpacked++ } /^Setting up / { ready++ }
    END { printf "%d of %s packages downloaded, %d unpacked, %d set up\n", got, all ? all : "?", unpacked, ready }' "$1"
}
last_line() { tail -c 300 "$1" | tr '\r' '\n' | grep -a . | tail -n 1 | cut -c1-110; }

# heartbeat PROGRESS LOG: in the background, a line about LOG whenever 15 seconds have passed in which no line was shown.
# shown=1: LOG itself is on the screen, so a line is needed only if nothing was added to it. Ends with the script.
heartbeat_pid=
heartbeat() {
  local progress=$1 log=$2 shown=${3:-0}
  (
    trap - EXIT
    quiet=0 size=0 begin=$SECONDS line=
    while kill -0 $$ 2>/dev/null; do
      sleep 1
      quiet=$((quiet + 1)) now=$(stat -c %s "$log" 2>/dev/null || echo 0)
      if [ "$shown" = 1 ] && [ "$now" != "$size" ]; then quiet=0; fi
      size=$now
      [ $quiet -ge 15 ] || continue
      quiet=0
      line=$($progress "$log") || true
      say "   ... ${line:-nothing finished yet} ($((SECONDS - begin)) s)"
    done
  ) &
  heartbeat_pid=$!
}
heartbeat_end() {
  [ -n "$heartbeat_pid" ] || return 0
  { kill "$heartbeat_pid" && wait "$heartbeat_pid"; } 2>/dev/null || true
  heartbeat_pid=
}

# quietly PROGRESS LOG COMMAND...: runs it with its output in LOG, and reports progress now and then.
quietly() {
  local progress=$1 log=$2 status=0
  shift 2
  : >>"$log"
  heartbeat "$progress" "$log"
  "$@" >>"$log" 2>&1 || status=$?
  heartbeat_end
  return $status
}

# build PRESET [CMAKE OPTION...]: configures and builds; the compilers' output is shown only if that fails.
# build_targets=(NAME...) builds only these.
build_targets=()
build() {
  local preset=$1 log
  shift
  log=$(mktemp)
  if quietly last_line "$log" cmake --preset "$preset" "$@" &&
    quietly ninja_progress "$log" cmake --build --preset "$preset" --parallel "$(jobs)" \
      ${build_targets[@]+--target "${build_targets[@]}"}; then
    say "   $(ninja_progress "$log" | grep . || echo 'nothing to compile')"
    rm -f "$log"
    return 0
  fi
  cat "$log"
  rm -f "$log"
  printf '%s: the build of preset %s failed (see above)\n' "$(basename "$0")" "$preset" >&2
  return 1
}
