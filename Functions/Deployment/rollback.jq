# The steps that send all traffic to the revision before the newest one with traffic.
#
# Input: all files of $known.

include "deployed";
include "steps";

# The revision that a service goes back to, or null if there is none.
def previous_revision($service):
  [$service.status.traffic[]? | select((.percent // 0) > 0) | .revisionName] as $serving
  | list("revisions/\($service.metadata.name)") | sort_by(.metadata.creationTimestamp)
  | ([.[].metadata.name | IN($serving[])] | rindex([true]) // 0) as $newest
  | [.[:$newest][] | select(any(.status.conditions[]?; .type == "Ready" and .status == "False") | not)
      | .metadata.name][-1];

known
| [chosen_services[] as $name
    | previous_revision(service($name)) as $revision
    | if $revision then
        change("update"; "\($name): all traffic goes to \($revision)"; "run services update-traffic";
          [$name, "--to-revisions=\($revision)=100", "--region=\(.settings.region)"])
      else say("# \($name) has no revision to go back to") end] as $steps
| ($steps | sort_by(.command != null)[]),
  if any($steps[]; .command) then say("# apply sends traffic to the newest revision again")
  else stop(69; "no service has a revision to go back to") end
| line
