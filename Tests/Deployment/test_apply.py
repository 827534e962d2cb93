"""Apply runs exactly the commands that plan prints, each of them once."""

import json
import shlex
import shutil
import subprocess

import pytest

from conftest import EVENT, MESSAGES, commands, manifest, project, trigger


def test_plan_is_what_apply_runs(cloud, first_run):
    # The plan works when it is pasted into a shell.
    subprocess.run(
        ["bash", "-c", first_run["plan"]],
        check=True, cwd=cloud.root, env=cloud.environment, capture_output=True,
    )
    assert cloud.changes == first_run["changes"]
    assert cloud.state == first_run["state"]
    # Most commands are one call; that of the security rules is two requests.
    assert len(cloud.changes) == sum(line.count(" --request ") or 1 for line in commands(first_run["plan"]))


def test_a_plan_without_an_account_has_the_same_commands(cloud, first_run):
    cloud.change_state(lambda state: state.update(signedOut=True))
    offline = cloud.must("plan")
    assert "You do not currently have an active account" in offline.stderr
    # Only the project's number is unknown.
    number = "\"--member=serviceAccount:service-$(gcloud projects describe my-project --format='value(projectNumber)')"
    assert [
        line.replace(number, "--member=serviceAccount:service-123456789012").replace('.com" --role', ".com --role")
        for line in commands(offline.stdout)
    ] == commands(first_run["plan"])
    assert cloud.run("apply").returncode == 1
    assert cloud.changes == []


def test_plan_needs_no_gcloud(cloud):
    tools = cloud.state_folder.parent / "few"
    tools.mkdir()
    for name in ("bash", "jq", "env", "sed", "grep", "head", "tail", "cat", "rm", "mktemp", "mkdir", "ls", "cksum",
                 "tr", "dirname", "sh", "git"):
        (tools / name).symlink_to(shutil.which(name))
    plan = cloud.must("plan", "--offline", PATH=str(tools)).stdout
    assert len(commands(plan)) > 40
    refused = cloud.run("apply", PATH=str(tools))
    assert refused.returncode == 69 and "gcloud is missing" in refused.stderr


def test_apply_prints_how_apps_call_the_functions(deployed):
    printed = deployed.must("apply").stdout
    url = "https://translate-message-call-123456789012.us-central1.run.app"
    assert f"  translateMessage  {url}\n" in printed
    assert "sendNotification  https" not in printed
    for line in ('httpsCallableFromURL(getFunctions(), "https://', "httpsCallable(URL(string: ",
                 "getHttpsCallableFromUrl(URL(", "httpsCallableFromUrl("):
        assert line in printed
    assert printed.index("unchanged\n") < printed.index(url)


def test_applying_again_changes_nothing(deployed):
    extras = ("--budget", "20.50", "--billing-account", "012345-6789AB-CDEF01", "--alert-email", "a@b.example")
    deployed.must("apply", *extras)
    assert len(deployed.changes) == 5
    budget, = deployed.state["budgets"].values()
    assert budget["projects"] == "projects/my-project"
    assert budget["thresholds"] == ["percent=0.5", "percent=0.9", "percent=1.0"]
    deployed.forget_calls()
    again = deployed.must("apply", *extras)
    assert deployed.changes == []
    assert "# 0 done" in again.stdout
    plan = deployed.must("plan", *extras).stdout
    assert commands(plan) == []
    assert "# 0 to do" in plan


def test_what_is_different_is_updated_and_nothing_else(deployed):
    cloud = deployed
    cloud.must("apply", "askAI", "--budget", "20", "--billing-account", "012345-6789AB-CDEF01")
    cloud.forget_calls()
    cloud.set_env("TRANSLATION_GLOSSARY=a,b;c\n")
    cloud.must("apply", "--budget", "30", "--billing-account", "012345-6789AB-CDEF01")
    changed = [" ".join(call["argv"][:4]) for call in cloud.changes]
    assert changed == [
        "gcloud run deploy translate-message-event", "gcloud run deploy translate-message-call",
        "gcloud billing budgets update",
    ]
    environment = next(word for word in cloud.changes[0]["argv"] if word.startswith("--set-env-vars"))
    assert environment.startswith("--set-env-vars=^|^") and "|TRANSLATION_GLOSSARY=a,b;c" in environment


