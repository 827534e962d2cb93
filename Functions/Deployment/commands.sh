# The commands. Each reads the project's state and derives its steps from it. Sourced by deploy.sh.
# shellcheck shell=bash

plan() {
  if [[ $(setting target) == knative ]]; then
    read_functions
    derive knative.jq
    return
  fi
  connect
  read_functions
  look
  mode=plan
  take plan.jq --arg part all
  summary
}

# Runs the same steps that plan prints.
apply() {
  [[ $(setting target) != knative ]] \
    || fail "apply doesn't deploy to a cluster: run $0 plan --target knative | kubectl apply -f -" 64
  connect
  read_functions
  look
  take plan.jq --arg part begin
  # If the first steps enabled APIs, read the state that could not be read without them.
  [[ $changes == 0 ]] || look
  read_keys
  take plan.jq --arg part rest
  summary
  derive addresses.jq
}

# take PROGRAM OPTION…: runs the steps that a jq program derives, one after the other.
take() {
  derive "$@" > "$work/steps"
  # shellcheck disable=SC1091
  . "$work/steps"
}

# Sets variables for the keys that are in deploy.env but not in the environment. The steps' commands
# read keys from variables, because other users can see a process's arguments.
read_keys() {
  eval "$(jq -r -s '(.[0].manifests | [.[].secrets[]?]) as $secrets | .[1].variables | to_entries[]
    | select((.key | IN($secrets[])) and ($ENV[.key] // "") == "") | "\(.key)=\(.value | @sh)"' \
    "$known/manifests.json" "$known/settings.json")"
}

status() {
  connect
  look
  derive status.jq
  local letters
  letters=$(count_dead_letters)
  printf '\nDead letters: %s\n' "$letters"
}

# Counts the dead letters: pulls them, and puts them back at once. A pull may get only some of them.
count_dead_letters() {
  local letters ids name=worldchat-dead-letters
  if ! jq -e -s --arg name "/$name" 'any(.[].cloud.subscriptions[]?; .name | endswith($name))' \
    "$known/cloud.json" > /dev/null; then
    echo 0
    return
  fi
  letters=$(gcloud pubsub subscriptions pull "$name" --limit=100 --project="$project" \
    --format='json(ackId,message.messageId)' < /dev/null) \
    || fail "reading the dead letters failed"
  ids=$(jq -r 'map(.ackId) | join(",")' <<< "$letters")
  if [[ -z $ids ]]; then
    echo 0
    return
  fi
  gcloud pubsub subscriptions modify-message-ack-deadline "$name" --ack-ids="$ids" \
    --ack-deadline=0 --project="$project" --quiet < /dev/null > /dev/null 2> "$work/error" || {
    cat "$work/error" >&2
    echo "deploy.sh: returning the dead letters failed: nobody else can pull them for ten minutes" >&2
  }
  echo "$(jq 'map(.message.messageId) | unique | length' <<< "$letters") or more"
}

rollback() {
  connect
  look
  take rollback.jq
}

destroy() {
  connect
  [[ -z $(setting withSecrets) ]] || read_manifests
  look
  mode=plan
  take destroy.jq
  [[ $changes != 0 ]] || return 0
  confirm
  mode=apply
  changes=0
  # Run only the changes, without the notes.
  grep '^change ' "$work/steps" > "$work/confirmed"
  # shellcheck disable=SC1091
  . "$work/confirmed"
  summary
}

confirm() {
  [[ -z $(setting yes) ]] || return 0
  local answer=""
  printf 'This deletes the resources above from %s, region %s. Type the id of the project to continue: ' \
    "$project" "$(setting region)" >&2
  IFS= read -r answer || true
  [[ $answer == "$project" ]] || fail "the answer is not $project: nothing was deleted"
}
