# Derives a deployment from the functions' manifests. All names of resources are made here.
#
# Input: settings and the manifests of all functions.
# Output: {"functions": […], "apis": […], "given": [secret], "unknown": [text], "problems": [text]},
# with the functions that are deployed and the APIs that they need.

include "names";
include "patterns";
include "steps";

def is_of_ref: .eventType | startswith("google.firebase.database.ref.");
def is_of_object: .eventType | startswith("google.cloud.storage.object.");

known
| .settings as $settings
| .manifests as $manifests
| .variables as $given
| ([$manifests[].secrets[]?] | unique) as $secrets
| ($given | del(.[$secrets[]])) as $variables
| ($settings.instance != "none") as $has_instance
| ($settings.bucket != "none") as $has_bucket
# If a function's manifest has the variable, which is for the API's address or its emulator's, the
# function uses this API and needs this role.
| def rights:
  [
    {variable: "TRANSLATION_BASE_URL", api: "translate.googleapis.com",
     role: "roles/cloudtranslate.user"},
    {variable: "FCM_BASE_URL", api: "fcm.googleapis.com",
     role: "projects/\($settings.project)/roles/\(push_role)"},
    {variable: "FIREBASE_AUTH_EMULATOR_HOST", api: "identitytoolkit.googleapis.com",
     role: "projects/\($settings.project)/roles/\(account_role)"},
    (select($has_instance)
      | {variable: "FIREBASE_DATABASE_EMULATOR_HOST", api: "firebasedatabase.googleapis.com",
         role: "projects/\($settings.project)/roles/\(database_role)"})
  ];

# Tells whether a function has a variable with this name.
def is_variable: . as $name | . == "LOG_LEVEL" or any($manifests[].environment[]?; .name == $name);

def account: "\(.)@\($settings.project).iam.gserviceaccount.com";