def test_a_failure_half_way_is_reported_and_the_next_run_continues(cloud, first_run):
    # Wherever apply fails, the next run creates nothing twice and leaves nothing out.
    done = []
    for match in ["iam service-accounts create", "secrets create MODEL", "run deploy translate-message-call",
                  "eventarc triggers create", "subscriptions update", "policies create"]:
        cloud.fail(match)
        failed = cloud.run("apply")
        assert failed.returncode == 1
        assert "PERMISSION_DENIED" in failed.stderr and "command again: it continues" in failed.stderr
        assert match in " ".join(cloud.changes[-1]["argv"])
        done += cloud.changes[:-1]
        cloud.forget_calls()
    cloud.must("apply")
    done += cloud.changes
    # Each run logs in again.
    assert [call for call in done if "login" not in call["argv"]] == [
        call for call in first_run["changes"] if "login" not in call["argv"]]
    assert cloud.state == first_run["state"]


def test_a_secret_without_a_value_gets_it_in_the_next_run(cloud, first_run):
    cloud.change_state(lambda state: state.update(refusesVersions=True))
    assert "this step failed: create secret MODEL_KEY" in cloud.run("apply").stderr
    assert list(cloud.state["secrets"]) == ["MODEL_KEY"]
    cloud.change_state(lambda state: state.pop("refusesVersions"))
    # Without the key in the environment, apply reports that the key is missing.
    missing = cloud.run("apply", MODEL_KEY="")
    assert missing.returncode == 78 and "MODEL_KEY has no value" in missing.stderr
    cloud.forget_calls()
    assert 'printf %s "${MODEL_KEY:?}" | gcloud secrets versions add MODEL_KEY' in cloud.must("plan").stdout
    cloud.must("apply")
    added, = [call for call in cloud.changes if call["argv"][1:4] == ["secrets", "versions", "add"]]
    assert added["stdin"] == "key-of-model-2"
    assert cloud.state == first_run["state"]


def test_a_secret_whose_versions_are_disabled_gets_another(deployed):
    deployed.change_state(lambda state: state["versions"]["MODEL_KEY"][0].update(state="DISABLED"))
    deployed.must("apply")
    assert [call["argv"][1:5] for call in deployed.changes] == [["secrets", "versions", "add", "MODEL_KEY"]]
    deployed.forget_calls()
    deployed.must("apply")
    assert deployed.changes == []


def disable_newest(state):
    """Disables the newest of two versions, as after a mix-up of keys."""
    first, = state["versions"]["MODEL_KEY"]
    state["versions"]["MODEL_KEY"].append({**first, "name": first["name"][:-1] + "2", "state": "DISABLED"})


def test_functions_never_get_an_older_version(deployed):
    deployed.change_state(disable_newest)
    why = "its newest version in Secret Manager is disabled"
    assert f"MODEL_KEY  {why}: no new instance starts" in deployed.must("status", "askAI").stdout
    assert f"# add       value of secret MODEL_KEY: {why}" in deployed.must("plan", "askAI").stdout
    assert f"MODEL_KEY has no value, and {why}" in deployed.must("plan", "askAI", MODEL_KEY="").stdout
    refused = deployed.run("apply", "askAI", MODEL_KEY="")
    assert refused.returncode == 78 and f"MODEL_KEY has no value, and {why}" in refused.stderr
    assert deployed.changes == []
    deployed.must("apply", "askAI")
    assert [call["argv"][1:5] for call in deployed.changes] == [["secrets", "versions", "add", "MODEL_KEY"]]
    assert "MODEL_KEY" not in deployed.must("status", "askAI").stdout


