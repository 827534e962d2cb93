# The steps that send all traffic to the revision before the newest one with traffic, and put the
# ruleset in force that was created before the one in force.
#
# Input: all files of $known.

include "deployed";
include "rules";
include "steps";

# The revision that a service goes back to, or null if there is none.
def previous_revision($service):
  [$service.status.traffic[]? | select((.percent // 0) > 0) | .revisionName] as $serving
  | list("revisions/\($service.metadata.name)") | sort_by(.metadata.creationTimestamp)
  | ([.[].metadata.name | IN($serving[])] | rindex([true]) // 0) as $newest
  | [.[:$newest][] | select(any(.status.conditions[]?; .type == "Ready" and .status == "False") | not)
      | .metadata.name][-1];

# The ruleset that the database goes back to, or null if there is none.
def previous_ruleset:
  [released] as $id | rulesets | .[:index($id) // 0][-1];

known
| [(chosen_services[] as $name
      | previous_revision(service($name)) as $revision
      | if $revision then
          change("update"; "\($name): all traffic goes to \($revision)"; "run services update-traffic";
            [$name, "--to-revisions=\($revision)=100", "--region=\(.settings.region)"])
        else say("# \($name) has no revision to go back to") end),
    # Rules are for all functions.
    (select(.chosen == [])
      | previous_ruleset as $id
      | if $id then release("security rules: ruleset \($id)"; $id)
        else say("# the security rules have no ruleset to go back to") end)] as $steps
| ($steps | sort_by(.command != null)[]),
  if any($steps[]; .command) then
    say("# apply sends traffic to the newest revision again\(
      if .chosen == [] then ", and releases firestore.rules" else "" end)")
  else stop(69; "nothing has a revision or ruleset to go back to") end
| line
