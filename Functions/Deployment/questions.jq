# Prints the unanswered questions about the project's state, one per line: the question, KIND or
# KIND/NAME, and gcloud's command or the URL that answers it. A line has neither if the API is
# disabled, because then nothing of this kind exists. Some questions depend on other answers, so
# this program is run until no question is left.
#
# Input: all files of $known.

include "deployed";
include "names";
include "project";
include "realtime";
include "rules";
include "services";
include "steps";
include "storage";
include "triggers";

# The API of a question, and gcloud's arguments or the URL.
def words($kind; $name):
  .settings as {$project, $region, $registry, $database, $billingAccount}
  | rules_url as $rules_url
  | instances_url as $instances_url
  | instance_rules_url as $instance_rules_url
  | firestore_rules as $rules
  | bucket_name as $bucket
  | firebase_storage_url as $firebase_storage_url
  | {
      apis: [null, "services list --enabled"],
      policy: ["cloudresourcemanager", "projects get-iam-policy \($project)"],
      accounts: ["iam", "iam service-accounts list"],
      roles: ["iam", "iam roles list"],
      role: ["iam", "iam roles describe \($name)"],
      repositories: ["artifactregistry", "artifacts repositories list --location=\($region)"],
      images: ["artifactregistry", "artifacts docker images list \($registry) --include-tags"],
      secrets: ["secretmanager", "secrets list"],
      # The newest version is first.
      values: ["secretmanager", "secrets versions list \($name) --limit=1"],
      "secret-policy": ["secretmanager", "secrets get-iam-policy \($name)"],
      services: ["run", "run services list --region=\($region)"],
      "all-services": ["run", "run services list"],
      "service-policy": ["run", "run services get-iam-policy \($name) --region=\($region)"],
      revisions: ["run", "run revisions list --service=\($name) --region=\($region)"],
      databases: ["firestore", "firestore databases list"],
      composites: ["firestore", "firestore indexes composite list --database=\($database)"],
      fields: ["firestore", "firestore indexes fields list --database=\($database)"],
      ttls: ["firestore", "firestore fields ttls list --database=\($database)"],
      release: ["firebaserules", "\($rules_url)/releases/\($rules.release)"],
      ruleset: ["firebaserules", "\($rules_url)/rulesets/\($name)"],
      # A name is the token of a further page.
      releases: ["firebaserules", "\($rules_url)/releases?pageSize=100&pageToken=\($name // "")"],
      rulesets: ["firebaserules", "\($rules_url)/rulesets?pageSize=100&pageToken=\($name // "")"],
      instances: ["firebasedatabase",
        "\($instances_url)/-/instances?pageSize=100&showDeleted=true&pageToken=\($name // "")"],
      "instance-rules": ["firebasedatabase", $instance_rules_url],
      "default-bucket": ["firebasestorage", "\($firebase_storage_url)/defaultBucket"],
      "linked-bucket": ["firebasestorage", "\($firebase_storage_url)/buckets/\($bucket)"],
      bucket: ["storage", "https://storage.googleapis.com/storage/v1/b/\($bucket)"],
      "bucket-policy": ["storage", "storage buckets get-iam-policy gs://\($bucket)"],
      "bucket-release": ["firebaserules", "\($rules_url)/releases/firebase.storage/\($bucket)"],
      topics: ["pubsub", "pubsub topics list"],
      "topic-policy": ["pubsub", "pubsub topics get-iam-policy \($name)"],
      subscriptions: ["pubsub", "pubsub subscriptions list"],
      "subscription-policy": ["pubsub", "pubsub subscriptions get-iam-policy \($name)"],
      triggers: ["eventarc", "eventarc triggers list --location=-"],
      channels: ["monitoring", "beta monitoring channels list"],
      alerts: ["monitoring", "alpha monitoring policies list"],
      budgets: ["billingbudgets", "billing budgets list --billing-account=\($billingAccount)"]
    }[$kind];

# The given secrets that exist.
def existing_secrets($name): select(is_there("secrets"; $name)) | $name;

# The pages of a list. An answer names the next page.
def pages_of($kind):
  $kind, (.cloud | to_entries[] | select(.key | startswith($kind))
    | .value.nextPageToken | values | select(. != "") | "\($kind)/" + @uri);

# The rules of a disabled instance can't be read.
def instance_question: select(instance.state == "ACTIVE") | "instance-rules";

# The question for the bucket's name, unless it is set.
def bucket_question: select(.settings.bucket == "") | "default-bucket";

# The questions, round by round.
def rounds:
  .settings.command as $command
  | ["apis"],
    if $command == "rollback" then
      ["services", (select(.chosen == []) | "databases", "release", bucket_question)],
      [(chosen_services[] | "revisions/\(.)"), (select(.chosen == []) | "bucket-release")],
      [select(.chosen == []) | pages_of("rulesets"), (select(seen("bucket-release")) | pages_of("releases"))]
    elif $command == "status" then
      ["services", "triggers", "subscriptions", "secrets", "release", pages_of("instances"),
        bucket_question],
      ["ruleset/\(released(firestore_rules))", instance_question, "bucket-release",
        (existing_secrets(secrets_of(chosen_services[])[]) | "values/\(.)")],
      ["ruleset/\(released(bucket_rules))"]
    elif $command == "destroy" then
      ["services", "all-services", "triggers", "accounts", "policy", "alerts", "secrets"]
    else
      ["policy", "accounts", "repositories", "secrets", "services", "databases", "composites", "fields",
        "ttls", "release", "alerts",
        (select(has_triggers) | "topics", "subscriptions", "triggers"),
        (select(uses_instance) | pages_of("instances")),
        (select(uses_bucket) | bucket_question),
        (select(needed_roles != []) | "roles"),
        (.settings | select(.alertEmail != "") | "channels"),
        (.settings | select(.budget != "") | "budgets")],
      [(select(has_triggers and is_there("topics"; dead_letters)) | "topic-policy/\(dead_letters)"),
        (select(uses_instance) | instance_question),
        (select(uses_bucket) | "bucket", "linked-bucket", "bucket-release"),
        (select(is_known_registry and has_repository) | "images"),
        (needed_roles[].name as $name | select(is_there("roles"; $name)) | "role/\($name)"),
        (existing_secrets(wanted_secrets[]) | "values/\(.)", "secret-policy/\(.)"),
        (service(.functions[] | .event, .call | values | .name) | values
          | "service-policy/\(.metadata.name)"),
        "ruleset/\(released(firestore_rules))"],
      [(select(uses_bucket)
          | "ruleset/\(released(bucket_rules))", (select(bucket and is_of_project) | "bucket-policy")),
        (deployed(.functions[].triggers[]).transport.pubsub.subscription | values
          | "subscription-policy/\(split("/")[-1])")],
      # The rules may be those of a ruleset that was in force before.
      ((firestore_rules, (select(uses_bucket) | bucket_rules)) as $rules
        | select(are_in_force($rules) | not)
        | [pages_of("rulesets")], [rulesets($rules)[-1] | values | "ruleset/\(.)"])
    end;

known
| with_bucket
| [first((rounds - (.cloud | keys)) | select(. != []))[]][] as $question
| ($question | split("/")) as [$kind, $name]
| words($kind; $name) as [$api, $words]
| if $api == null or any(.cloud.apis[]; .config.name == "\($api).googleapis.com")
  then "\($question) \($words | if startswith("https:") then . else "gcloud \(.)" end)" else $question end