# A trigger is of documents in a database of Firestore, of refs in the Realtime Database, or of objects in Cloud
# Storage. storage.jq names the bucket of objects that have none, because the default bucket isn't known yet.
def trigger($function):
  (.eventType | split(".v1.")[1] | split(".")[0] | kebab) as $kind
  | if is_of_object then {eventType, bucket: (.bucket | select(. != "*") // null), object}
    elif is_of_ref then {eventType, ref: (.ref | ltrimstr("/")), instance: $settings.instance}
    else {eventType, document, database: (.database // $settings.database), fields: (.fields // []),
      isPattern: (.document | test("[*{]"))} end
  | {name: "\($function | short(63 - 9 - ($kind | length) - 1))-\($kind)-\(
      "\(.eventType) \(.database // .instance // .bucket) \(.document // .ref)" | hash)"} + .;

# Eventarc can't filter by an object's name. Two triggers for one kind of events would send each event twice.
def in_one_trigger:
  [.[] | select(has("bucket") | not)]
  + [[.[] | select(has("bucket"))] | group_by(.name)[] | .[0] + {objects: map(.object)} | del(.object)];

# Tells whether a trigger of refs can match the deployment's Realtime Database.
def is_of_instance: .instance // "*" | startswith("{") or matches($settings.instance);

# Tells whether a manifest has a variable with this name.
def reads($name): any(.environment[]?; .name == $name);
def uses_instance: $has_instance and (reads("FIREBASE_DATABASE_URL") or any(.triggers[]?; is_of_ref));
# Tells whether a function has no use without the Realtime Database: it gets its events, or writes to nothing else.
def needs_instance:
  any(.triggers[]?; is_of_ref) or ([.writes[]?, .objectWrites[]?] == [] and (.refWrites // []) != []);
def writes_objects: $has_bucket and (.objectWrites // []) != [];
def uses_bucket: $has_bucket and (writes_objects or reads("STORAGE_BUCKET") or any(.triggers[]?; is_of_object));
# Tells whether a function has no use without Cloud Storage.
def needs_bucket:
  any(.triggers[]?; is_of_object) or ([.writes[]?, .refWrites[]?] == [] and (.objectWrites // []) != []);

def service($manifest; $name; $kind):
  {
    name: "\($name | short(49 - 6))-\($kind)",
    isPublic: ($kind == "call"),
    environment: (
      {
        GOOGLE_CLOUD_PROJECT: $settings.project,
        FUNCTION_SIGNATURE_TYPE: (if $kind == "call" then "http" else "cloudevent" end)
      }
      + (if $settings.database == "(default)" then {}
         else {FIRESTORE_DATABASE: $settings.database} end)
      + (if $kind == "call" and $settings.appCheck == "enforce"
         then {APP_CHECK: "enforce", GOOGLE_CLOUD_PROJECT_NUMBER: $settings.projectNumber}
         else {} end)
      # Everybody can reach this service, but its metrics are only for its operators.
      + (if $kind == "call" then {METRICS: "off"} else {} end)
      + (if $kind == "call" and $settings.anonymousCalls == "allow" then {ANONYMOUS_CALLS: "allow"}
         else {} end)
      # Null stands for the address of the Realtime Database, which may not exist yet.
      + (if $has_instance and ($manifest | reads("FIREBASE_DATABASE_URL")) then {FIREBASE_DATABASE_URL: null}
         else {} end)
      # storage.jq writes the bucket's name here.
      + (if $has_bucket and ($manifest | reads("STORAGE_BUCKET")) then {STORAGE_BUCKET: ""} else {} end)
      + ($variables | with_entries(
          .key as $key | select($key == "LOG_LEVEL" or ($manifest | reads($key))))))
  };

def function:
  . as $manifest
  | (.name | kebab) as $name
  | (.triggers // []) as $triggers
  | [rights[] | select(.variable as $variable | $manifest | reads($variable))] as $rights
  | {
      name, slug: $name,
      package: "\($settings.registry)/\($name)",
      image: "\($settings.registry)/\($name):\($settings.tag)",
      account: ($name | function_account | account),
      eventAccount: ($name | event_account | account),
      databaseRole: (if (.writes // []) == [] then "roles/datastore.viewer"
        else "roles/datastore.user" end),
      roles: ($rights | map(.role)),
      # A role in the bucket alone.
      objectRole: (if writes_objects then "projects/\($settings.project)/roles/\(object_role)" else null end),
      apis: (($rights | map(.api)) + if uses_instance then ["firebasedatabase.googleapis.com"] else [] end
        + if uses_bucket then ["firebasestorage.googleapis.com", "storage.googleapis.com"] else [] end),
      usesInstance: uses_instance,
      usesBucket: uses_bucket,
      # A secret that deploy.env sets to an empty value is left out.
      secrets: [.secrets[]? | select($given[.] != "" or ($ENV[.] // "") != "")],
      # Cloud Run's second generation needs at least 512 MiB.
      memoryMiB: ([.memoryMiB // 512, 512] | max),
      concurrency: (.concurrency // 1),
      timeoutSeconds: (.timeoutSeconds // 60),
      # Pub/Sub accepts 5 to 100 attempts. With its delays, a hundred attempts take less than a day,
      # so the event becomes a dead letter before Pub/Sub drops it.
      deliveryAttempts: (if .retry == false then 5 else 100 end),
      triggers: ([$triggers[] | trigger($name)] | in_one_trigger),
      event: (if $triggers == [] then null else service($manifest; $name; "event") end),
      call: (if .callable == true then service($manifest; $name; "call") else null end)
    };

def problems:
  . as $functions
  | ($functions | group_by(.slug)[] | select(length > 1)
     | "\(map(.name) | join(" and ")) would both be called \(.[0].slug)"),
    # Services have the name as a label.
    ($functions[] | select((.name | test("^[A-Za-z][A-Za-z0-9_-]*$")) and (.slug | length) <= 63 | not)
     | "\(.name | tojson) can't be the name of a service"),
    ($functions[] | select(.event == null and .call == null)
     | "\(.name) has no trigger and can't be called: there is nothing to deploy"),
    # A secret and a variable of the same name would overwrite each other. knative.jq sets
    # GOOGLE_APPLICATION_CREDENTIALS.
    ($functions[] | .name as $name
     | ["GOOGLE_APPLICATION_CREDENTIALS", (.event, .call | .environment? // {} | keys[])] as $set
     | .secrets[]
     | select(IN($set[]) or (in($given) and is_variable))
     | "\($name): secret \(.) is also set as a variable");

# With an invalid log level, no service starts. With an invalid address, a service starts, and fails
# when it needs the address. The error texts are those of Shared/FunctionRuntime/Configuration.swift
# and Shared/Chat: Configuration+Addresses.swift and PushService.swift.
def levels: ["trace", "debug", "info", "notice", "warning", "error", "critical"];

def wrong_base_url:
  if test("^https?://[^/?#[:space:]]+[^[:space:]]*$"; "i") | not then "the URL isn't a valid http or https URL"
  elif test("^[^/]+//[^/?#]*@") then "the URL must not name a user"
  elif test("^http:"; "i") then "refused, http would leak keys on the way; use https"
  elif test("[?#]") then "the URL must have no query or fragment"
  else empty end;

def wrong_value:
  select(.value != "")
  | if .key == "LOG_LEVEL" then
      select(.value | ascii_downcase | IN(levels[]) | not) | "LOG_LEVEL must be one of \(levels | join(", "))"
    elif .key == "FCM_ANALYTICS_LABEL" then
      select(.value | test("\\A[A-Za-z0-9_.~%-]{1,50}\\z") | not)
      | "FCM_ANALYTICS_LABEL must be 1 to 50 letters, digits or -_.~%"
    elif .key | IN("WEB_APP_URL", "FIREBASE_DATABASE_URL") or endswith("_BASE_URL") then
      .key as $name | .value | wrong_base_url | "\($name): \(.)"
    else empty end;

[$manifests[].name] as $names
| (if .chosen == [] then $names else .chosen end) as $chosen
| [$manifests[] | function] as $all
| [$all[] | select(.name | IN($chosen[]))] as $functions
| {
    functions: $functions,
    apis: (["artifactregistry", "cloudresourcemanager", "eventarc", "eventarcpublishing", "firebaserules",
            "firestore", "iam", "logging", "monitoring", "pubsub", "run", "secretmanager"]
      | map("\(.).googleapis.com")
      | . + [$functions[].apis[]]
      | . + (if $settings.budget == "" then [] else ["billingbudgets.googleapis.com"] end)
      | unique),
    # The secrets whose values are set here.
    given: [$secrets[] | select([$ENV[.], $given[.]] | any(. != null and . != ""))],
    unknown: [$chosen[] | select(IN($names[]) | not)
      | "no function is called \(shown); there are: \($names | join(", "))"],
    problems: [
      ($all | problems),
      ($manifests[] | select(.name | IN($chosen[])) | .name as $name | .environment[]?
       | select(.required and .name != "GOOGLE_CLOUD_PROJECT" and $variables[.name] == null)
       | "\($name) needs \(.name): set it in \($settings.file)"),
      ($manifests[] | select(.name | IN($chosen[])) | select(needs_instance and ($has_instance | not))
       | "\(.name) needs a Realtime Database, but --realtime-database is none: leave it out or choose a database"),
      ($manifests[] | select(.name | IN($chosen[])) | select(needs_bucket and ($has_bucket | not))
       | "\(.name) needs Cloud Storage, but --storage-bucket is none: leave it out or choose a bucket"),
      ($variables.FIREBASE_DATABASE_URL // "" | select(. != "" and ($has_instance | not))
       | "\($settings.file): FIREBASE_DATABASE_URL is set, but --realtime-database is none"),
      ($manifests[] | select(.name | IN($chosen[])) | .name as $name | .triggers[]?
       | select($has_instance and is_of_ref and (is_of_instance | not))
       | "\($name) has a trigger for Realtime Databases called \(.instance | tojson), but the deployment's is "
         + "\($settings.instance): choose another with --realtime-database"),
      ($variables | keys[] | select(is_variable | not)
       | "\($settings.file): \(.) is a variable of no function"),
      ($variables | to_entries[] | wrong_value | "\($settings.file): \(.)")
    ]
  }
