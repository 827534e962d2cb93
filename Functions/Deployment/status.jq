# Prints what is deployed, and its problems.
#
# Input: all files of $known.

include "deployed";
include "project";
include "rules";
include "steps";

def revisions:
  .status as {$latestReadyRevisionName, $latestCreatedRevisionName, $traffic}
  | (select($latestReadyRevisionName != $latestCreatedRevisionName)
      | "  \($latestCreatedRevisionName)  doesn't start"),
    ($traffic[]? | select((.percent // 0) > 0)
      | "  \(.revisionName)  \(.percent) %\(if .latestRevision then ", the newest" else "" end)");

def trigger:
  (.eventFilters | map({(.attribute): .value}) | add) as {$document, $type}
  | "  \(.name | split("/")[-1])  \($document) \($type | split(".v1.")[1])";

def rules:
  [released][0] as $id
  | "Security rules  "
    + if $id then "\($id), released \(seen("release").updateTime), \(
        if are_rules_in_force then "as in" else "different from" end) firestore.rules"
      else "none: apps can neither read nor write" end;

known
| "Project \(.settings.project), \(.settings.region)",
  (chosen_services[] as $name
    | "\n\($name)  \(service($name).status.url // "has no address yet")",
      (service($name) | revisions),
      (list("triggers")[] | select(.destination.cloudRun.service == $name) | trigger),
      (secrets_of($name)[] as $secret | select(has_value($secret) | not)
        | "  \($secret)  \(why_no_value($secret)): no new instance starts")),
  "\n\(rules)",
  if chosen_services == [] then "\nNothing is deployed." else empty end
