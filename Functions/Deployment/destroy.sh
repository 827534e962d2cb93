# Takes functions out of the cloud; what they have written stays. Sourced by deploy.sh.
# shellcheck shell=bash disable=SC2016

destroy() {
  connect destroy
  find_database
  observe_all services all-services triggers accounts policy alerts secrets
  choose_deployed
  find_remaining
  mode=plan
  destroy_steps
  if [[ $changes == 0 ]]; then
    echo "# nothing of it is there, in $region${remaining_regions:+, but in $remaining_regions}"
    return
  fi
  # Google keeps a deleted role's name for weeks.
  echo "# The database and all that is in it, images, dead letters and the role $push_role, by itself of" \
    "no use to anybody, stay$([[ -n $with_secrets ]] || printf ', and so do secrets')."
  if [[ -n $remaining_regions ]]; then
    echo "# Functions go on in $remaining_regions, and with them their accounts, alerts and secrets."
  fi
  confirm
  mode=apply
  changes=0
  destroy_steps
  summary
}

# Sets `remaining_accounts` to those that services which stay are or get events as, and
# `remaining_regions` to where functions go on: accounts and alerts are the project's, services a region's.
find_remaining() {
  look_up all-services '[.[] | select(.metadata
      | .labels["cloud.googleapis.com/location"] == $region and (.name | IN($names | split("\n")[])) | not)]' \
    --arg region "$region" --arg names "$(chosen_services)" > "$work/remaining.json"
  remaining_accounts=$(jq -r -L "$deployment" --arg project "$project" 'include "names"; .[]
    | (.spec.template.spec.serviceAccountName // empty),
      (.metadata.labels | select(.application == "worldchat") | .function // empty
        | function_account, event_account | "\(.)@\($project).iam.gserviceaccount.com")' \
    "$work/remaining.json")
  remaining_regions=$(jq -r '[.[].metadata.labels | select(.application == "worldchat")
    | .["cloud.googleapis.com/location"]] | unique | join(", ")' "$work/remaining.json")
}

confirm() {
  [[ -z $yes ]] || return 0
  local answer=""
  printf 'This takes them out of %s, region %s. Type the id of the project to go on: ' \
    "$project" "$region" >&2
  IFS= read -r answer || true
  [[ $answer == "$project" ]] || fail "that is not $project: nothing is done"
}

# Triggers first: nothing is delivered to what isn't there any more. Services last: they tell which
# functions there were, if this has to be done again.
destroy_steps() {
  local name file
  for name in $(chosen_triggers); do
    change delete "trigger $name" \
      gcloud eventarc triggers delete "$name" --location="$location" --project="$project" --quiet
  done
  for name in $(printf '%s\n' "$slugs" \
    | jq -R -r -L "$deployment" 'include "names"; function_account, event_account'); do
    destroy_account "$name@$project.iam.gserviceaccount.com"
  done
  for name in $(chosen_services); do
    change delete "service $name" \
      gcloud run services delete "$name" --region="$region" --project="$project" --quiet
  done
  [[ ${#functions[@]} -eq 0 && -z $remaining_regions ]] || return 0
  for file in "$deployment"/alerts/*.json; do
    name=$(look_up alerts 'first(.[] | select(.displayName == $title) | .name) // ""' \
      --arg title "$(jq -r .displayName "$file")")
    [[ -z $name ]] || change delete "alert: $(jq -r .displayName "$file")" \
      gcloud alpha monitoring policies delete "$name" --project="$project" --quiet
  done
  [[ -z $with_secrets ]] || destroy_secrets
}

destroy_account() {
  local role
  ! grep -qxF -- "$1" <<< "$remaining_accounts" || return 0
  has accounts "$1" || return 0
  for role in $(look_up policy '[.bindings[]? | select(any(.members[]; . == $member)) | .role]
      | unique[]' --arg member "serviceAccount:$1"); do
    change revoke "${role##*/} of ${1%%@*}" \
      gcloud projects remove-iam-policy-binding "$project" --member="serviceAccount:$1" \
      --role="$role" --all --project="$project" --quiet
  done
  change delete "account ${1%%@*}" \
    gcloud iam service-accounts delete "$1" --project="$project" --quiet
}

# The keys that functions of this folder name.
destroy_secrets() {
  local name
  [[ -s $work/manifests.json ]] || read_manifests
  for name in $(jq -r '[.[].secrets[]?] | unique[]' "$work/manifests.json"); do
    has_secret "$name" || continue
    change delete "secret $name" \
      gcloud secrets delete "$name" --project="$project" --quiet
  done
}
