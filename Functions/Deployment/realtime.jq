# The Realtime Database, which Google's APIs call an instance, and its security rules.

include "steps";

# Tells whether the deployment has functions that get the instance's events or know its address.
def uses_instance: any(.functions[]; .usesInstance);

# The instance, or null if it doesn't exist.
def instance:
  .settings.instance as $name | [paged("instances")[] | select(place.name == $name)][0];

# The location for a new instance, from the functions' region. The instance can't be moved later, and has personal
# data: who is online.
def default_instance_location:
  .settings.region
  | if startswith("europe-") then "europe-west1"
    elif test("^(asia|australia)-") then "asia-southeast1"
    else "us-central1" end;

# The location of the instance, or of the one to be created. Its triggers must be in the same location.
def instance_location:
  [(instance | values | place.location), (.settings.instanceLocation | select(. != "")),
    default_instance_location][0];

# The address of the instance. That of a new instance follows from its name and location.
def instance_url:
  .settings.instance as $name
  | instance_location as $location
  | instance.databaseUrl
    // if $location == "us-central1" then "https://\($name).firebaseio.com"
      else "https://\($name).\($location).firebasedatabase.app" end;

def instances_url: "https://firebasedatabase.googleapis.com/v1beta/projects/\(.settings.project)/locations";
def instance_rules_url: "\(instance_url)/.settings/rules.json";

# A project's default database has this name, except in old projects.
def is_default: .settings | .instance == "\(.project)-default-rtdb";

# The reasons to stop a deployment before its first step.
def refused_instance:
  .settings as {instance: $name, instanceLocation: $wanted}
  | instance_location as $location
  | [paged("instances")[] | select(.type == "DEFAULT_DATABASE") | place.name] as $defaults
  | is_default as $is_default
  | instance
  | if . == null then
      select($is_default and $defaults != [])
      | stop(64; "the project's default Realtime Database is \($defaults[0]): choose it with"
          + " --realtime-database \($defaults[0]), or give the name of another one")
    elif $wanted != "" and $wanted != $location then
      stop(64; "--realtime-database-location is \($wanted), but Realtime Database \($name) is in \($location)")
    elif .state != "ACTIVE" then
      stop(65; "Realtime Database \($name) is \(.state | ascii_downcase): change this in Firebase's console, or"
        + " choose another one with --realtime-database")
    else empty end;

# Google's sources disagree on the type of a new default instance. The reference of
# projects.locations.instances says: "On creation only USER_DATABASE is allowed, which is also the default
# when omitted." Firebase's CLI sends DEFAULT_DATABASE (firebase-tools, src/init/features/database.ts), and
# so do examples for Terraform's google_firebase_database_instance.
def instance_step:
  instance_location as $location
  | "Realtime Database \(.settings.instance) in \($location)" as $title
  | if instance then same($title)
    else
      (if is_default then "DEFAULT_DATABASE" else "USER_DATABASE" end) as $type
      | {
          verb: "create", title: "\($title), which can't be moved later",
          command: request("POST"; "\(instances_url)/\($location)/instances?databaseId=\(.settings.instance)";
            ["--data", "{\"type\":\"\($type)\"}"]),
          hint: ("Only a Firebase project on the Blaze plan can have a Realtime Database: add Firebase to the"
            + " project in Firebase's console, https://console.firebase.google.com. If Google refuses the database"
            + " nevertheless, such as its type \($type), create it there, in \($location). If it gets another"
            + " name than \(.settings.instance), choose it with --realtime-database.")
        }
    end;

# Tells whether the rules in force are the text of database.rules.json, apart from newlines at the end.
def are_instance_rules_in_force:
  [.cloud["instance-rules"], .databaseRules | . // "" | sub("\n+\\z"; "")] | .[0] == .[1];

# Tells whether the rules in force are those of a new instance, which refuse everything, or none. They may have
# comments.
def are_default_instance_rules:
  [.cloud["instance-rules"] // "null" | gsub("/[*](.|\n)*?[*]/|//.*"; "") | fromjson?]
  | IN([null], [{rules: {".read": false, ".write": false}}]);

# Google keeps no earlier rules of the instance, so they can't be rolled back. The step saves them first: they may be
# those of another app.
def instance_rules_step:
  "security rules of Realtime Database \(.settings.instance)" as $title
  | "dist/database.rules.\(.settings.instance).\(now | strftime("%Y%m%dT%H%M%SZ")).json" as $file
  | request("PUT"; instance_rules_url; ["--data-binary", "@database.rules.json"]) as $replace
  | if are_instance_rules_in_force then same($title)
    elif are_default_instance_rules then {verb: "release", $title, command: $replace}
    else request("GET"; instance_rules_url; ["--output", $file]) as $save
      | {verb: "release", title: "\($title): replaces other rules, which are saved in \($file)",
          command: "mkdir -p dist && \($save) && \($replace)"} end
  | if .command then .hint = "If Google answers \"Unauthorized request\", see \"When apply stops\" in"
      + " Functions/DEPLOY.md." else . end;
