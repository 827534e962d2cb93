# The input of a command: parts of one JSON object, in the files of the folder $known. Sourced by
# deploy.sh.
# shellcheck shell=bash disable=SC2016

# refuse STATUS: prints the errors on stdin, one per line, and exits if there are any.
refuse() {
  local problems
  problems=$(sed 's/^/deploy.sh: /')
  [[ -n $problems ]] || return 0
  printf '%s\n' "$problems" >&2
  exit "$1"
}

# derive PROGRAM OPTION…: runs a jq program with the files of $known as input.
derive() {
  jq -r -s -L "$deployment" "${@:2}" -f "$deployment/$1" "$known"/*.json
}

# setting NAME: prints a setting's value.
setting() {
  jq -r ".settings.$1" "$known/settings.json"
}

# read_settings ARGUMENT…: reads settings from options, the shell's environment and deploy.env.
read_settings() {
  local file
  # The first pass reads no file. It only finds the name of the file, which an option may set.
  make_settings /dev/null deploy.env "$@"
  file=$(setting file)
  if [[ -e $file && ! -d $file ]]; then
    [[ -r $file ]] || fail "$file is not readable" 64
    make_settings "$file" "$file" "$@"
  elif [[ $file != deploy.env ]]; then
    fail "$file: there is no such file" 64
  fi
  jq -r '.problems[]' "$known/settings.json" | refuse 64
  project=$(setting project)
}

# make_settings FILE NAME ARGUMENT…: writes the settings from FILE, which has the format of
# deploy.env, and from options. Messages call the file NAME.
make_settings() {
  jq -n -L "$deployment" -f "$deployment/settings.jq" --rawfile text "$1" --arg file "$2" \
    --arg command "$command" --arg revision "$(revision)" \
    --args -- "${@:3}" > "$known/settings.json" 2> "$work/error" \
    || fail "$(sed 's/^jq: error ([^)]*): //' "$work/error")" 64
}

# connect: reads the project's number. Without access, plan continues and other commands exit.
connect() {
  # Until the number is known, printed commands contain the command that finds it.
  local number=$'\036'"\$(gcloud projects describe $project --format='value(projectNumber)')"$'\036'
  if [[ -n $(setting offline) ]]; then
    :
  elif gcloud projects describe "$project" --format=json < /dev/null > "$work/answer" 2> "$work/error"; then
    number=$(jq -r .projectNumber "$work/answer")
    echo '{"cloud": {}}' > "$known/cloud.json"
  elif [[ $command == plan ]]; then
    echo "deploy.sh: no access to project $project, so this plan assumes an empty project: $(
      sed -n 's/^ERROR: ([^)]*) //p' "$work/error" | head -n 1)" >&2
  else
    cat "$work/error" >&2
    fail "no access to project $project: run gcloud auth login, or choose another --project"
  fi
  jq -n --arg number "$number" '{settings: {projectNumber: $number}}' > "$known/number.json"
}

# ask WORDS: writes the answer of gcloud's command or of a URL to $work/answer. Without words, and at
# the URL of something that doesn't exist, the answer stays null.
ask() {
  local status
  case $1 in
    "") ;;
    https://*)
      status=$(printf 'Authorization: Bearer %s' "$(gcloud auth print-access-token < /dev/null)" \
        | curl --silent --show-error --header @- --header "x-goog-user-project: $project" \
          --output "$work/response" --write-out '%{http_code}' "$1") || return
      case $status in
        200)
          # The rules of a Realtime Database may have comments, which aren't JSON.
          case $1 in
            */.settings/rules.json) jq -R -s . "$work/response" > "$work/answer" ;;
            *) mv "$work/response" "$work/answer" ;;
          esac
          ;;
        404) ;;
        *) cat "$work/response" >&2 && return 1 ;;
      esac
      ;;
    # shellcheck disable=SC2086
    *) $1 --project="$project" --format=json < /dev/null > "$work/answer" ;;
  esac
}

# look: reads the project's state from Google, as far as the command needs it.
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
      ask "$words" 2> "$work/error" || {
        cat "$work/error" >&2
        fail "reading the project's state failed: $words"
      }
      jq -c -s --arg question "$question" '{cloud: {($question): .[0]}}' "$work/answer" >> "$known/cloud.json" \
        || fail "the answer is not valid JSON: $words" 70
    done <<< "$questions"
  done
}
