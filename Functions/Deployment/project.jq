# The resources that functions share: APIs, the image repository, accounts, secrets, dead letters,
# alerts.

include "names";
include "steps";

# The first step of every deployment: without the APIs, the project's state can't be read.
def api_steps:
  (.apis - [list("apis")[].config.name]) as $missing
  | if $missing == [] then same("APIs") else change("enable"; "APIs"; "services enable"; $missing) end;

def own_registry: .settings | "\(.region)-docker.pkg.dev/\(.project)/worldchat";
# Tells whether the registry's repository exists.
def has_repository: is_there("repositories"; .settings.registry | split("/")[-1]);

def repository_step:
  if .settings.registry != own_registry then same("images from \(.settings.registry)")
  else create("repositories"; "worldchat"; "repository worldchat for images"; ""; "artifacts repositories";
    ["worldchat", "--repository-format=docker", "--location=\(.settings.region)"]) end;

def account_step($email; $title):
  ($email | split("@")[0]) as $id
  | create("accounts"; $email; "account \($id)"; ", \($title)"; "iam service-accounts";
      [$id, "--display-name=\($title)"]);

# The roles of this project that the functions need.
def needed_roles:
  [.functions[] | .roles[], .objectRole | values | split("/")[-1]] as $names
  | own_roles | map(select(.name | IN($names[])));
def role_steps:
  needed_roles[] as {$name, title: $meaning, $permissions}
  | ($permissions | join(",")) as $list
  | "role \($name): \($permissions | join(", "))" as $title
  | if is_there("roles"; $name) | not then
      change("create"; $title; "iam roles create"; [$name, "--title=\($meaning)", "--stage=GA",
        "--permissions=\($list)"])
    elif seen("role/\($name)").includedPermissions // [] | sort == $permissions then same($title)
    else change("update"; "\($title), and no more"; "iam roles update";
      [$name, "--permissions=\($list)"]) end;

# The title of conditions that deploy.sh sets.
def condition_title: "worldchat";
# gcloud's option for a condition with this expression; an empty expression means no condition.
def condition:
  "--condition=" + if . == "" then "None" else "expression=\(.),title=\(condition_title)" end;
def where: if . == "" then "" else " where \(.)" end;
# A condition that holds only for the functions' database.
def this_database: .settings | "resource.name == \"projects/\(.project)/databases/\(.database)\"";

def project_role($account; $role; $title; $expression):
  "\($title): \($role | split("/")[-1])\($expression | where)" as $title
  | if grants("policy"; "serviceAccount:\($account)"; $role; $expression) then same($title)
    else change("grant"; $title; "projects add-iam-policy-binding"; [.settings.project,
      "--member=serviceAccount:\($account)", "--role=\($role)", ($expression | condition)]) end;

# Two accounts for each function, with their roles: the function runs as one, and its events are
# delivered as the other.
def account_steps:
  (.functions[] as $function
    | account_step($function.account; "runs \($function.name)"),
      if $function.event then account_step($function.eventAccount; "delivers events to \($function.name)")
      else empty end),
  role_steps,
  (.functions[] as $function
    | project_role($function.account; $function.databaseRole; "role of \($function.name)"; this_database),
      project_role($function.account; $function.roles[]; "role of \($function.name)"; ""),
      if $function.event then project_role($function.eventAccount; "roles/eventarc.eventReceiver";
        "role of \($function.name)'s events"; "") else empty end);

