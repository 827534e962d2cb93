"""Manifests for clusters that aren't Google's."""

import pytest

yaml = pytest.importorskip("yaml", reason="the manifests are read with PyYAML")


@pytest.fixture
def manifests(cloud):
    cloud.set_env("TRANSLATION_GLOSSARY=\"yes: 'no' # {x}\"\n")
    text = cloud.must("plan", "--target", "knative", "--registry", "registry.example/chat").stdout
    assert cloud.calls == []
    return {(document["kind"], document["metadata"]["name"]): document for document in yaml.safe_load_all(text)}


def test_services_and_triggers(manifests):
    assert [name for kind, name in manifests if kind == "Service"] == [
        "ask-ai-call", "forget-user-event", "translate-message-event", "translate-message-call"]
    event = manifests["Service", "translate-message-event"]
    assert event["metadata"]["labels"]["networking.knative.dev/visibility"] == "cluster-local"
    call = manifests["Service", "translate-message-call"]
    assert "networking.knative.dev/visibility" not in call["metadata"]["labels"]
    revision = call["spec"]["template"]["spec"]
    assert revision["containerConcurrency"] == 32
    container = revision["containers"][0]
    assert container["image"] == "registry.example/chat/translate-message:t1"
    environment = {variable["name"]: variable for variable in container["env"]}
    assert environment["FUNCTION_SIGNATURE_TYPE"]["value"] == "http"
    assert environment["TRANSLATION_GLOSSARY"]["value"] == "yes: 'no' # {x}"
    assert environment["TRANSLATE_KEY"]["valueFrom"]["secretKeyRef"]["key"] == "TRANSLATE_KEY"
    assert container["securityContext"]["readOnlyRootFilesystem"] is True


def test_triggers_ask_for_type_database_and_path(manifests):
    triggers = [document for (kind, _), document in manifests.items() if kind == "Trigger"]
    assert len(triggers) == 3
    created = next(t for t in triggers if "created" in t["metadata"]["name"])
    assert created["spec"]["filters"] == [
        {"exact": {"type": "google.cloud.firestore.document.v1.created"}},
        {"cesql": "database = '(default)'"},
        {"cesql": "document LIKE 'conversations/%/messages/%'"},
    ]
    assert created["spec"]["subscriber"]["ref"]["name"] == "translate-message-event"
    forgets = next(t for t in triggers if "forget-user" in t["metadata"]["name"])
    assert forgets["spec"]["delivery"]["retry"] == 0


def test_a_cluster_takes_its_manifests_itself(cloud):
    result = cloud.run("apply", "--target", "knative", "--registry", "registry.example/chat")
    assert result.returncode == 64
    assert "kubectl apply" in result.stderr
    assert "--registry is missing" in cloud.run("plan", "--target", "knative").stderr


def test_no_key_is_in_them(cloud):
    text = cloud.must("plan", "--target", "knative", "--registry", "registry.example/chat").stdout
    assert "key-of-" not in text
