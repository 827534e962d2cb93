# All that a command goes by, as parts of one object in JSON, in files of $known. Sourced by deploy.sh.
# shellcheck shell=bash disable=SC2016

# refuse STATUS: ends if stdin has lines, each of which is something that is wrong.
refuse() {
  local problems
  problems=$(sed 's/^/deploy.sh: /')
  [[ -n $problems ]] || return 0
  printf '%s\n' "$problems" >&2
  exit "$1"
}

# derive PROGRAM OPTION…: prints what a program makes of all that is known.
derive() {
  jq -r -s -L "$deployment" "${@:2}" -f "$deployment/$1" "$known"/*.json
}

# setting NAME: prints its value.
setting() {
  jq -r ".settings.$1" "$known/settings.json"
}

# read_settings ARGUMENT…: takes settings from options, the shell's environment and deploy.env.
read_settings() {
  local file
  # First, which file.
  make_settings /dev/null deploy.env "$@"
  file=$(setting file)
  if [[ -e $file && ! -d $file ]]; then
    [[ -r $file ]] || fail "$file can't be read" 64
    make_settings "$file" "$file" "$@"
  elif [[ $file != deploy.env ]]; then
    fail "$file: there is no such file" 64
  fi
  jq -r '.problems[]' "$known/settings.json" | refuse 64
  project=$(setting project)
}

# make_settings FILE NAME ARGUMENT…: of a deploy.env of this name.
make_settings() {
  jq -n -L "$deployment" -f "$deployment/settings.jq" --rawfile text "$1" --arg file "$2" \
    --arg command "$command" --arg revision "$(revision)" \
    --args -- "${@:3}" > "$known/settings.json" 2> "$work/error" \
    || fail "$(sed 's/^jq: error ([^)]*): //' "$work/error")" 64
}

# connect: asks for the project. A plan goes on without it, anything else ends.
connect() {
  # Until it is known, what finds it in a printed command.
  local number=$'\036'"\$(gcloud projects describe $project --format='value(projectNumber)')"$'\036'
  if [[ -n $(setting offline) ]]; then
    :
  elif gcloud projects describe "$project" --format=json < /dev/null > "$work/answer" 2> "$work/error"; then
    number=$(jq -r .projectNumber "$work/answer")
    echo '{"cloud": {}}' > "$known/cloud.json"
  elif [[ $command == plan ]]; then
    echo "deploy.sh: project $project can't be asked, so this is all that is done from nothing: $(
      sed -n 's/^ERROR: ([^)]*) //p' "$work/error" | head -n 1)" >&2
  else
    cat "$work/error" >&2
    fail "project $project can't be asked; gcloud auth login, or another --project"
  fi
  jq -n --arg number "$number" '{settings: {projectNumber: $number}}' > "$known/number.json"
}

# look: asks Google for what there is of all that the command has to know.
look() {
  local questions question words
  [[ -e $known/cloud.json ]] || return 0
  echo '{"cloud": {}}' > "$known/cloud.json"
  while
    questions=$(derive questions.jq)
    [[ -n $questions ]]
  do
    while read -r question words; do
      echo null > "$work/answer"
      # shellcheck disable=SC2086
      [[ -z $words ]] || gcloud $words --project="$project" --format=json \
        < /dev/null > "$work/answer" 2> "$work/error" || {
        cat "$work/error" >&2
        fail "Google doesn't say what there is: gcloud $words"
      }
      jq -c -s --arg question "$question" '{cloud: {($question): .[0]}}' "$work/answer" >> "$known/cloud.json" \
        || fail "what Google says can't be read: gcloud $words" 70
    done <<< "$questions"
  done
}