def test_status_names_a_secret_that_is_gone(deployed):
    deployed.change_state(lambda state: state["secrets"].pop("MODEL_KEY"))
    assert "MODEL_KEY  Secret Manager has none: no new instance starts" in deployed.must("status", "askAI").stdout
    assert "MODEL_KEY" not in deployed.must("status", "translateMessage").stdout


def test_a_failed_read_stops_apply(deployed):
    cloud = deployed
    cloud.fail("run services list")
    result = cloud.run("apply")
    assert result.returncode == 1
    assert "reading the project's state failed: gcloud run services list" in result.stderr
    assert cloud.changes == []


def test_a_function_of_both_kinds_is_two_services_of_one_image(first_run):
    services = {call["argv"][3]: call["argv"] for call in first_run["changes"]
                if call["argv"][1:3] == ["run", "deploy"]}
    assert sorted(services) == ["ask-ai-call", "forget-user-event", "translate-message-call", "translate-message-event"]
    event, call = services["translate-message-event"], services["translate-message-call"]
    image, = {word for word in event + call if word.startswith("--image=")}
    assert image.startswith("--image=us-central1-docker.pkg.dev/my-project/worldchat/translate-message@sha256:")
    assert {"--ingress=internal", "--concurrency=32", "--timeout=40s"} <= set(event)
    assert "--execution-environment=gen2" in event and "--execution-environment=gen2" in call
    assert {"--ingress=all", "--memory=512Mi"} <= set(call)
    variables = environment_of(event)
    assert "FUNCTION_SIGNATURE_TYPE=cloudevent" in variables and "METRICS" not in variables
    variables = environment_of(call)
    # Anybody can send requests to the service, so it serves no metrics, and a call needs a token.
    assert {"FUNCTION_SIGNATURE_TYPE=http", "METRICS=off"} <= set(variables.split("=", 1)[1].split(","))
    assert "APP_CHECK" not in variables and "ANONYMOUS_CALLS" not in variables


def environment_of(argv):
    return next(word for word in argv if word.startswith("--set-env-vars"))


def deployments(cloud):
    return {call["argv"][3]: call["argv"] for call in cloud.changes if call["argv"][1:3] == ["run", "deploy"]}


@pytest.mark.parametrize("how", ["option", "file", "shell"])
def test_anonymous_calls_are_warned_of(deployed, how):
    cloud = deployed
    option = ["--anonymous-calls"] if how == "option" else []
    if how == "file":
        cloud.set_env("ANONYMOUS_CALLS=allow\n")
    if how == "shell":
        cloud.environment["ANONYMOUS_CALLS"] = "allow"
    plan = cloud.must("plan", "--max-instances", "3", *option).stdout
    warning, = (line for line in plan.splitlines() if "WARNING" in line)
    assert "anybody may call ask-ai-call, translate-message-call, without a token" in warning
    assert "up to 3 instances each" in warning and "dailyCostMicros" in warning
    for service in ("ask-ai-call", "translate-message-call"):
        command, = (line for line in commands(plan) if line.startswith(f"gcloud run deploy {service} "))
        assert "ANONYMOUS_CALLS=allow" in environment_of(shlex.split(command))


def test_calls_need_a_token_again_without_the_option(deployed):
    cloud = deployed
    cloud.must("apply", "--anonymous-calls")
    assert sorted(deployments(cloud)) == ["ask-ai-call", "translate-message-call"]
    assert all("ANONYMOUS_CALLS=allow" in environment_of(argv) for argv in deployments(cloud).values())
    # A function without calls needs no warning.
    assert "WARNING" not in cloud.must("plan", "forgetUser", "--anonymous-calls").stdout
    cloud.forget_calls()
    assert "WARNING" not in cloud.must("apply").stdout
    assert sorted(deployments(cloud)) == ["ask-ai-call", "translate-message-call"]
    assert all("ANONYMOUS_CALLS" not in environment_of(argv) for argv in deployments(cloud).values())


