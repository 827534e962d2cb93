# Prints what is deployed, and its problems.
#
# Input: all files of $known.

include "deployed";
include "project";
include "realtime";
include "rules";
include "steps";
include "storage";

def revisions:
  .status as {$latestReadyRevisionName, $latestCreatedRevisionName, $traffic}
  | (select($latestReadyRevisionName != $latestCreatedRevisionName)
      | "  \($latestCreatedRevisionName)  doesn't start"),
    ($traffic[]? | select((.percent // 0) > 0)
      | "  \(.revisionName)  \(.percent) %\(if .latestRevision then ", the newest" else "" end)");

def trigger:
  (.eventFilters | map({(.attribute): .value}) | add) as {$document, $ref, $bucket, $type}
  | "  \(place.name)  \($document // $ref // "bucket \($bucket)") \($type | split(".v1.")[1])";

def compared($are_equal; $file): "\(if $are_equal then "as in" else "different from" end) \($file)";

def rules:
  firestore_rules as $rules
  | [released($rules)][0] as $id
  | "Security rules  "
    + if $id then "\($id), released \(seen("release").updateTime), \(
        compared(are_in_force($rules); $rules.file))"
      else "none: apps can neither read nor write" end;

def instance_rules:
  are_instance_rules_in_force as $are_equal
  | instance | values
  | "Realtime Database  \(place.name), \(
      if .state == "ACTIVE" then "security rules \(compared($are_equal; "database.rules.json"))"
      else .state | ascii_downcase end)";

def storage_rules:
  bucket_rules as $rules
  | released($rules) as $id
  | "Cloud Storage  \(bucket_name), security rules \(compared(are_in_force($rules); $rules.file))";

known
| "Project \(.settings.project), \(.settings.region)",
  (chosen_services[] as $name
    | "\n\($name)  \(service($name).status.url // "has no address yet")",
      (service($name) | revisions),
      (triggers_of($name)[] | trigger),
      (secrets_of($name)[] as $secret | select(has_value($secret) | not)
        | "  \($secret)  \(why_no_value($secret)): no new instance starts")),
  "\n\(rules)", instance_rules, storage_rules,
  if chosen_services == [] then "\nNothing is deployed." else empty end
