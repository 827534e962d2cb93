# Prints what is deployed, and its problems.
#
# Input: all files of $known.

include "deployed";
include "project";
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

known
| "Project \(.settings.project), \(.settings.region)",
  (chosen_services[] as $name
    | "\n\($name)  \(service($name).status.url // "has no address yet")",
      (service($name) | revisions),
      (list("triggers")[] | select(.destination.cloudRun.service == $name) | trigger),
      (secrets_of($name)[] as $secret | select(has_value($secret) | not)
        | "  \($secret)  \(why_no_value($secret)): no new instance starts")),
  if chosen_services == [] then "\nNothing is deployed." else empty end
