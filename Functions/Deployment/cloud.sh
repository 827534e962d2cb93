# What there is in the project, asked once and kept until a step changes it. Sourced by deploy.sh.
# shellcheck shell=bash

# Whether Google can be asked; without that everything is planned from nothing.
connected=""
# The project's number; until it is known, what finds it in a printed command.
project_number=""

# connect WHO: asks for the project. A plan goes on without it, anything else ends.
connect() {
  project_number=$'\036'"\$(gcloud projects describe $project --format='value(projectNumber)')"
  mkdir -p "$work/cloud"
  [[ -z $offline ]] || return 0
  if gcloud projects describe "$project" --format=json < /dev/null > "$work/project.json" 2> "$work/error"; then
    connected=yes
    project_number=$(jq -r .projectNumber "$work/project.json")
    return
  fi
  if [[ $1 != plan ]]; then
    cat "$work/error" >&2
    fail "project $project can't be asked; gcloud auth login, or another --project"
  fi
  echo "deploy.sh: project $project can't be asked, so this is all that is done from nothing: $(
    sed -n 's/^ERROR: ([^)]*) //p' "$work/error" | head -n 1)" >&2
}

# observe KIND [NAME]: has $seen name a file with what there is of a kind, JSON.
observe() {
  seen="$work/cloud/$1${2:+.$2}.json"
  [[ ! -s $seen ]] || return 0
  local api asking=()
  case "$1" in
    apis) api="" asking=(services list --enabled) ;;
    policy) api=cloudresourcemanager asking=(projects get-iam-policy "$project") ;;
    accounts) api=iam asking=(iam service-accounts list) ;;
    roles) api=iam asking=(iam roles list) ;;
    role) api=iam asking=(iam roles describe "$2") ;;
    repositories) api=artifactregistry asking=(artifacts repositories list --location="$region") ;;
    images)
      api=artifactregistry
      asking=(artifacts docker images list "$registry" --include-tags)
      ;;
    secrets) api=secretmanager asking=(secrets list) ;;
    # The newest is first.
    values) api=secretmanager asking=(secrets versions list "$2" --limit=1) ;;
    secret-policy) api=secretmanager asking=(secrets get-iam-policy "$2") ;;
    services) api=run asking=(run services list --region="$region") ;;
    all-services) api=run asking=(run services list) ;;
    service-policy) api=run asking=(run services get-iam-policy "$2" --region="$region") ;;
    revisions) api=run asking=(run revisions list --service="$2" --region="$region") ;;
    databases) api=firestore asking=(firestore databases list) ;;
    composites) api=firestore asking=(firestore indexes composite list --database="$database") ;;
    fields) api=firestore asking=(firestore indexes fields list --database="$database") ;;
    ttls) api=firestore asking=(firestore fields ttls list --database="$database") ;;
    topics) api=pubsub asking=(pubsub topics list) ;;
    topic-policy) api=pubsub asking=(pubsub topics get-iam-policy "$2") ;;
    subscriptions) api=pubsub asking=(pubsub subscriptions list) ;;
    subscription-policy) api=pubsub asking=(pubsub subscriptions get-iam-policy "$2") ;;
    triggers) api=eventarc asking=(eventarc triggers list --location="$location") ;;
    channels) api=monitoring asking=(beta monitoring channels list) ;;
    alerts) api=monitoring asking=(alpha monitoring policies list) ;;
    budgets)
      api=billingbudgets
      asking=(billing budgets list --billing-account="$billing_account")
      ;;
  esac
  if [[ -z $connected ]] || ! { [[ -z $api ]] || has apis "$api.googleapis.com"; }; then
    absent "$1" "${2:-}"
    return
  fi
  seen="$work/cloud/$1${2:+.$2}.json"
  gcloud "${asking[@]}" --project="$project" --format=json < /dev/null > "$seen" 2> "$work/error" || {
    rm -f "$seen"
    cat "$work/error" >&2
    fail "Google doesn't say what there is: gcloud ${asking[*]}"
  }
  [[ -s $seen ]] || echo '[]' > "$seen"
}

# absent KIND [NAME]: there is nothing of it, and it isn't asked for.
absent() {
  forget "$@"
  seen="$work/cloud/$1${2:+.$2}.json"
  case "$1" in
    *policy) echo '{}' > "$seen" ;;
    *) echo '[]' > "$seen" ;;
  esac
}

# forget KIND [NAME]: it is asked anew.
forget() {
  rm -f "$work/cloud/$1${2:+.$2}.json" "$work/cloud/$1${2:+.$2}.json.lines"
}

# observe_all KIND…: where only a part of a command could fail, asking comes first.
observe_all() {
  local kind
  for kind in "$@"; do observe "$kind"; done
}

# has KIND[.NAME] LINE: whether a line is one of those that lines_of has of a kind.
has() {
  [[ -n $connected ]] || return 1
  observe_kind "$1"
  if [[ ! -e $seen.lines ]]; then
    ! has_seen_nothing || return 1
    jq -r "$(lines_of "$1")" "$seen" > "$seen.lines" || fail "what Google says of $1 can't be read" 70
  fi
  grep -qxF -- "$2" "$seen.lines"
}

# lines_of KIND[.NAME]: prints the filter of what is asked again and again, which is done once: jq takes
# longer to start than all of it.
# shellcheck disable=SC2016
lines_of() {
  case "$1" in
    *policy*)
      echo '.bindings[]? | .role as $role | (.condition.expression // "") as $expression
        | .members[] | [$role, ., $expression] | @tsv'
      ;;
    accounts) echo '.[].email' ;;
    apis) echo '.[].config.name' ;;
    services) echo '.[].metadata.name' ;;
    fields)
      echo '.[] | select(.indexConfig.usesAncestorConfig != true)
        | [.indexConfig.indexes[]? | "\(.queryScope) \(.fields[0] | .order // .arrayConfig)"] as $indexes
        | "\(.name | split("/collectionGroups/")[1]) \($indexes | sort | join(", "))"'
      ;;
    ttls) echo '.[] | select(.ttlConfig != null) | .name | split("/collectionGroups/")[1]' ;;
    *) echo '.[].name | split("/")[-1]' ;;
  esac
}

# there_is KIND[.NAME] FILTER [--arg NAME VALUE…]: whether a filter is true of what there is.
there_is() {
  local kind=$1 filter=$2
  shift 2
  [[ -n $connected ]] || return 1
  observe_kind "$kind"
  ! has_seen_nothing || return 1
  local found=0
  jq -e "$@" "$filter" "$seen" > /dev/null || found=$?
  # 1 is no, and more than that isn't an answer.
  [[ $found -le 1 ]] || fail "what Google says of $kind can't be read" 70
  return "$found"
}

# look_up KIND[.NAME] FILTER [--arg NAME VALUE…]: prints what a filter gives.
look_up() {
  local kind=$1 filter=$2
  shift 2
  [[ -n $connected ]] || return 0
  observe_kind "$kind"
  ! has_seen_nothing || return 0
  jq -r "$@" "$filter" "$seen"
}

# Most of a first deployment is that: jq takes longer to start than to see it.
has_seen_nothing() {
  local text
  text=$(< "$seen")
  [[ $text == "[]" || $text == "{}" ]]
}

observe_kind() {
  case "$1" in
    *.*) observe "${1%%.*}" "${1#*.}" ;;
    *) observe "$1" ;;
  esac
}

# grants KIND[.NAME] MEMBER ROLE [EXPRESSION]: whether a policy gives somebody a role under just this
# condition, or under none.
grants() {
  has "$1" "$3"$'\t'"$2"$'\t'"${4:-}"
}
