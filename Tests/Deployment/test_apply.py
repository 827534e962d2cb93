"""What plan prints is what apply runs, once."""

import json
import shutil
import subprocess

from conftest import commands, trigger


def test_plan_is_what_apply_runs(cloud, first_run):
    # A person may paste it.
    subprocess.run(
        ["bash", "-c", first_run["plan"]],
        check=True, cwd=cloud.root, env=cloud.environment, capture_output=True,
    )
    assert cloud.changes == first_run["changes"]
    assert cloud.state == first_run["state"]
    assert len(cloud.changes) == len(commands(first_run["plan"]))


def test_a_plan_without_an_account_is_the_same(cloud, first_run):
    cloud.change_state(lambda state: state.update(signedOut=True))
    offline = cloud.must("plan")
    assert "You do not currently have an active account" in offline.stderr
    # Only the project's number isn't known.
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


def test_applying_again_changes_nothing(deployed):
    extras = ("--budget", "20.50", "--billing-account", "012345-6789AB-CDEF01", "--alert-email", "a@b.example")
    deployed.must("apply", *extras)
    assert len(deployed.changes) == 3
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


def test_a_failure_half_way_is_told_and_the_next_run_goes_on(cloud, first_run):
    # Wherever it fails, what is there isn't made again and nothing is left out.
    done = []
    for match in ["iam service-accounts create", "secrets create MODEL", "run deploy translate-message-call",
                  "eventarc triggers create", "subscriptions update", "policies create"]:
        cloud.fail(match)
        failed = cloud.run("apply")
        assert failed.returncode == 1
        assert "PERMISSION_DENIED" in failed.stderr and "command again: it goes on" in failed.stderr
        assert match in " ".join(cloud.changes[-1]["argv"])
        done += cloud.changes[:-1]
        cloud.forget_calls()
    cloud.must("apply")
    done += cloud.changes
    # Logging in is for each run.
    assert [call for call in done if "login" not in call["argv"]] == [
        call for call in first_run["changes"] if "login" not in call["argv"]]
    assert cloud.state == first_run["state"]


def test_what_cannot_be_asked_stops_apply(deployed):
    cloud = deployed
    cloud.fail("run services list")
    result = cloud.run("apply")
    assert result.returncode == 1
    assert "Google doesn't say what there is: gcloud run services list" in result.stderr
    assert cloud.changes == []


def test_a_function_of_both_kinds_is_two_services_of_one_image(first_run):
    services = {call["argv"][3]: call["argv"] for call in first_run["changes"] if call["argv"][1:3] == ["run", "deploy"]}
    assert sorted(services) == ["ask-ai-call", "forget-user-event", "translate-message-call", "translate-message-event"]
    event, call = services["translate-message-event"], services["translate-message-call"]
    image = "--image=us-central1-docker.pkg.dev/my-project/worldchat/translate-message:t1"
    assert image in event and image in call
    assert {"--no-allow-unauthenticated", "--ingress=internal", "--concurrency=32", "--timeout=40s"} <= set(event)
    assert {"--allow-unauthenticated", "--ingress=all", "--memory=512Mi"} <= set(call)
    assert any(word.startswith("--set-env-vars") and "FUNCTION_SIGNATURE_TYPE=cloudevent" in word for word in event)
    assert any(word.startswith("--set-env-vars") and "FUNCTION_SIGNATURE_TYPE=http" in word for word in call)
    assert all("APP_CHECK" not in word for word in call)


def test_app_check_is_for_calls(deployed):
    cloud = deployed
    cloud.must("apply", "--app-check", "--min-instances", "1")
    environments = {
        call["argv"][3]: next(word for word in call["argv"] if word.startswith("--set-env-vars"))
        for call in cloud.changes if call["argv"][1:3] == ["run", "deploy"]
    }
    for service, environment in environments.items():
        assert ("APP_CHECK=enforce,GOOGLE_CLOUD_PROJECT_NUMBER=123456789012" in environment) == service.endswith("call")


def test_roles_are_the_least(first_run):
    policies = first_run["state"]["policies"]
    project = {
        (member.split(":")[1].split("@")[0], binding["role"])
        for binding in policies[" my-project"] for member in binding["members"]
    }
    assert project == {
        ("fn-translate-message", "roles/datastore.user"), ("fn-translate-message", "roles/cloudtranslate.user"),
        ("fn-forget-user", "roles/datastore.user"), ("fn-ask-ai", "roles/datastore.user"),
        ("ev-translate-message", "roles/eventarc.eventReceiver"), ("ev-forget-user", "roles/eventarc.eventReceiver"),
    }
    account = "serviceAccount:{}@my-project.iam.gserviceaccount.com".format
    assert policies["secrets MODEL_KEY"] == [
        {"role": "roles/secretmanager.secretAccessor", "members": [account("fn-ask-ai")]}]
    assert policies["services translate-message-event"] == [
        {"role": "roles/run.invoker", "members": [account("ev-translate-message")]}]
    assert "services translate-message-call" not in policies