def test_app_check_is_for_calls(deployed):
    cloud = deployed
    cloud.must("apply", "--app-check", "--min-instances", "1")
    environments = {
        call["argv"][3]: next(word for word in call["argv"] if word.startswith("--set-env-vars"))
        for call in cloud.changes if call["argv"][1:3] == ["run", "deploy"]
    }
    for service, environment in environments.items():
        assert ("APP_CHECK=enforce,GOOGLE_CLOUD_PROJECT_NUMBER=123456789012" in environment) == service.endswith("call")


THIS_DATABASE = 'resource.name == "projects/my-project/databases/(default)"'


def project_roles(state):
    """Returns the roles in the project: account, role and condition."""
    return {
        (member.split(":")[1].split("@")[0], binding["role"].split("/")[-1],
         binding.get("condition", {}).get("expression"))
        for binding in state["policies"][" my-project"] for member in binding["members"]
    }


def test_roles_are_the_least(first_run):
    policies = first_run["state"]["policies"]
    assert project_roles(first_run["state"]) == {
        ("fn-translate-message", "datastore.user", THIS_DATABASE),
        ("fn-translate-message", "cloudtranslate.user", None),
        ("fn-forget-user", "datastore.user", THIS_DATABASE), ("fn-ask-ai", "datastore.user", THIS_DATABASE),
        ("ev-translate-message", "eventarc.eventReceiver", None), ("ev-forget-user", "eventarc.eventReceiver", None),
    }
    account = "serviceAccount:{}@my-project.iam.gserviceaccount.com".format
    assert policies["secrets MODEL_KEY"] == [
        {"role": "roles/secretmanager.secretAccessor", "members": [account("fn-ask-ai")]}]
    assert policies["services us-central1/translate-message-event"] == [
        {"role": "roles/run.invoker", "members": [account("ev-translate-message")]}]
    assert policies["services us-central1/translate-message-call"] == [
        {"role": "roles/run.invoker", "members": ["allUsers"]}]


def everybody(state):
    """Returns the services that anybody may call."""
    return sorted(
        name.removeprefix("services us-central1/") for name, bindings in state["policies"].items()
        for binding in bindings if "allUsers" in binding["members"])


def test_an_organization_policy_against_public_services_is_reported_until_it_is_lifted(cloud, first_run):
    cloud.change_state(lambda state: state.update(refusesAllUsers=True))
    for _ in range(2):
        result = cloud.run("apply")
        assert result.returncode == 1
        assert "perhaps due to an organization policy" in result.stderr
        assert "this step failed: grant clients may call ask-ai-call: run.invoker" in result.stderr
        assert "Nobody can call ask-ai-call yet" in result.stderr and "DEPLOY.md" in result.stderr
    assert everybody(cloud.state) == []
    # Events still have their triggers.
    assert len(cloud.state["triggers"]) == 3
    cloud.change_state(lambda state: state.update(refusesAllUsers=False))
    cloud.must("apply")
    assert everybody(cloud.state) == everybody(first_run["state"]) == ["ask-ai-call", "translate-message-call"]


def test_other_failures_are_not_blamed_on_an_organization_policy(cloud):
    cloud.fail("policies create")
    assert "Nobody can call" not in cloud.run("apply").stderr


def test_a_service_without_iam_checks_needs_no_grant(deployed):
    cloud = deployed

    def disable(state):
        state["policies"]["services us-central1/ask-ai-call"] = []
        state["services"]["us-central1/ask-ai-call"]["metadata"]["annotations"] = {
            "run.googleapis.com/invoker-iam-disabled": "true"}

    cloud.change_state(disable)
    cloud.must("apply")
    assert cloud.changes == []


