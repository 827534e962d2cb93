# Prints the errors in a function's manifest, each as a sentence. With some of them, `serve` doesn't
# start (Shared/FunctionHost/Workers/InstalledFunction.swift), so the revision would never become
# ready. Google refuses the others. Unknown fields are ignored: newer functions may have more.
#
# Input: a manifest of contract 1 with a name.

include "patterns";

def wrong($member; is_right; $form):
  .[$member] | select(. != null) | select(is_right | not) | "\($member) can't be \(tojson): it must be \($form)";

def is_boolean: type == "boolean";
def are_texts: type == "array" and all(.[]; type == "string");
def are_objects: type == "array" and all(.[]; type == "object");
def are_variables:
  are_objects and all(.[]; (.name | type == "string") and (.required | type == "boolean"));

def has_lone_brace: (if test("^\\{.*\\}$") then .[1:-1] else . end) | test("[{}]");

def wrong_pattern:
  segments as $segments
  | if test("^[^,[:cntrl:][:space:]]*$") | not then " has a character that gcloud doesn't accept"
    elif . == "" or any($segments[]; . == "") then " has an empty segment"
    elif ($segments | length) % 2 == 1 and (any($segments[]; spans) | not)
      then " names a collection, so no document matches"
    elif any($segments[]; has_lone_brace) then " has an unmatched brace"
    else empty end;

def is_database: . == null or (type == "string" and test("^[^/,[:cntrl:][:space:]]+$"));

def wrong_trigger:
  if (.document | type == "string") and (.eventType | tostring | test(
    "^google[.]cloud[.]firestore[.]document[.]v1[.](created|updated|written|deleted)([.]withAuthContext)?$"))
  then
    (.document | "pattern \(tojson)" + wrong_pattern),
    wrong("fields"; are_texts; "an array of strings"),
    (select(.database | is_database | not) | "the trigger on \(.document | tojson) has an invalid database")
  elif .eventType | tostring | test("^(google[.]firebase[.]auth[.]|providers/firebase[.]auth/)")
  then "\(.eventType) is an event of Authentication, which functions on Cloud Run can't get"
  elif .eventType | tostring | startswith("google.firebase.database.ref.v1.")
  then "the trigger on \(.ref | tojson) is of the Realtime Database: deploy.sh can't create such triggers yet"
  else "a trigger has no document or no Firestore event type" end;

# Cloud Run's timeout is an hour at most, and ten seconds longer than the function's. More memory
# would need more CPUs.
def limits: ["timeoutSeconds", 3590], ["concurrency", 1000], ["memoryMiB", 4096];

.name as $name
| wrong("triggers"; are_objects; "an array of objects"),
  wrong("writes"; are_texts; "an array of strings"),
  wrong("secrets"; are_texts; "an array of strings"),
  wrong("environment"; are_variables; "an array of objects with name and required"),
  (("callable", "retry", "worker") as $member | wrong($member; is_boolean; "true or false")),
  (limits as [$member, $most]
    | wrong($member; type == "number" and . == floor and . >= 1 and . <= $most;
        "a whole number from 1 to \($most) on Cloud Run")),
  (.secrets | arrays | map(strings)
    | (.[] | select(test("^[A-Z][A-Z0-9_]*$") | not) | "secret \(tojson) is not a valid variable name"),
      (group_by(.)[] | select(length > 1) | "secret \(.[0]) is listed twice")),
  (.triggers | arrays | .[] | objects | wrong_trigger)
| "\($name): \(.)"
