# For clusters that aren't Google's: manifests of Knative Serving and Eventing. Sourced by deploy.sh.
# shellcheck shell=bash

print_manifests() {
  cat << 'END'
# Nothing checks who posts events: the services whose names end with -event have addresses in the cluster
# alone, and whoever is in the cluster may post to them. Let the mesh decide who does: see "Other clusters"
# in Functions/DEPLOY.md.
END
  warn_of_anonymous_calls
  jq -r --arg min "$min_instances" --arg max "$max_instances" -f "$deployment/knative.jq" \
    "$work/deployment.json"
}
