# All steps, in their order. Sourced by deploy.sh.
# shellcheck shell=bash

# deploy plan|apply: one list of steps for both.
deploy() {
  mode=$1
  if [[ $target == knative ]]; then
    [[ $mode == plan ]] || fail "a cluster takes manifests: $0 plan --target knative | kubectl apply -f -" 64
    prepare
    print_manifests
    return
  fi
  connect "$mode"
  prepare
  if [[ $mode == apply ]]; then
    check_images
    api_steps
  fi
  find_database
  if [[ $mode == plan ]]; then echo "set -euo pipefail"; fi
  echo "# Project $project, services in $region, database $database in $location, images :$tag"
  warn_of_anonymous_calls
  if [[ $mode == plan ]]; then api_steps; else check_secrets; fi
  repository_step
  account_steps
  secret_steps
  database_step
  composite_steps
  field_steps
  expiry_steps
  dead_letter_steps
  service_steps
  trigger_steps
  access_steps
  obsolete_roles
  alert_steps
  budget_step
  summary
}

# What functions say, and whether it can be deployed.
prepare() {
  read_manifests
  choose_functions
  refuse_cycles
  make_deployment
  make_index_rows
}
