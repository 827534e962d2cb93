# The steps that send all traffic to the revision before the newest one with traffic, and put the
# rulesets in force that were created before those in force.
#
# Input: all files of $known.

include "deployed";
include "rules";
include "steps";
include "storage";

# The revision that a service goes back to, or null if there is none.
def previous_revision($service):
  [$service.status.traffic[]? | select((.percent // 0) > 0) | .revisionName] as $serving
  | list("revisions/\($service.metadata.name)") | sort_by(.metadata.creationTimestamp)
  | ([.[].metadata.name | IN($serving[])] | rindex([true]) // 0) as $newest
  | [.[:$newest][] | select(any(.status.conditions[]?; .type == "Ready" and .status == "False") | not)
      | .metadata.name][-1];

# The ruleset that the database or bucket goes back to, or null if there is none.
def previous_ruleset($rules):
  [released($rules)] as $id | rulesets($rules) | .[:index($id) // 0][-1];

def previous_rules_step($rules; $owner):
  previous_ruleset($rules) as $id
  | if $id then release($rules; "security rules\($owner): ruleset \($id)"; $id)
    else say("# the security rules\($owner) have no ruleset to go back to") end;

# A ruleset doesn't tell which bucket it is of.
def previous_bucket_rules_step:
  bucket_rules as $rules
  | select(seen($rules.question))
  | if any(paged("releases")[].name; contains("/releases/firebase.storage/") and (endswith("/\($rules.release)") | not))
    then say("# the security rules of bucket \(bucket_name) stay: other buckets have rules, too, and Google doesn't"
      + " tell which rulesets are whose")
    else previous_rules_step($rules; " of bucket \(bucket_name)") end;

known
| [(chosen_services[] as $name
      | previous_revision(service($name)) as $revision
      | if $revision then
          change("update"; "\($name): all traffic goes to \($revision)"; "run services update-traffic";
            [$name, "--to-revisions=\($revision)=100", "--region=\(.settings.region)"])
        else say("# \($name) has no revision to go back to") end),
    # Rules are for all functions.
    (select(.chosen == []) | previous_rules_step(firestore_rules; ""), previous_bucket_rules_step)] as $steps
| ($steps | sort_by(.command != null)[]),
  if any($steps[]; .command) then
    say("# apply sends traffic to the newest revision again\(
      if .chosen == [] then ", and releases this folder's security rules" else "" end)")
  else stop(69; "nothing has a revision or ruleset to go back to") end
| line
