"""What is taken away is asked for, and data stays."""


def test_destroy_asks(deployed):
    for answer in ("", "\n", "yes\n", "my-projec\n"):
        result = deployed.run("destroy", stdin=answer)
        assert result.returncode == 1
        assert "Type the id of the project" in result.stderr and "nothing is done" in result.stderr
    assert deployed.changes == []


def test_destroy_takes_what_was_deployed_and_no_data(deployed):
    deployed.change_state(lambda state: state["services"].update(
        other={"metadata": {"name": "other", "labels": {}}, "spec": {}, "status": {}}))
    result = deployed.must("destroy", stdin="my-project\n")
    assert "gcloud run services delete translate-message-event" in result.stdout
    state = deployed.state
    for kind in ("triggers", "accounts", "alerts"):
        assert state[kind] == {}
    assert list(state["services"]) == ["other"]
    assert all(binding["members"] == [] for binding in state["policies"][" my-project"])
    for kind in ("databases", "composites", "ttls", "secrets", "topics", "images"):
        assert state[kind]
    assert "worldchat-dead-letters" in state["subscriptions"]
    deployed.forget_calls()
    assert "nothing of it is there" in deployed.must("destroy").stdout
    # And it can come back.
    deployed.must("apply")
    assert sorted(deployed.state["services"])[:2] == ["ask-ai-call", "forget-user-event"]


def test_destroy_of_one_function(deployed):
    deployed.must("destroy", "forgetUser", "--yes")
    state = deployed.state
    assert sorted(state["services"]) == ["ask-ai-call", "translate-message-call", "translate-message-event"]
    assert len(state["triggers"]) == 2
    assert len(state["alerts"]) == 2
    assert not any("forget-user" in account for account in state["accounts"])


def test_destroy_with_secrets(deployed):
    deployed.change_state(lambda state: state["secrets"].update(OTHER={"name": "projects/1/secrets/OTHER"}))
    deployed.must("destroy", "--yes", "--with-secrets")
    assert list(deployed.state["secrets"]) == ["OTHER"]
