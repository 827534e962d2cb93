# Security rules. A ruleset is a copy of a file that never changes. A release names the ruleset in force.
#
# $rules are those of one database or bucket: {service, release, question, file, text, attachment}.
# `question` is the one for the release.

include "steps";

# The rules of the database, whose release has the name that Firebase's CLI gives it.
def firestore_rules:
  .settings as {$database, $projectNumber}
  | {
      service: "cloud.firestore", question: "release", file: "firestore.rules", text: .rules,
      release: ("cloud.firestore" + if $database == "(default)" then "" else "/\($database)" end),
      attachment: (if $database == "(default)" then null
        else "firestore.googleapis.com/projects/\($projectNumber)/databases/\($database)" end)
    };

def rules_url: "https://firebaserules.googleapis.com/v1/projects/\(.settings.project)";

# The id of the ruleset in force, if there is one.
def released($rules): seen($rules.question).rulesetName | values | split("/")[-1];

# Tells whether a ruleset has the content of the file.
def is_current($rules; $id): [.cloud["ruleset/\($id)"].source.files[]?.content] == [$rules.text];

# Tells whether the rules in force are those of the file.
def are_in_force($rules): [released($rules) as $id | select(is_current($rules; $id))] != [];

# The ids of the rulesets of the database, or of all buckets, oldest first. A ruleset's attachment
# point ends with the id or the uid of its database; without one, the ruleset is of the default
# database or of a bucket.
def rulesets($rules):
  .settings.database as $database
  | [$database, named("databases"; $database).uid, (select($database == "(default)") | "")] as $names
  | [paged("rulesets")[]
      | if $rules.service == "cloud.firestore" then
          select(.attachmentPoint // .attachment_point // "" | sub(".*/"; "") | IN($names[]))
          | select(.metadata.services | . == null or any(.[]; . == "cloud.firestore"))
        else select(any(.metadata.services[]?; . == $rules.service)) end]
  | sort_by(.createTime | rtrimstr("Z")) | map(.name | split("/")[-1]);

# Puts a ruleset in force.
def release($rules; $title; $id):
  .settings.project as $project
  | "{\"name\":\"projects/\($project)/releases/\($rules.release)\",\"rulesetName\":\"projects/\($project)/rulesets/\(
      $id)\"}" as $release
  | if seen($rules.question) then
      request("PATCH"; "\(rules_url)/releases/\($rules.release)"; ["--data", "{\"release\":\($release)}"])
    else request("POST"; "\(rules_url)/releases"; ["--data", $release]) end
  | {verb: "release", $title, command: .};

# Creates a ruleset, and prints its id, or Google's error. Rules can be too long for an argument.
def new_ruleset($rules):
  "{source: {files: [{name: \($rules.file | tojson), content: .}]}}" as $body
  | (if $rules.attachment == null then ["jq", "-Rs", $body]
      else ["jq", "-Rs", "--arg", "database", $rules.attachment, "\($body) + {attachment_point: $database}"] end
      + [$rules.file] | shell) as $data
  | "\(request("POST"; "\(rules_url)/rulesets"; [])) --data-binary @<(\($data)) | \(
      ["jq", "-r", "if .name then .name | sub(\".*/\"; \"\")"
        + " else .error | \"\\(.message) \\(.details // \"\")\\n\" | halt_error end"] | shell)";

def rules_step($rules; $title):
  rulesets($rules)[-1] as $newest
  | if are_in_force($rules) then same($title)
    elif $newest and is_current($rules; $newest) then release($rules; $title; $newest)
    else new_ruleset($rules) as $ruleset | release($rules; $title; found) | finding($ruleset) end;
