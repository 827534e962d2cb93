# The steps of a deployment in order, each as a line for the shell.
#
# Input: all files of $known. $part is "begin" for the steps before the rest of the project's state
# can be read, "rest" for the others, or "all" for a plan.

include "firestore";
include "project";
include "realtime";
include "rules";
include "services";
include "steps";
include "storage";
include "triggers";

known
| with_bucket
| (.settings.command == "plan") as $is_plan
| (if $part == "begin" then refused_images, api_steps
  else
    refused_database,
    (select(uses_instance) | refused_instance),
    (select(uses_bucket) | refused_bucket),
    (select($is_plan) | say("set -euo pipefail")),
    (location as $location | .settings
      | say("# Project \(.project), services in \(.region), database \(.database) in \($location), images :\(
          .tag)")),
    warning_of_anonymous_calls,
    (select($is_plan) | api_steps),
    missing_secrets, repository_step, account_steps, secret_steps,
    database_step, rules_step(firestore_rules; "security rules of database \(.settings.database)"), composite_steps,
    field_steps, expiry_steps,
    (select(uses_instance) | instance_step, instance_rules_step),
    (select(uses_bucket) | storage_steps),
    dead_letter_steps, service_steps, trigger_steps, access_steps,
    obsolete_roles, alert_steps, budget_step
  end)
| line
