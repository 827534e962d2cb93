"""New revisions get the requested share of traffic, and a rollback takes it back."""

import pytest


def shares(cloud, service="ask-ai-call"):
    return {
        share["revisionName"][-9:-4]: share["percent"]
        for share in cloud.state["services"][f"us-central1/{service}"]["status"]["traffic"]
    }


@pytest.fixture
def service(deployed):
    """ask-ai-call with two revisions. The newer one gets a tenth of the traffic."""
    deployed.add_image("ask-ai", text="2")
    deployed.must("apply", "askAI", "--tag", "t2", "--traffic", "10")
    return deployed


def test_a_new_revision_gets_a_tenth_and_later_all(service):
    assert shares(service) == {"00001": 90, "00002": 10}
    service.forget_calls()
    service.must("apply", "askAI", "--tag", "t2", "--traffic", "10")
    assert service.changes == []
    service.must("apply", "askAI", "--tag", "t2")
    assert [call["argv"][1:4] for call in service.changes] == [["run", "services", "update-traffic"]]
    assert shares(service) == {"00002": 100}


def test_a_first_revision_gets_all(cloud):
    cloud.must("apply", "askAI", "--traffic", "10")
    assert shares(cloud) == {"00001": 100}
    cloud.forget_calls()
    cloud.must("apply", "askAI", "--traffic", "10")
    assert cloud.changes == []


def test_rollback_goes_to_the_revision_before(service):
    service.must("apply", "askAI", "--tag", "t2")
    service.add_image("ask-ai", text="3")
    service.must("apply", "askAI", "--tag", "t3")
    assert shares(service) == {"00003": 100}
    result = service.must("rollback", "askAI")
    assert "all traffic goes to ask-ai-call-00002-abc" in result.stdout
    assert shares(service) == {"00002": 100}
    service.must("rollback", "askAI")
    assert shares(service) == {"00001": 100}
    service.forget_calls()
    last = service.run("rollback", "askAI")
    assert last.returncode == 69
    assert "ask-ai-call has no revision to go back to" in last.stdout
    assert service.changes == []
    service.must("apply", "askAI", "--tag", "t3")
    assert shares(service) == {"00003": 100}


def test_rollback_of_a_share_gives_all_back(service):
    service.must("rollback", "askAI")
    assert shares(service) == {"00001": 100}


def test_rollback_skips_a_revision_that_does_not_start(deployed):
    deployed.add_image("ask-ai", text="2")
    deployed.change_state(lambda state: state.update(cannotStart=True))
    failed = deployed.run("apply", "askAI", "--tag", "t2")
    assert failed.returncode == 1 and "container failed to start" in failed.stderr
    assert shares(deployed) == {"00001": 100}
    assert "ask-ai-call-00002-abc  doesn't start" in deployed.must("status").stdout
    # The same command tries again.
    deployed.change_state(lambda state: state.pop("cannotStart"))
    deployed.must("apply", "askAI", "--tag", "t2")
    assert shares(deployed) == {"00003": 100}
    deployed.must("rollback", "askAI")
    assert shares(deployed) == {"00001": 100}


def test_status(service):
    service.change_state(lambda state: state.update(deadLetters=["17", "18", "17"]))
    service.forget_calls()
    text = service.must("status").stdout
    assert service.changes == []
    # Status gives every dead letter back, so that a second run lists the same.
    assert service.must("status").stdout == text
    assert "ask-ai-call  https://ask-ai-call-uc.a.run.app\n  ask-ai-call-00001-abc  90 %\n" in text
    assert "  ask-ai-call-00002-abc  10 %, the newest\n" in text
    assert "conversations/{conversationId}/messages/{messageId} created" in text
    assert "Dead letters: 2 or more" in text
    assert "forget-user" not in service.must("status", "askAI").stdout


def test_a_failed_read_of_dead_letters_is_not_reported_as_none(deployed):
    assert deployed.must("status").stdout.endswith("Dead letters: 0\n")
    deployed.fail("subscriptions pull")
    result = deployed.run("status")
    assert result.returncode == 1 and "Dead letters" not in result.stdout
    assert "reading the dead letters failed" in result.stderr


def test_a_failed_return_of_dead_letters_is_reported(deployed):
    deployed.change_state(lambda state: state.update(deadLetters=["17"]))
    deployed.fail("modify-message-ack-deadline")
    result = deployed.must("status")
    assert result.stdout.endswith("Dead letters: 1 or more\n")
    assert "nobody else can pull them for ten minutes" in result.stderr


def test_status_without_a_deployment(cloud):
    assert "Nothing is deployed." in cloud.must("status").stdout
