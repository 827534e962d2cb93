# What the lines of a plan call: a plan prints their commands, anything else runs them. Sourced by deploy.sh.
# shellcheck shell=bash

mode=apply
changes=0
unchanged=0

say() {
  printf '%s\n' "$1"
}

# note TEXT: something to know.
note() {
  printf '#           %s\n' "$1"
}

# same TITLE: nothing is to be done.
same() {
  unchanged=$((unchanged + 1))
  printf '# as it is  %s\n' "$1"
}

# stop STATUS TEXT: nothing more is done.
stop() {
  echo "deploy.sh: $2" >&2
  exit "$1"
}

# change VERB TITLE COMMAND HINT: a step, and what is said beside it if it fails.
change() {
  changes=$((changes + 1))
  printf '# %-9s %s\n' "$1" "$2"
  if [[ $mode == plan ]]; then
    printf '%s\n' "$3"
    return
  fi
  (eval "$3") > "$work/output" 2>&1 < /dev/null || {
    cat "$work/output" >&2
    stop 1 "this step failed: $1 $2. What is before it is done. Mend it and run the same command again: it \
goes on from there.${4:+ $4}"
  }
  # What a command succeeded without.
  awk '/^ *WARNING|with warnings:/ { says = 1; print "#           " $0; next }
    says && /^ / { print "#           " $0; next }
    { says = 0 }' "$work/output"
}

# The last line of a plan, or of what was done.
summary() {
  if [[ $mode == plan ]]; then
    echo "# $changes to do, $unchanged as they are"
  else
    echo "# $changes done, $unchanged as they were"
  fi
}