def test_changed_callers_are_restored(deployed):
    cloud = deployed

    def turn_round(state):
        state["policies"]["services us-central1/ask-ai-call"] = []
        state["policies"]["services us-central1/forget-user-event"][0]["members"].append("allUsers")

    cloud.change_state(turn_round)
    plan = cloud.must("plan").stdout
    cloud.must("apply")
    assert [call["argv"][3:5] for call in cloud.changes] == [
        ["add-iam-policy-binding", "ask-ai-call"], ["remove-iam-policy-binding", "forget-user-event"]]
    assert len(commands(plan)) == 2
    assert everybody(cloud.state) == ["ask-ai-call", "translate-message-call"]
    account, = cloud.state["policies"]["services us-central1/forget-user-event"][0]["members"]
    assert account.startswith("serviceAccount:ev-forget-user@")


def test_warnings_of_gcloud_are_shown(cloud):
    cloud.change_state(lambda state: state.update(warns=True))
    lines = cloud.must("apply", "askAI").stdout.splitlines()
    first = next(number for number, line in enumerate(lines) if "WARNING" in line)
    assert [line.lstrip("# ") for line in lines[first:first + 3]] == [
        "WARNING: it is Sunday.", "Completed with warnings:", "It rains."]
    assert lines[first - 1].startswith("# create    service ask-ai-call")
    assert not any("Done." in line for line in lines)


def test_wider_roles_of_an_earlier_deployment_are_taken_back(deployed):
    cloud = deployed
    account = "serviceAccount:fn-{}@my-project.iam.gserviceaccount.com".format
    given = [
        {"role": "roles/datastore.user",
         "members": [account("translate-message"), account("ask-ai"), "user:a@b.example"]},
        {"role": "roles/firebasecloudmessaging.admin", "members": [account("ask-ai")]},
        # A role that another user granted.
        {"role": "roles/aiplatform.user", "members": [account("ask-ai")]},
        {"role": "roles/datastore.viewer", "members": [account("ask-ai")],
         "condition": {"title": "for a while", "expression": 'request.time < timestamp("2030-01-01T00:00:00Z")'}},
    ]
    before = project_roles(cloud.state)
    cloud.change_state(lambda state: state["policies"][" my-project"].extend(given))
    plan = cloud.must("plan").stdout
    cloud.must("apply")
    assert len(cloud.changes) == len(commands(plan)) == 3
    assert all(call["argv"][2] == "remove-iam-policy-binding" for call in cloud.changes)
    assert project_roles(cloud.state) - before == {
        ("a", "datastore.user", None), ("fn-ask-ai", "aiplatform.user", None),
        ("fn-ask-ai", "datastore.viewer", given[3]["condition"]["expression"]),
    }
    cloud.forget_calls()
    cloud.must("apply")
    assert cloud.changes == []


def test_another_database_is_another_condition(deployed):
    cloud = deployed
    cloud.must("apply", "askAI", "--database", "other")
    assert {role for role in project_roles(cloud.state) if role[0] == "fn-ask-ai"} == {
        ("fn-ask-ai", "datastore.user", THIS_DATABASE.replace("(default)", "other"))}


PUSH_ROLE = "projects/my-project/roles/worldchatPushSender"
ACCOUNT_ROLE = "projects/my-project/roles/worldchatAccountDeleter"
# The role for the Realtime Database has a test of its own.
OWN_ROLES = {PUSH_ROLE: "cloudmessaging.messages.create", ACCOUNT_ROLE: "firebaseauth.users.delete"}


def add_pushing(cloud, state):
    """Adds a function that sends pushes, one that deletes accounts, and the state of the cloud."""
    for name, variable in [("ringEverybody", "FCM_BASE_URL"), ("banSomebody", "FIREBASE_AUTH_EMULATOR_HOST")]:
        cloud.add_function(name, triggers=[trigger("created", "calls/{id}")], environment=[
            {"name": "GOOGLE_CLOUD_PROJECT", "required": True}, {"name": variable, "required": False}])
    cloud.add_image("ring-everybody", "ban-somebody")
    cloud.change_state(lambda old: old.update(state))


