# The security rules of the database. A ruleset is a copy of firestore.rules that never changes. The
# database's release names the ruleset in force.

include "steps";

# The id of the database's release, as Firebase's CLI names it.
def release_id: .settings.database | "cloud.firestore" + if . == "(default)" then "" else "/\(.)" end;

def rules_url: "https://firebaserules.googleapis.com/v1/projects/\(.settings.project)";

# The id of the ruleset in force, if there is one.
def released: seen("release").rulesetName | values | split("/")[-1];

# Tells whether a ruleset has the content of firestore.rules.
def is_current($id): [.cloud["ruleset/\($id)"].source.files[]?.content] == [.rules];

# Tells whether the rules in force are those of firestore.rules.
def are_rules_in_force: [released as $id | select(is_current($id))] != [];

# The ids of the database's rulesets, oldest first. A ruleset's attachment point ends with the id or
# the uid of its database; without one, the ruleset is of the default database. Rulesets of Cloud
# Storage don't count.
def rulesets:
  .settings.database as $database
  | [$database, named("databases"; $database).uid, (select($database == "(default)") | "")] as $names
  | [paged("rulesets")[]
      | select(.attachmentPoint // .attachment_point // "" | sub(".*/"; "") | IN($names[]))
      | select(.metadata.services | . == null or any(.[]; . == "cloud.firestore"))]
  | sort_by(.createTime | rtrimstr("Z")) | map(.name | split("/")[-1]);

# Puts a ruleset in force.
def release($title; $id):
  .settings.project as $project
  | "{\"name\":\"projects/\($project)/releases/\(release_id)\",\"rulesetName\":\"projects/\($project)/rulesets/\(
      $id)\"}" as $release
  | if seen("release") then
      request("PATCH"; "\(rules_url)/releases/\(release_id)"; ["--data", "{\"release\":\($release)}"])
    else request("POST"; "\(rules_url)/releases"; ["--data", $release]) end
  | {verb: "release", $title, command: .};

# Creates a ruleset, and prints its id, or Google's error. Rules can be too long for an argument.
def new_ruleset:
  .settings as {$projectNumber, $database}
  | "{source: {files: [{name: \"firestore.rules\", content: .}]}}" as $body
  | (if $database == "(default)" then ["jq", "-Rs", $body]
      else ["jq", "-Rs", "--arg", "database",
        "firestore.googleapis.com/projects/\($projectNumber)/databases/\($database)",
        "\($body) + {attachment_point: $database}"] end + ["firestore.rules"] | shell) as $data
  | "\(request("POST"; "\(rules_url)/rulesets"; [])) --data-binary @<(\($data)) | \(
      ["jq", "-r", "if .name then .name | sub(\".*/\"; \"\")"
        + " else .error | \"\\(.message) \\(.details // \"\")\\n\" | halt_error end"] | shell)";

def rules_step:
  "security rules of database \(.settings.database)" as $title
  | rulesets[-1] as $newest
  | if are_rules_in_force then same($title)
    elif $newest and is_current($newest) then release($title; $newest)
    else new_ruleset as $ruleset | release($title; found) | finding($ruleset) end;
