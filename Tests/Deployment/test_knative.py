"""Manifests for clusters outside of Google's cloud."""

import pytest

from conftest import object_trigger, ref_trigger

yaml = pytest.importorskip("yaml", reason="the manifests are read with PyYAML")


KNATIVE = ("--target", "knative", "--registry", "registry.example/chat")


def read(text):
    return {(document["kind"], document["metadata"]["name"]): document for document in yaml.safe_load_all(text)}


@pytest.fixture
def manifests(cloud):
    cloud.set_env("TRANSLATION_GLOSSARY=\"yes: 'no' # {x}\"\n")
    text = cloud.must("plan", *KNATIVE).stdout
    assert cloud.calls == []
    return read(text)


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


def test_functions_have_a_google_service_account(manifests):
    for (kind, _), service in manifests.items():
        if kind != "Service":
            continue
        revision = service["spec"]["template"]["spec"]
        container = revision["containers"][0]
        volume, = revision["volumes"]
        assert volume["secret"] == {
            "secretName": "worldchat-google", "items": [{"key": "key.json", "path": "key.json"}]}
        mount, = container["volumeMounts"]
        assert mount["name"] == volume["name"] and mount["readOnly"] is True
        environment = {variable["name"]: variable.get("value") for variable in container["env"]}
        assert environment["GOOGLE_APPLICATION_CREDENTIALS"] == f"{mount['mountPath']}/key.json"


def test_public_services_show_no_metrics(manifests, cloud):
    def variables(documents):
        return {
            name: {variable["name"]: variable.get("value") for variable
                   in document["spec"]["template"]["spec"]["containers"][0]["env"]}
            for (kind, name), document in documents.items() if kind == "Service"
        }

    for name, environment in variables(manifests).items():
        assert environment.get("METRICS") == ("off" if name.endswith("-call") else None)
        assert "ANONYMOUS_CALLS" not in environment
    text = cloud.must("plan", *KNATIVE, "--anonymous-calls").stdout
    assert "# WARNING   anybody may call ask-ai-call, translate-message-call" in text
    for name, environment in variables(read(text)).items():
        assert environment.get("ANONYMOUS_CALLS") == ("allow" if name.endswith("-call") else None)


def test_a_plan_first_warns_that_nothing_checks_who_posts_events(cloud):
    lines = cloud.must("plan", *KNATIVE).stdout.splitlines()
    comment = " ".join(line.removeprefix("# ") for line in lines[: lines.index("---")])
    assert all(line.startswith("#") for line in lines[: lines.index("---")])
    assert comment.startswith("The services named *-event don't check")
    assert "Functions/DEPLOY.md" in comment


def test_triggers_filter_type_database_and_path(manifests):
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


def test_triggers_of_the_realtime_database(cloud):
    cloud.add_function("mirrorPresence", triggers=[ref_trigger("written", "/status/{uid}")],
                       environment=[{"name": "FIREBASE_DATABASE_URL", "required": False}])
    documents = read(cloud.must("plan", "mirrorPresence", *KNATIVE).stdout)
    trigger, = [document for (kind, _), document in documents.items() if kind == "Trigger"]
    assert trigger["spec"]["filters"] == [
        {"exact": {"type": "google.firebase.database.ref.v1.written"}},
        {"cesql": "instance = 'my-project-default-rtdb'"},
        {"cesql": "ref LIKE 'status/%'"},
    ]
    container, = documents["Service", "mirror-presence-event"]["spec"]["template"]["spec"]["containers"]
    address = "https://my-project-default-rtdb.firebaseio.com"
    assert {"name": "FIREBASE_DATABASE_URL", "value": address} in container["env"]


def test_triggers_of_cloud_storage(cloud):
    cloud.add_function("checkUpload", environment=[{"name": "STORAGE_BUCKET", "required": False}], triggers=[
        object_trigger("finalized", object="avatars/{uid}/it's.png"),
        object_trigger("finalized", object="media/{rest=**}"),
        object_trigger("deleted", object="avatars/{uid}/{file}"), object_trigger("deleted")])
    documents = read(cloud.must("plan", "checkUpload", *KNATIVE).stdout)
    bucket = "my-project.firebasestorage.app"
    source = {"exact": {"source": f"//storage.googleapis.com/projects/_/buckets/{bucket}"}}
    filters = [document["spec"]["filters"] for (kind, _), document in documents.items() if kind == "Trigger"]
    assert sorted(filters, key=str) == [
        [{"exact": {"type": "google.cloud.storage.object.v1.deleted"}}, source],
        [{"exact": {"type": "google.cloud.storage.object.v1.finalized"}}, source,
         {"cesql": "subject LIKE 'objects/avatars/%/it\\'s.png' OR subject LIKE 'objects/media/%'"}],
    ]
    container, = documents["Service", "check-upload-event"]["spec"]["template"]["spec"]["containers"]
    assert {"name": "STORAGE_BUCKET", "value": bucket} in container["env"]


def test_apply_refers_to_kubectl(cloud):
    result = cloud.run("apply", "--target", "knative", "--registry", "registry.example/chat")
    assert result.returncode == 64
    assert "kubectl apply" in result.stderr
    assert "--registry is missing" in cloud.run("plan", "--target", "knative").stderr


def test_manifests_contain_no_key(cloud):
    assert "key-of-" not in cloud.must("plan", *KNATIVE).stdout