@pytest.fixture(scope="module")
def pushing_run(first_run, tmp_path_factory):
    """Returns the state after an apply of such functions."""
    cloud = project(tmp_path_factory.mktemp("pushing"))
    add_pushing(cloud, first_run["state"])
    plan = cloud.must("plan").stdout
    cloud.must("apply")
    assert [shlex.join(call["argv"]) for call in cloud.changes if call["argv"][2] == "roles"] == [
        shlex.join(shlex.split(line)) for line in commands(plan) if line.startswith("gcloud iam roles")]
    return cloud.state


@pytest.fixture
def pushing(cloud, pushing_run):
    add_pushing(cloud, pushing_run)
    return cloud


OWN_MEMBERS = {("fn-ring-everybody", "worldchatPushSender", None), ("fn-ban-somebody", "worldchatAccountDeleter", None)}


def own_members(state):
    return {grant for grant in project_roles(state) if grant[1].startswith("worldchat")}


def test_each_role_of_the_project_has_one_permission(pushing):
    assert pushing.state["roles"] == {
        role: {"name": role, "includedPermissions": [permission]} for role, permission in OWN_ROLES.items()}
    assert own_members(pushing.state) == OWN_MEMBERS
    pushing.forget_calls()
    pushing.must("apply")
    assert pushing.changes == []
    for role, permission in OWN_ROLES.items():
        # An added permission is removed.
        pushing.change_state(lambda state: state["roles"][role]["includedPermissions"].append("more"))
        pushing.forget_calls()
        pushing.must("apply")
        assert [call["argv"][1:4] for call in pushing.changes] == [["iam", "roles", "update"]]
        assert pushing.state["roles"][role]["includedPermissions"] == [permission]


def test_a_role_is_revoked_once_its_function_does_not_need_it(pushing):
    pushing.add_function("banSomebody", triggers=[trigger("created", "calls/{id}")])
    pushing.forget_calls()
    pushing.must("apply")
    revoked = [call["argv"] for call in pushing.changes if call["argv"][2] == "remove-iam-policy-binding"]
    assert len(revoked) == 1 and f"--role={ACCOUNT_ROLE}" in revoked[0]
    assert own_members(pushing.state) == {grant for grant in OWN_MEMBERS if grant[0] == "fn-ring-everybody"}


def test_the_api_of_accounts_is_enabled_for_the_function_that_deletes_them(pushing, first_run):
    assert "identitytoolkit.googleapis.com" not in first_run["plan"]
    assert "identitytoolkit.googleapis.com" in str(pushing.state["apis"])
    plan = pushing.must("plan", "--offline", "banSomebody").stdout
    (enable,) = [line for line in commands(plan) if "services enable" in line]
    assert "identitytoolkit.googleapis.com" in enable and "fcm.googleapis.com" not in enable


def test_destroy_keeps_the_roles_without_members(pushing):
    # The name of a deleted role can't be used again for weeks.
    pushing.forget_calls()
    output = pushing.must("destroy", "--yes").stdout
    assert "the roles worldchatPushSender, worldchatAccountDeleter, " in output
    assert set(pushing.state["roles"]) == set(OWN_ROLES)
    assert project_roles(pushing.state) == set()
    pushing.must("apply")
    assert not any(call["argv"][1:3] == ["iam", "roles"] for call in pushing.changes)
    assert own_members(pushing.state) == OWN_MEMBERS


