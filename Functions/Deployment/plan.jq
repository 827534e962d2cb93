# All steps of a deployment, in their order, each as a line for the shell.
#
# Input: all that is known, in parts. $part is "begin", what comes before anything else can be asked, or
# "go on"; a plan is both in one.

include "firestore";
include "project";
include "services";
include "steps";
include "triggers";

known
| (.settings.command == "plan") as $is_plan
| (if $part == "begin" then refused_images, api_steps
  else
    refused_database,
    (select($is_plan) | say("set -euo pipefail")),
    (location as $location | .settings
      | say("# Project \(.project), services in \(.region), database \(.database) in \($location), images :\(
          .tag)")),
    warning_of_anonymous_calls,
    (select($is_plan) | api_steps),
    missing_secrets, repository_step, account_steps, secret_steps,
    database_step, composite_steps, field_steps, expiry_steps,
    dead_letter_steps, service_steps, trigger_steps, access_steps,
    obsolete_roles, alert_steps, budget_step
  end)
| line
