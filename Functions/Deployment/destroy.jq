# The steps that take functions out of the cloud; what they have written stays.
#
# Input: all that is known, in parts.

include "deployed";
include "firestore";
include "names";
include "steps";

# Services that stay: accounts and alerts are the project's, services a region's.
def remaining:
  .settings.region as $region
  | chosen_services as $names
  | [list("all-services")[] | select(.metadata | (.labels["cloud.googleapis.com/location"] == $region
      and (.name | IN($names[]))) | not)];

# Where functions go on.
def remaining_regions:
  [remaining[].metadata.labels | select(.application == "worldchat") | .["cloud.googleapis.com/location"]]
  | unique | join(", ");

# Those that services which stay are or get events as.
def remaining_accounts:
  "@\(.settings.project).iam.gserviceaccount.com" as $domain
  | [remaining[] | (.spec.template.spec.serviceAccountName // empty),
      (.metadata.labels | select(.application == "worldchat") | .function // empty
        | function_account, event_account | . + $domain)];

def trigger_steps:
  .settings.region as $region
  | chosen_services as $services
  | ["--location=\(location)"] as $location
  | [list("triggers")[] | select(.destination.cloudRun | .region == $region and (.service | IN($services[])))
      | .name | split("/")[-1]][] as $name
  | change("delete"; "trigger \($name)"; "eventarc triggers delete"; [$name] + $location);

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

# The keys that functions of this folder name.
def secret_steps:
  ([.manifests[]?.secrets[]?] | unique[]) as $name
  | select(is_there("secrets"; $name))
  | change("delete"; "secret \($name)"; "secrets delete"; [$name]);

# Triggers first: nothing is delivered to what isn't there any more. Then services, which tell which
# functions there were, if this has to be done again.
known
| remaining_regions as $regions
| [trigger_steps, account_steps, service_steps,
    (select(.chosen == [] and $regions == "")
      | alert_steps, (select(.settings.withSecrets != "") | secret_steps))] as $steps
| .settings as {$region}
| if $steps == [] then
    say("# nothing of it is there, in \($region)\(if $regions == "" then "" else ", but in \($regions)" end)")
  else
    $steps[],
    # Google keeps a deleted role's name for weeks.
    say("# The database and all that is in it, images, dead letters and the role \(push_role), by itself of"
      + " no use to anybody, stay\(if .settings.withSecrets == "" then ", and so do secrets" else "" end)."),
    (select($regions != "")
      | say("# Functions go on in \($regions), and with them their accounts, alerts and secrets."))
  end
| line