def test_events_are_retried_and_then_dead_letters(first_run):
    state = first_run["state"]
    subscriptions = {name: value for name, value in state["subscriptions"].items() if name.startswith("eventarc")}
    assert len(subscriptions) == 3
    assert {trigger["destination"]["cloudRun"]["path"] for trigger in state["triggers"].values()} == {"/"}
    for name, subscription in subscriptions.items():
        forgets = "forget-user" in name
        assert subscription["ackDeadlineSeconds"] == (320 if forgets else 50)
        # A function without retries gets the fewest attempts that Pub/Sub allows.
        assert subscription["deadLetterPolicy"] == {
            "deadLetterTopic": "projects/my-project/topics/worldchat-dead-letters",
            "maxDeliveryAttempts": 5 if forgets else 100,
        }
        assert subscription["retryPolicy"] == {"minimumBackoff": "10s", "maximumBackoff": "600s"}
        assert state["policies"][f"subscriptions {name}"] == [{
            "role": "roles/pubsub.subscriber",
            "members": ["serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com"],
        }]


def test_dead_letters_stay_for_a_week(first_run):
    letters = first_run["state"]["subscriptions"]["worldchat-dead-letters"]
    assert (letters["topic"], letters["keeps"], letters["expires"]) == ("worldchat-dead-letters", "7d", "never")
    assert letters["ackDeadlineSeconds"] == 600
    member = "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com"
    assert first_run["state"]["policies"]["topics worldchat-dead-letters"] == [
        {"role": "roles/pubsub.publisher", "members": [member]}]


def test_an_older_dead_letter_subscription_gets_a_longer_deadline(deployed):
    def hurry(state):
        state["subscriptions"]["worldchat-dead-letters"]["ackDeadlineSeconds"] = 10

    before = deployed.state
    deployed.change_state(hurry)
    deployed.must("apply")
    assert [call["argv"][1:5] for call in deployed.changes] == [
        ["pubsub", "subscriptions", "update", "worldchat-dead-letters"]]
    assert deployed.state["subscriptions"] == before["subscriptions"]


def test_the_deadline_of_a_slow_function_is_the_longest_of_pub_sub(cloud):
    cloud.add_function("forgetUser", triggers=[trigger("deleted", "users/{uid}")], timeoutSeconds=3590)
    cloud.must("apply", "forgetUser")
    subscription = next(value for name, value in cloud.state["subscriptions"].items() if name.startswith("eventarc"))
    assert subscription["ackDeadlineSeconds"] == 600


def test_triggers_are_in_the_databases_region(cloud):
    cloud.must("apply", "forgetUser", "--database-location", "eur3", "--region", "europe-west4",
               "--min-instances", "1")
    created = [call["argv"] for call in cloud.changes if call["argv"][1:4] == ["eventarc", "triggers", "create"]]
    assert len(created) == 1
    assert {"--location=eur3", "--destination-run-region=europe-west4"} <= set(created[0])
    # The region of an existing database is known.
    cloud.forget_calls()
    cloud.must("apply", "forgetUser", "--region", "europe-west4",
               "--min-instances", "1")
    assert cloud.changes == []
    other = cloud.run("plan", "forgetUser", "--database-location", "nam5")
    assert other.returncode == 64
    assert "is in eur3" in other.stderr


def test_a_trigger_that_a_function_no_longer_has_is_deleted(deployed):
    cloud = deployed
    cloud.add_function("forgetUser", triggers=[trigger("deleted", "people/{uid}")], writes=["users/{uid}"],
                       timeoutSeconds=300, retry=False)
    cloud.must("apply", "forgetUser")
    verbs = [call["argv"][3] for call in cloud.changes if call["argv"][1] == "eventarc"]
    assert verbs == ["create", "delete"]
    documents = [trigger["eventFilters"][-1]["value"] for trigger in cloud.state["triggers"].values()
                 if "forget" in trigger["name"]]
    assert documents == ["people/{uid}"]


