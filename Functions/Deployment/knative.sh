# For clusters that aren't Google's: manifests of Knative Serving and Eventing. Sourced by deploy.sh.
# shellcheck shell=bash

print_manifests() {
  jq -r --arg min "$min_instances" --arg max "$max_instances" -f "$deployment/knative.jq" \
    "$work/deployment.json"
}
