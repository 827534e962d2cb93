# The functions that the lines of a plan call. With `plan` they print commands, otherwise they run
# them. Sourced by deploy.sh.
# shellcheck shell=bash

mode=apply
changes=0
unchanged=0

say() {
  printf '%s\n' "$1"
}

# note TEXT: prints a note.
note() {
  printf '#           %s\n' "$1"
}

# same TITLE: counts and prints something that needs no change.
same() {
  unchanged=$((unchanged + 1))
  printf '# unchanged %s\n' "$1"
}

# stop STATUS TEXT: prints an error and exits.
stop() {
  echo "deploy.sh: $2" >&2
  exit "$1"
}

# change VERB TITLE COMMAND HINT: prints or runs a step; HINT is printed if the step fails.
change() {
  changes=$((changes + 1))
  printf '# %-9s %s\n' "$1" "$2"
  if [[ $mode == plan ]]; then
    printf '%s\n' "$3"
    return
  fi
  (eval "$3") > "$work/output" 2>&1 < /dev/null || {
    cat "$work/output" >&2
    stop 1 "this step failed: $1 $2. The steps before it are done. Fix the cause and run the same \
command again: it continues with this step.${4:+ $4}"
  }
  # Print the warnings of a command that succeeded.
  awk '/^ *WARNING|with warnings:/ { says = 1; print "#           " $0; next }
    says && /^ / { print "#           " $0; next }
    { says = 0 }' "$work/output"
}

# Prints the last line of a plan, or of the steps that were run.
summary() {
  if [[ $mode == plan ]]; then
    echo "# $changes to do, $unchanged unchanged"
  else
    echo "# $changes done, $unchanged unchanged"
  fi
}
