# Steps are written once: `plan` prints them as commands that a shell takes, `apply` runs them.
# Sourced by deploy.sh.
# shellcheck shell=bash

# plan or apply.
mode=plan
changes=0
unchanged=0
# What a step reads from stdin: `secret NAME`, `token` as a header, or as a `password`; or nothing.
input=""
# What is said beside it if a step fails.
hint=""

# same TITLE: nothing is to be done.
same() {
  unchanged=$((unchanged + 1))
  printf '# as it is  %s\n' "$1"
}

# note TEXT: something to know.
note() {
  printf '#           %s\n' "$1"
}

# change VERB TITLE COMMAND…: a step. What later steps ask again has to be forgotten after it.
change() {
  local verb=$1 title=$2
  shift 2
  changes=$((changes + 1))
  printf '# %-9s %s\n' "$verb" "$title"
  if [[ $mode == plan ]]; then
    print_command "$@"
  else
    run_command "$@" || stop "$verb $title"
  fi
  input=""
}

stop() {
  echo "deploy.sh: this step failed: $1. What is before it is done. Mend it and run the same" \
    "command again: it goes on from there.${hint:+ $hint}" >&2
  exit 1
}

# quote ARGUMENT: sets `quoted` to it as a shell takes it. One that begins with \036 has a command in it
# that finds a value.
quote() {
  local quote="'\\''"
  case "$1" in
    $'\036'*) quoted="\"${1#?}\"" ;;
    "" | *[!A-Za-z0-9_./:=@,%+-]*) quoted="'${1//\'/$quote}'" ;;
    *) quoted=$1 ;;
  esac
}

# in_quotes TEXT: prints it as it stands between double quotes, beside such a command.
in_quotes() {
  printf %s "$1" | sed 's/[\\"`$]/\\&/g'
}

print_command() {
  local argument quoted line=""
  case "$input" in
    "secret "*) line="printf %s \"\${${input#secret }:?}\" | " ;;
    token) line="printf 'Authorization: Bearer %s' \"\$(gcloud auth print-access-token)\" | " ;;
    password) line="gcloud auth print-access-token | " ;;
  esac
  for argument in "$@"; do
    quote "$argument"
    line="$line$quoted "
  done
  printf '%s\n' "${line% }"
}

run_command() {
  local argument
  for argument in "$@"; do
    if [[ $argument == $'\036'* ]]; then
      echo "deploy.sh: Google hasn't said yet: ${argument#?}" >&2
      return 1
    fi
  done
  case "$input" in
    "secret "*) secret_value "${input#secret }" | "$@" > "$work/output" 2>&1 ;;
    password) gcloud auth print-access-token | "$@" > "$work/output" 2>&1 ;;
    token) access_token | "$@" > "$work/output" 2>&1 ;;
    *) "$@" > "$work/output" 2>&1 < /dev/null ;;
  esac || {
    cat "$work/output" >&2
    return 1
  }
  # What a command succeeded without.
  awk '/^ *WARNING|with warnings:/ { says = 1; print "#           " $0; next }
    says && /^ / { print "#           " $0; next }
    { says = 0 }' "$work/output"
}

access_token() {
  printf 'Authorization: Bearer %s' "$(gcloud auth print-access-token)"
}

# option NAME VALUE: prints --NAME=VALUE, where the value may be a command that finds it.
option() {
  case "$2" in
    $'\036'*) printf '\036--%s=%s' "$1" "${2#?}" ;;
    *) printf %s "--$1=$2" ;;
  esac
}

# grant KIND[.NAME] MEMBER ROLE TITLE COMMAND…: a role, unless it is given already. The command gets
# --member and --role.
grant() {
  local kind=$1 member=$2 role=$3 title="$4: ${3#roles/}"
  shift 4
  # Who isn't known yet has no role yet.
  if [[ $member != $'\036'* ]] && grants "$kind" "$member" "$role"; then
    same "$title"
  else
    change grant "$title" "$@" "$(option member "$member")" "--role=$role" --project="$project" --quiet
  fi
}

# The last line of a plan, or of what was done.
summary() {
  if [[ $mode == plan ]]; then
    echo "# $changes to do, $unchanged as they are"
  else
    echo "# $changes done, $unchanged as they were"
  fi
}
