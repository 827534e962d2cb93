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

def wrong_segments(other):
  segments as $segments
  | if . == "" or any($segments[]; . == "") then " has an empty segment"
    elif any($segments[]; has_lone_brace) then " has an unmatched brace"
    else $segments | other end;
def wrong_pattern(other):
  if test("^[^,[:cntrl:][:space:]]*$") then wrong_segments(other)
  else " has a character that gcloud doesn't accept" end;
def wrong_document: wrong_pattern(select(length % 2 == 1 and (any(.[]; spans) | not))
  | " names a collection, so no document matches");
# A slash at the beginning is ignored, because Firebase's own functions begin refs with one.
def wrong_ref: ltrimstr("/") | wrong_pattern(select(any(.[]; spans))
  | " can't have a segment for any number of keys");

# gcloud doesn't get the pattern of an object's name.
def wrong_object: if test("[[:cntrl:]]") then " has a control character" else wrong_segments(empty) end;

def is_bucket: . == null or (type == "string" and (. == "*" or test("^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$")));
def is_name: . == null or (type == "string" and test("^[^/,[:cntrl:][:space:]]+$"));

def wrong_trigger:
  if (.document | type == "string") and (.eventType | tostring | test(
    "^google[.]cloud[.]firestore[.]document[.]v1[.](created|updated|written|deleted)([.]withAuthContext)?$"))
  then
    (.document | "pattern \(tojson)" + wrong_document),
    wrong("fields"; are_texts; "an array of strings"),
    (select(.database | is_name | not) | "the trigger on \(.document | tojson) has an invalid database")
  elif (.ref | type == "string") and (.eventType | tostring | test(
    "^google[.]firebase[.]database[.]ref[.]v1[.](created|updated|written|deleted)$"))
  then
    (.ref | "pattern \(tojson)" + wrong_ref),
    (select(.instance | is_name | not) | "the trigger on \(.ref | tojson) has an invalid instance")
  elif .eventType | tostring | test("^google[.]cloud[.]storage[.]object[.]v1[.](finalized|deleted|metadataUpdated)$")
  then
    wrong("bucket"; is_bucket; "the name of a bucket, or *"),
    wrong("object"; type == "string"; "a pattern of objects' names"),
    (.object | strings | "pattern \(tojson)" + wrong_object)
  elif .eventType | tostring | test("^(google[.]firebase[.]auth[.]|providers/firebase[.]auth/)")
  then "\(.eventType) is an event of Authentication, which functions on Cloud Run can't get"
  elif .eventType | tostring | startswith("google.firebase.database.")
  then "a trigger has no ref or no event type of the Realtime Database"
  elif .eventType | tostring | startswith("google.cloud.storage.")
  then "\(.eventType) is no event of Cloud Storage that functions get"
  else "a trigger has no document or no Firestore event type" end;

# Cloud Run's timeout is an hour at most, and ten seconds longer than the function's. More memory
# would need more CPUs.
def limits: ["timeoutSeconds", 3590], ["concurrency", 1000], ["memoryMiB", 4096];

.name as $name
| wrong("triggers"; are_objects; "an array of objects"),
  (("writes", "refWrites", "objectWrites") as $member | wrong($member; are_texts; "an array of strings")),
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
