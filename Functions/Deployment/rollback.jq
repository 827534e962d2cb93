# The steps that give all traffic to the revision before the newest of those that get some.
#
# Input: all that is known, in parts.

include "deployed";
include "steps";

# The revision that a service goes back to; null if there is none.
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
        change("update"; "\($name): all goes to \($revision)"; "run services update-traffic";
          [$name, "--to-revisions=\($revision)=100", "--region=\(.settings.region)"])
      else say("# \($name) has no revision to go back to") end] as $steps
| ($steps | sort_by(.command != null)[]),
  if any($steps[]; .command) then say("# apply brings the newest back")
  else stop(69; "there is nothing to go back to") end
| line
