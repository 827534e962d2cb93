# What is in the cloud, whatever is in this folder. Sourced by deploy.sh.
# shellcheck shell=bash disable=SC2016

# choose_deployed: sets `slugs` to those functions that are named, else to all that are deployed or
# could be, one a line.
choose_deployed() {
  if [[ ${#functions[@]} -gt 0 ]]; then
    slugs=$(printf '%s\n' "${functions[@]}" | kebab)
  else
    slugs=$({
      look_up services '.[] | select(.metadata.labels.application == "worldchat")
        | .metadata.labels.function // empty'
      function_names | kebab
    } | sort -u)
  fi
}

kebab() {
  jq -R -r -L "$deployment" 'include "names"; kebab'
}

# The services of the chosen functions, one a line.
chosen_services() {
  look_up services '.[] | .metadata | select(.labels.application == "worldchat"
    and (.labels.function | IN($slugs | split("\n")[]))) | .name' --arg slugs "$slugs"
}

# The names of the triggers that wake the chosen functions in this region, one a line.
chosen_triggers() {
  look_up triggers '.[] | select(.destination.cloudRun
      | .region == $region and (.service | IN($services | split("\n")[])))
    | .name | split("/")[-1]' --arg region "$region" --arg services "$(chosen_services)"
}

status() {
  connect status
  observe services
  find_database
  observe_all triggers subscriptions
  choose_deployed
  local service secret letters
  echo "Project $project, $region"
  for service in $(chosen_services); do
    look_up services '.[] | select(.metadata.name == $name) | .status as $status
      | "\n\(.metadata.name)  \($status.url // "has no address yet")",
        (if $status.latestReadyRevisionName != $status.latestCreatedRevisionName
         then "  \($status.latestCreatedRevisionName)  doesn\u0027t start" else empty end),
        ($status.traffic[]? | select((.percent // 0) > 0)
         | "  \(.revisionName)  \(.percent) %"
           + if .latestRevision then ", the newest" else "" end)' --arg name "$service"
    look_up triggers '.[] | select(.destination.cloudRun.service == $name)
      | (.eventFilters | map({(.attribute): .value}) | add) as $filters
      | "  \(.name | split("/")[-1])  \($filters.document) \($filters.type | split(".v1.")[1])"' \
      --arg name "$service"
    for secret in $(look_up services '.[] | select(.metadata.name == $name)
      | .spec.template.spec.containers[]?.env[]?.valueFrom.secretKeyRef
      | select(.key == "latest") | .name' --arg name "$service"); do
      has_value "$secret" || echo "  $secret  $(why_no_value "$secret"): no new instance starts"
    done
  done
  [[ -n $(chosen_services) ]] || printf '\nNothing is deployed.\n'
  letters=$(count_dead_letters)
  printf '\nDead letters: %s\n' "$letters"
}

# Looks at them and gives them back at once. Pub/Sub shows a part at a time.
count_dead_letters() {
  local letters ids
  if ! has subscriptions "$dead_letters"; then
    echo 0
    return
  fi
  letters=$(gcloud pubsub subscriptions pull "$dead_letters" --limit=100 --project="$project" \
    --format='json(ackId,message.messageId)' < /dev/null) \
    || fail "Google doesn't say whether there are dead letters"
  ids=$(jq -r 'map(.ackId) | join(",")' <<< "$letters")
  if [[ -z $ids ]]; then
    echo 0
    return
  fi
  gcloud pubsub subscriptions modify-message-ack-deadline "$dead_letters" --ack-ids="$ids" \
    --ack-deadline=0 --project="$project" --quiet < /dev/null > /dev/null 2> "$work/error" || {
    cat "$work/error" >&2
    echo "deploy.sh: nobody else gets these dead letters for ten minutes: they can't be given back" >&2
  }
  echo "$(jq 'map(.message.messageId) | unique | length' <<< "$letters") or more"
}

# What gets traffic goes back to the revision before the newest of those that get some.
rollback() {
  local service to found="" plans=()
  connect rollback
  observe services
  choose_deployed
  for service in $(chosen_services); do
    observe revisions "$service"
    to=$(previous_revision "$service")
    if [[ -n $to ]]; then
      plans+=("$service $to")
    else
      echo "# $service has no revision to go back to"
    fi
  done
  [[ ${#plans[@]} -gt 0 ]] || fail "there is nothing to go back to" 69
  mode=apply
  for found in "${plans[@]}"; do
    service=${found% *}
    to=${found#* }
    change update "$service: all goes to $to" \
      gcloud run services update-traffic "$service" --to-revisions="$to=100" \
      --region="$region" --project="$project" --quiet
  done
  echo "# apply brings the newest back"
}

previous_revision() {
  local serving
  serving=$(look_up services '[.[] | select(.metadata.name == $name)
    | .status.traffic[]? | select((.percent // 0) > 0) | .revisionName]' --arg name "$1")
  look_up "revisions.$1" 'sort_by(.metadata.creationTimestamp)
    | map({name: .metadata.name,
           isReady: (any(.status.conditions[]?; .type == "Ready" and .status == "False") | not)})
    | . as $all
    | ([range(length) | select($all[.].name | IN($serving[]))] | max // 0) as $newest
    | [$all[:$newest][] | select(.isReady)] | last | .name // ""' --argjson serving "$serving"
}
