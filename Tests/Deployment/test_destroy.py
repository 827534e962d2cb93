"""Destroy asks before it deletes, and keeps data."""


def test_destroy_asks_first(deployed):
    for answer in ("", "\n", "yes\n", "my-projec\n"):
        result = deployed.run("destroy", stdin=answer)
        assert result.returncode == 1
        assert "from my-project, region us-central1. Type the id of the project" in result.stderr
        assert "nothing was deleted" in result.stderr
    assert deployed.changes == []


def test_destroy_deletes_the_deployment_and_no_data(deployed):
    deployed.change_state(lambda state: state["services"].update(
        {"us-central1/other": {"metadata": {"name": "other", "labels": {}}, "spec": {}, "status": {}}}))
    result = deployed.must("destroy", stdin="my-project\n")
    assert "gcloud run services delete translate-message-event" in result.stdout
    state = deployed.state
    for kind in ("triggers", "accounts", "alerts"):
        assert state[kind] == {}
    assert list(state["services"]) == ["us-central1/other"]
    assert all(binding["members"] == [] for binding in state["policies"][" my-project"])
    for kind in ("databases", "composites", "ttls", "secrets", "topics", "images"):
        assert state[kind]
    assert "worldchat-dead-letters" in state["subscriptions"]
    deployed.forget_calls()
    assert "nothing is deployed" in deployed.must("destroy").stdout
    # The deployment can be applied again.
    deployed.must("apply")
    assert sorted(deployed.state["services"])[:2] == [
        "us-central1/ask-ai-call", "us-central1/forget-user-event"]


def test_destroy_of_one_function(deployed):
    deployed.must("destroy", "forgetUser", "--yes")
    state = deployed.state
    assert sorted(state["services"]) == [
        f"us-central1/{name}" for name in ("ask-ai-call", "translate-message-call", "translate-message-event")]
    assert len(state["triggers"]) == 2
    assert len(state["alerts"]) == 2
    assert not any("forget-user" in account for account in state["accounts"])


def test_destroy_in_an_empty_region_leaves_other_regions_alone(deployed):
    for arguments in ([], ["--with-secrets"], ["askAI"]):
        result = deployed.must("destroy", "--yes", "--region", "europe-west4", *arguments)
        assert "nothing is deployed in europe-west4, only in us-central1" in result.stdout
    assert deployed.changes == []


def test_destroy_of_one_of_two_regions(deployed):
    before = deployed.state
    deployed.must("apply", "askAI", "translateMessage", "--region", "europe-west4")
    # Events of translateMessage are delivered to europe-west4 now.
    result = deployed.must("destroy", "--yes", "--with-secrets")
    assert "Functions stay in europe-west4" in result.stdout
    state = deployed.state
    assert sorted(state["services"]) == [
        f"europe-west4/{name}" for name in ("ask-ai-call", "translate-message-call", "translate-message-event")]
    assert {trigger["destination"]["cloudRun"]["region"] for trigger in state["triggers"].values()} == {"europe-west4"}
    assert len(state["triggers"]) == 2
    assert sorted(account.split("@")[0] for account in state["accounts"]) == [
        "ev-translate-message", "fn-ask-ai", "fn-translate-message"]
    given = {member.split("@")[0].split(":")[1]
             for binding in state["policies"][" my-project"] for member in binding["members"]}
    assert given == {"ev-translate-message", "fn-ask-ai", "fn-translate-message"}
    assert (state["alerts"], state["secrets"]) == (before["alerts"], before["secrets"])
    # The last region's destroy deletes them.
    deployed.must("destroy", "--yes", "--with-secrets", "--region", "europe-west4")
    assert all(deployed.state[kind] == {} for kind in ("services", "triggers", "accounts", "alerts", "secrets"))


def test_destroy_keeps_an_account_that_another_service_uses(deployed):
    account = "fn-ask-ai@my-project.iam.gserviceaccount.com"
    deployed.change_state(lambda state: state["services"].update(
        {"asia-east1/other": {"metadata": {"name": "other"}, "status": {},
                              "spec": {"template": {"spec": {"serviceAccountName": account}}}}}))
    deployed.must("destroy", "--yes")
    assert list(deployed.state["accounts"]) == [account]
    assert deployed.state["alerts"] == {}


def test_destroy_with_secrets(deployed):
    deployed.change_state(lambda state: state["secrets"].update(OTHER={"name": "projects/1/secrets/OTHER"}))
    deployed.must("destroy", "--yes", "--with-secrets")
    assert list(deployed.state["secrets"]) == ["OTHER"]