# Roles that earlier deployments granted but this one doesn't need: for all databases, for another
# database, or with more permissions. Other roles of a function's account stay.
def obsolete_roles:
  ["projects/\(.settings.project)/roles/\(own_roles[].name)"] as $own
  | .functions[] as $function
  | "serviceAccount:\($function.account)" as $member
  | [[$function.databaseRole, this_database], ($function.roles[] | [., ""])] as $needed
  | [seen("policy").bindings[]?
      | select(any(.members[]; . == $member))
      | select(.condition == null or .condition.title == condition_title)
      | select(.role | IN("roles/datastore.user", "roles/datastore.viewer", "roles/cloudtranslate.user",
          "roles/firebasecloudmessaging.admin", $own[]))
      | [.role, .condition.expression // ""] | select(IN($needed[]) | not)][] as [$role, $expression]
  | change("revoke"; "role of \($function.name): \($role | split("/")[-1])\($expression | where)";
      "projects remove-iam-policy-binding";
      [.settings.project, "--member=\($member)", "--role=\($role)", ($expression | condition)]);

def wanted_secrets: [.functions[].secrets[]] | unique;

# The state of a secret's newest version, which functions use, or null if there is none. A secret
# without a version exists if adding its value failed.
def newest_version($name): .cloud["values/\($name)"][0].state?;
def has_value($name): newest_version($name) == "ENABLED";
def why_no_value($name):
  newest_version($name)
  | if . then "its newest version in Secret Manager is \(ascii_downcase)" else "Secret Manager has none" end;

# No step is run while a key is missing.
def missing_secrets:
  [(wanted_secrets - .given)[] as $name | select(has_value($name) | not)
    | "\($name) has no value, and \(why_no_value($name)): export it, or write \($name)= into \(
        .settings.file) to deploy without it"] as $missing
  | if .settings.command == "plan" then note($missing[])
    elif $missing == [] then empty
    else stop(78; $missing | join("\n")) end;

def secret_steps:
  (wanted_secrets[] as $name
    | if has_value($name) then same("secret \($name)")
      elif is_there("secrets"; $name) then
        change("add"; "value of secret \($name): \(why_no_value($name))"; "secrets versions add";
          [$name, "--data-file=-"]) | reading("printf %s \"${\($name):?}\"")
      else change("create"; "secret \($name)"; "secrets create";
        [$name, "--replication-policy=automatic", "--data-file=-"])
        | reading("printf %s \"${\($name):?}\"") end),
  (.functions[] as $function | $function.secrets[] as $name
    | grant("secret-policy/\($name)"; "serviceAccount:\($function.account)";
        "roles/secretmanager.secretAccessor"; "\($function.name) may read \($name)"; "secrets"; [$name]));

def has_triggers: any(.functions[]; .event);

# Pub/Sub's service account in the project, as a member of policies.
def pubsub_member:
  "serviceAccount:service-\(.settings.projectNumber)@gcp-sa-pubsub.iam.gserviceaccount.com";

# Dead letters stay for a week in their own subscription. After a pull, there are ten
# minutes to replay and acknowledge them, which is Pub/Sub's maximum.
def dead_letter_steps:
  "topic-policy/\(dead_letters)" as $policy
  | select(has_triggers)
  | named("subscriptions"; dead_letters) as $subscription
  | create("topics"; dead_letters; "topic \(dead_letters)"; ""; "pubsub topics"; [dead_letters]),
    if $subscription != null and $subscription.ackDeadlineSeconds != 600 then
      change("update"; "subscription \(dead_letters): 600 s to acknowledge dead letters";
        "pubsub subscriptions update"; [dead_letters, "--ack-deadline=600"])
    else create("subscriptions"; dead_letters; "subscription \(dead_letters)"; ", which keeps them a week";
      "pubsub subscriptions"; [dead_letters, "--topic=\(dead_letters)", "--ack-deadline=600",
        "--message-retention-duration=7d", "--expiration-period=never"]) end,
    if grants($policy; pubsub_member; "roles/pubsub.publisher"; "") then empty
    else change("create"; "Pub/Sub's service account in the project"; "beta services identity create";
      ["--service=pubsub.googleapis.com"]) end,
    grant($policy; pubsub_member; "roles/pubsub.publisher"; "Pub/Sub may write dead letters";
      "pubsub topics"; [dead_letters]);

def alert_steps:
  .settings as {$project, alertEmail: $address}
  | [select($address != "") | list("channels")[]
      | select(.type == "email" and .labels.email_address == $address) | .name][0] as $known
  | (if $address == "" then null else $known // found end) as $channel
  | if $address == "" then empty
    elif $known then same("alerts go to \($address)")
    else change("create"; "alerts go to \($address)"; "beta monitoring channels create"; ["--type=email",
      "--display-name=\($address)", "--channel-labels=email_address=\($address)"]) end,
    (.alerts[] as {$file, $title}
      | [list("alerts")[] | select(.displayName == $title)][0] as $alert
      | if $alert == null then
          change("create"; "alert: \($title)"; "alpha monitoring policies create";
            ["--policy-from-file=\($file)", ($channel | values | "--notification-channels=\(.)")])
        elif $channel == null or any($alert.notificationChannels[]?; . == $channel) then
          same("alert: \($title)")
        else change("update"; "alert: \($title), also to \($address)"; "alpha monitoring policies update";
          [$alert.name, "--add-notification-channels=\($channel)"]) end
      | if .command and $channel == found then
          finding("gcloud beta monitoring channels list --project=\($project) --limit=1"
            + " --filter=labels.email_address=\($address) --format=\u0027value(name)\u0027")
        else . end);

def budget_step:
  .settings as {$project, $budget, $billingAccount}
  | "worldchat \($project)" as $title
  | select($budget != "")
  | [list("budgets")[] | select(.displayName == $title)][0] as $known
  | ($known.amount.specifiedAmount
      | (.units // "0" | tonumber) + (.nanos // 0) / 1000000000) as $amount
  | if $known == null then
      change("create"; "budget of \($budget) a month: mail at 50, 90 and 100 %";
        "billing budgets create"; ["--billing-account=\($billingAccount)", "--display-name=\($title)",
          "--budget-amount=\($budget)", "--filter-projects=projects/\($project)",
          "--threshold-rule=percent=0.5", "--threshold-rule=percent=0.9", "--threshold-rule=percent=1.0"])
    elif $amount == ($budget | tonumber) then same("budget of \($budget) a month")
    else change("update"; "budget, from \($amount) to \($budget) a month"; "billing budgets update";
      [$known.name, "--budget-amount=\($budget)"]) end;
