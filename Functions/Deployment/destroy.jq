# The steps that delete functions from the cloud; the data that they have written stays.
#
# Input: all files of $known.

include "deployed";
include "names";
include "steps";

# The services that stay. Services belong to a region, accounts and alerts to the project.
def remaining:
  .settings.region as $region
  | chosen_services as $names
  | [list("all-services")[] | select(.metadata | (.labels["cloud.googleapis.com/location"] == $region
      and (.name | IN($names[]))) | not)];

# The regions in which functions stay.
def remaining_regions:
  [remaining[].metadata.labels | select(.application == "worldchat") | .["cloud.googleapis.com/location"]]
  | unique | join(", ");

# The accounts that remaining services run as or receive events as.
def remaining_accounts:
  "@\(.settings.project).iam.gserviceaccount.com" as $domain
  | [remaining[] | (.spec.template.spec.serviceAccountName // empty),
      (.metadata.labels | select(.application == "worldchat") | .function // empty
        | function_account, event_account | . + $domain)];

def trigger_steps:
  (triggers_of(chosen_services[])[] | place) as {$location, $name}
  | change("delete"; "trigger \($name)"; "eventarc triggers delete"; [$name, "--location=\($location)"]);

def account_steps:
  .settings.project as $project
  | remaining_accounts as $remaining
  | [list("accounts")[].email] as $there
  | (chosen_slugs[] | function_account, event_account) as $id
  | "\($id)@\($project).iam.gserviceaccount.com" as $email
  | select($email | IN($there[]) and (IN($remaining[]) | not))
  | ([seen("policy").bindings[]? | select(any(.members[]; . == "serviceAccount:\($email)")) | .role]
      | unique) as $roles
  | ($roles[] as $role
      | change("revoke"; "\($role | split("/")[-1]) of \($id)"; "projects remove-iam-policy-binding";
          [$project, "--member=serviceAccount:\($email)", "--role=\($role)", "--all"])),
    change("delete"; "account \($id)"; "iam service-accounts delete"; [$email]);

def service_steps:
  .settings.region as $region
  | chosen_services[] as $name
  | change("delete"; "service \($name)"; "run services delete"; [$name, "--region=\($region)"]);

def alert_steps:
  .alerts[].title as $title
  | [list("alerts")[] | select(.displayName == $title) | .name][0] as $name
  | select($name)
  | change("delete"; "alert: \($title)"; "alpha monitoring policies delete"; [$name]);

# The secrets that this folder's functions name.
def secret_steps:
  ([.manifests[]?.secrets[]?] | unique[]) as $name
  | select(is_there("secrets"; $name))
  | change("delete"; "secret \($name)"; "secrets delete"; [$name]);

# Triggers are deleted first, so that no event is delivered to a deleted service. Services are
# deleted after accounts: if the command fails and is repeated, the services show which functions
# were deployed.
known
| remaining_regions as $regions
| [trigger_steps, account_steps, service_steps,
    (select(.chosen == [] and $regions == "")
      | alert_steps, (select(.settings.withSecrets != "") | secret_steps))] as $steps
| .settings as {$region}
| if $steps == [] then
    say("# nothing is deployed in \($region)\(if $regions == "" then "" else ", only in \($regions)" end)")
  else
    $steps[],
    # A deleted role's name can't be used again for weeks.
    say("# The databases and buckets with their data and security rules, images, dead letters and the roles \(
        [own_roles[].name] | "\(.[:-1] | join(", ")) and \(.[-1])"), which alone give no access, stay\(
        if .settings.withSecrets == "" then ", and so do secrets" else "" end)."),
    (select($regions != "")
      | say("# Functions stay in \($regions), with their accounts, alerts and secrets."))
  end
| line
