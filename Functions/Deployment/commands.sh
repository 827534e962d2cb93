# The commands, each of which finds out what there is, and has steps made of that. Sourced by deploy.sh.
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

# The same steps as a plan's.
apply() {
  [[ $(setting target) != knative ]] \
    || fail "a cluster takes manifests: $0 plan --target knative | kubectl apply -f -" 64
  connect
  read_functions
  look
  take plan.jq --arg part begin
  # Of what was off nothing could be asked.
  [[ $changes == 0 ]] || look
  read_keys
  take plan.jq --arg part rest
  summary
}

# take PROGRAM OPTION…: takes the steps that a program makes, one after the other.
take() {
  derive "$@" > "$work/steps"
  # shellcheck disable=SC1091
  . "$work/steps"
}

# Sets those variables that commands read keys from and that only deploy.env has. Values are never arguments
# of a process.
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

# Looks at them and gives them back at once. Pub/Sub shows a part at a time.
count_dead_letters() {
  local letters ids name=worldchat-dead-letters
  if ! jq -e -s --arg name "/$name" 'any(.[].cloud.subscriptions[]?; .name | endswith($name))' \
    "$known/cloud.json" > /dev/null; then
    echo 0
    return
  fi
  letters=$(gcloud pubsub subscriptions pull "$name" --limit=100 --project="$project" \
    --format='json(ackId,message.messageId)' < /dev/null) \
    || fail "Google doesn't say whether there are dead letters"
  ids=$(jq -r 'map(.ackId) | join(",")' <<< "$letters")
  if [[ -z $ids ]]; then
    echo 0
    return
  fi
  gcloud pubsub subscriptions modify-message-ack-deadline "$name" --ack-ids="$ids" \
    --ack-deadline=0 --project="$project" --quiet < /dev/null > /dev/null 2> "$work/error" || {
    cat "$work/error" >&2
    echo "deploy.sh: nobody else gets these dead letters for ten minutes: they can't be given back" >&2
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
  # Without what is said besides.
  grep '^change ' "$work/steps" > "$work/confirmed"
  # shellcheck disable=SC1091
  . "$work/confirmed"
  summary
}

confirm() {
  [[ -z $(setting yes) ]] || return 0
  local answer=""
  printf 'This takes them out of %s, region %s. Type the id of the project to go on: ' \
    "$project" "$(setting region)" >&2
  IFS= read -r answer || true
  [[ $answer == "$project" ]] || fail "that is not $project: nothing is done"
}