def test_events_are_retried_and_then_dead_letters(first_run):
    state = first_run["state"]
    subscriptions = {name: value for name, value in state["subscriptions"].items() if name.startswith("eventarc")}
    assert len(subscriptions) == 3
    for name, subscription in subscriptions.items():
        forgets = "forget-user" in name
        assert subscription["ackDeadlineSeconds"] == (320 if forgets else 50)
        # A function that wants no retries gets the fewest that Pub/Sub knows.
        assert subscription["deadLetterPolicy"] == {
            "deadLetterTopic": "projects/my-project/topics/worldchat-dead-letters",
            "maxDeliveryAttempts": 5 if forgets else 100,
        }
        assert state["policies"][f"subscriptions {name}"] == [{
            "role": "roles/pubsub.subscriber",
            "members": ["serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com"],
        }]


def test_triggers_are_where_the_database_is(cloud):
    cloud.must("apply", "forgetUser", "--database-location", "eur3", "--region", "europe-west4",
               "--min-instances", "1")
    created = [call["argv"] for call in cloud.changes if call["argv"][1:4] == ["eventarc", "triggers", "create"]]
    assert len(created) == 1
    assert {"--location=eur3", "--destination-run-region=europe-west4"} <= set(created[0])
    # And of a database that is there it is known.
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


def test_a_sixth_function_needs_no_change(deployed):
    cloud = deployed
    cloud.add_function("greetEverybody", triggers=[trigger("created", "config/greeting")])
    cloud.add_image("greet-everybody")
    cloud.must("apply")
    text = [" ".join(call["argv"]) for call in cloud.changes]
    assert any("run deploy greet-everybody-event" in line for line in text)
    # A path without a variable part is a filter of its own kind; who writes nothing only reads.
    assert any("--event-filters=document=config/greeting" in line for line in text)
    assert any("--role=roles/datastore.viewer" in line for line in text)
    assert all("translate" not in line for line in text)


def test_one_function_is_deployed_alone(cloud):
    cloud.must("apply", "askAI")
    assert list(cloud.state["services"]) == ["ask-ai-call"]
    assert "triggers" not in cloud.state
    assert list(cloud.state["secrets"]) == ["MODEL_KEY"]


def test_indexes_and_expiry(cloud):
    cloud.must("apply", "askAI")
    wanted = json.loads((cloud.root / "Shared/Schemas/firestore.indexes.json").read_text())
    assert len(cloud.state["composites"]) == len(wanted["indexes"])
    assert len(cloud.state["fields"]) == len(wanted["fieldOverrides"])
    groups = {name.split("/collectionGroups/")[1].split("/")[0] for name in cloud.state["ttls"]}
    assert groups == {override["collectionGroup"] for override in wanted["fieldOverrides"] if override.get("ttl")}


def test_a_missing_image_is_named_before_a_revision_is_made(deployed):
    shutil.rmtree(deployed.root / "dist")
    result = deployed.run("apply", "askAI", "--tag", "t2")
    assert result.returncode == 69
    assert "image ask-ai:t2 is neither in the registry nor made here" in result.stderr
    assert deployed.changes == []
    # What is in the registry needs no copy here.
    deployed.must("apply", "askAI", "--tag", "t1")


def test_an_image_of_another_commit_is_not_pushed_as_this_one(cloud):
    for command in (["init", "-q"], ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "--allow-empty", "-mx"]):
        subprocess.run(["git", *command], cwd=cloud.root, check=True)
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=cloud.root, check=True, capture_output=True, text=True).stdout.strip()
    blobs = cloud.root / "dist/images/blobs/sha256"
    blobs.mkdir(parents=True)
    (blobs / "ask-ai").write_text('{"config":{"digest":"sha256:c"}}')
    settings = ["askAI", "--project", "my-project", "--region", "us-central1", "--functions", str(cloud.functions)]
    for revision, status in (("0" * 40, 69), (commit, 0)):
        (blobs / "c").write_text(
            json.dumps({"config": {"Labels": {"org.opencontainers.image.revision": revision}}}))
        assert cloud.run("apply", *settings, settings=False).returncode == status
    assert any(call["argv"][-1].endswith(f"/ask-ai:{commit[:12]}") for call in cloud.changes)