def test_each_pattern_of_a_list_has_its_own_triggers(cloud):
    path = cloud.functions / "translateMessage"
    # Like the real function, it derives its triggers from the variable.
    path.write_text(f"""#!/bin/sh
jq -nc --argjson manifest '{json.dumps(manifest("translateMessage"))}' '$manifest + {{
  environment: [{{name: "MESSAGES_PATH", required: false}}],
  triggers: [env.MESSAGES_PATH | split(",")[] as $document | ("created", "deleted")
    | {{eventType: "{EVENT}.\\(.)", $document}}]}}'
""")

    def deploy(*patterns):
        cloud.forget_calls()
        cloud.set_env(f"MESSAGES_PATH={','.join(patterns)}\n")
        cloud.must("apply", "translateMessage")
        triggers = cloud.state["triggers"].values()
        assert sorted(trigger["eventFilters"][-1]["value"] for trigger in triggers) == sorted(2 * patterns)
        deployment, = [call["argv"] for call in cloud.changes if call["argv"][1:3] == ["run", "deploy"]]
        environment = next(word for word in deployment if word.startswith("--set-env-vars"))
        assert environment.endswith(f"MESSAGES_PATH={','.join(patterns)}")
        return [call["argv"][3] for call in cloud.changes if call["argv"][1:3] == ["eventarc", "triggers"]]

    older = ["messages/{c}/messages/{m}", "chats/{c}/messages/{m}"]
    assert deploy(MESSAGES) == ["create"] * 2
    assert deploy(MESSAGES, *older) == ["create"] * 4
    # Another order changes only what calls are about.
    assert deploy(*older, MESSAGES) == []
    assert deploy(MESSAGES, older[0]) == ["delete"] * 2


def test_a_sixth_function_needs_no_change(deployed):
    cloud = deployed
    cloud.add_function("greetEverybody", triggers=[trigger("created", "config/greeting")])
    cloud.add_image("greet-everybody")
    cloud.must("apply")
    text = [" ".join(call["argv"]) for call in cloud.changes]
    assert any("run deploy greet-everybody-event" in line for line in text)
    # A path without a variable part has its own kind of filter. A function that writes nothing only
    # gets a role for reading.
    assert any("--event-filters=document=config/greeting" in line for line in text)
    assert any("--role=roles/datastore.viewer" in line for line in text)
    assert all("translate" not in line for line in text)


def test_one_function_is_deployed_alone(cloud):
    cloud.must("apply", "askAI")
    assert list(cloud.state["services"]) == ["us-central1/ask-ai-call"]
    assert "triggers" not in cloud.state
    assert list(cloud.state["secrets"]) == ["MODEL_KEY"]


EMAIL = ("--alert-email", "a@b.example")


def notified(cloud):
    """Returns the number of addresses of each alert."""
    return [len(alert.get("notificationChannels", [])) for alert in cloud.state["alerts"].values()]


def test_alerts_go_to_an_address_from_the_beginning(cloud):
    cloud.must("apply", "askAI", *EMAIL)
    assert notified(cloud) == [1, 1]


def test_alerts_go_to_an_address_that_is_given_later(deployed):
    assert notified(deployed) == [0, 0]
    plan = deployed.must("plan", *EMAIL).stdout
    subprocess.run(["bash", "-c", plan], check=True, cwd=deployed.root, env=deployed.environment, capture_output=True)
    assert notified(deployed) == [1, 1]
    deployed.forget_calls()
    deployed.must("apply", *EMAIL)
    assert deployed.changes == []


def test_indexes_and_expiry(cloud):
    cloud.must("apply", "askAI")
    wanted = json.loads((cloud.root / "firestore.indexes.json").read_text())
    assert len(cloud.state["composites"]) == len(wanted["indexes"])
    assert len(cloud.state["fields"]) == len(wanted["fieldOverrides"])
    groups = {name.split("/collectionGroups/")[1].split("/")[0] for name in cloud.state["ttls"]}
    assert groups == {override["collectionGroup"] for override in wanted["fieldOverrides"] if override.get("ttl")}
