"""An invalid manifest is named, and nothing is deployed."""

import json
import subprocess

import pytest

from conftest import PROJECT, manifest, object_trigger, ref_trigger, trigger


def faults(**members):
    folder = PROJECT / "Functions/Deployment"
    return subprocess.run(
        ["jq", "-r", "-L", str(folder), "-f", str(folder / "manifest.jq")],
        input=json.dumps(manifest("bad", **members)), capture_output=True, text=True, check=True, timeout=60,
    ).stdout.splitlines()


@pytest.mark.parametrize("members, fault", [
    ({"triggers": {}}, "triggers can't be {}: it must be an array of objects"),
    ({"triggers": ["x"]}, 'triggers can\'t be ["x"]: it must be an array of objects'),
    ({"callable": "yes"}, 'callable can\'t be "yes": it must be true or false'),
    ({"retry": "no"}, 'retry can\'t be "no": it must be true or false'),
    ({"worker": 1}, "worker can't be 1: it must be true or false"),
    ({"writes": "a/{b}"}, 'writes can\'t be "a/{b}": it must be an array of strings'),
    ({"refWrites": ["a/{b}", 1]}, 'refWrites can\'t be ["a/{b}",1]: it must be an array of strings'),
    ({"objectWrites": "avatars/{uid}"}, 'objectWrites can\'t be "avatars/{uid}": it must be an array of strings'),
    ({"secrets": "KEY"}, 'secrets can\'t be "KEY": it must be an array of strings'),
    ({"secrets": {"KEY": "x"}}, 'secrets can\'t be {"KEY":"x"}: it must be an array of strings'),
    ({"secrets": [1]}, "secrets can't be [1]: it must be an array of strings"),
    ({"secrets": ["a-b; x"]}, 'secret "a-b; x" is not a valid variable name'),
    ({"secrets": ["KEY", "OTHER", "KEY", "KEY"]}, "secret KEY is listed twice"),
    *[({"environment": value}, f"environment can't be {text}: it must be an array of objects with name and required")
      for value, text in (({}, "{}"), (["A"], '["A"]'), ([{"name": "A"}], '[{"name":"A"}]'))],
    *[({member: value},
       f"{member} can't be {json.dumps(value)}: it must be a whole number from 1 to {most} on Cloud Run")
      for member, value, most in (
          ("timeoutSeconds", 3600, 3590), ("timeoutSeconds", "soon", 3590), ("timeoutSeconds", False, 3590),
          ("concurrency", 0, 1000), ("concurrency", 1.5, 1000), ("memoryMiB", 8192, 4096))],
])
def test_invalid_manifests(members, fault):
    assert faults(**members) == [f"bad: {fault}"]


@pytest.mark.parametrize("kind, ref, instance, fault", [
    ("written", "status//x", "*", 'pattern "status//x" has an empty segment'),
    ("written", "//status", "*", 'pattern "//status" has an empty segment'),
    ("written", "/", "*", 'pattern "/" has an empty segment'),
    ("written", "", "*", 'pattern "" has an empty segment'),
    ("written", "status/{uid", "*", 'pattern "status/{uid" has an unmatched brace'),
    ("written", "status/{a},b", "*", 'pattern "status/{a},b" has a character that gcloud doesn\'t accept'),
    ("written", "status/a b", "*", 'pattern "status/a b" has a character that gcloud doesn\'t accept'),
    ("written", "status/{rest=**}", "*", 'pattern "status/{rest=**}" can\'t have a segment for any number of keys'),
    ("written", "status/{uid}", 1, 'the trigger on "status/{uid}" has an invalid instance'),
    ("written", "status/{uid}", "a/b", 'the trigger on "status/{uid}" has an invalid instance'),
    ("written", "status/{uid}", "", 'the trigger on "status/{uid}" has an invalid instance'),
    ("written", None, "*", "a trigger has no ref or no event type of the Realtime Database"),
    ("moved", "status/{uid}", "*", "a trigger has no ref or no event type of the Realtime Database"),
])
def test_invalid_triggers_of_the_realtime_database(kind, ref, instance, fault):
    assert faults(triggers=[ref_trigger("created", "a"), ref_trigger(kind, ref, instance)]) == [f"bad: {fault}"]


@pytest.mark.parametrize("kind, members, fault", [
    ("finalized", {"bucket": "gs://a"}, 'bucket can\'t be "gs://a": it must be the name of a bucket, or *'),
    ("finalized", {"bucket": "my-*"}, 'bucket can\'t be "my-*": it must be the name of a bucket, or *'),
    ("finalized", {"bucket": 1}, "bucket can't be 1: it must be the name of a bucket, or *"),
    ("deleted", {"object": 1}, "object can't be 1: it must be a pattern of objects' names"),
    ("deleted", {"object": ""}, 'pattern "" has an empty segment'),
    ("deleted", {"object": "avatars//{file}"}, 'pattern "avatars//{file}" has an empty segment'),
    ("deleted", {"object": "avatars/{uid"}, 'pattern "avatars/{uid" has an unmatched brace'),
    ("deleted", {"object": "a\nb"}, 'pattern "a\\nb" has a control character'),
    ("archived", {}, "google.cloud.storage.object.v1.archived is no event of Cloud Storage that functions get"),
])
def test_invalid_triggers_of_cloud_storage(kind, members, fault):
    assert faults(triggers=[object_trigger("finalized"), object_trigger(kind, **members)]) == [f"bad: {fault}"]


@pytest.mark.parametrize("kind, document, members, fault", [
    ("created", "a/{b}/c", {}, 'pattern "a/{b}/c" names a collection, so no document matches'),
    ("created", "users", {}, 'pattern "users" names a collection, so no document matches'),
    ("created", "a//c/d", {}, 'pattern "a//c/d" has an empty segment'),
    ("created", "", {}, 'pattern "" has an empty segment'),
    ("created", "a/{b", {}, 'pattern "a/{b" has an unmatched brace'),
    ("created", "a/{b},c=d/{e}", {}, 'pattern "a/{b},c=d/{e}" has a character that gcloud doesn\'t accept'),
    ("created", "a/b c/d/{e}", {}, 'pattern "a/b c/d/{e}" has a character that gcloud doesn\'t accept'),
    ("created", "a/{b}", {"database": "x/y"}, 'the trigger on "a/{b}" has an invalid database'),
    ("created", "a/{b}", {"database": 1}, 'the trigger on "a/{b}" has an invalid database'),
    ("updated", "a/{b}", {"fields": "text"}, 'fields can\'t be "text": it must be an array of strings'),
    ("moved", "a/{b}", {}, "a trigger has no document or no Firestore event type"),
    ("created", None, {}, "a trigger has no document or no Firestore event type"),
])
def test_invalid_triggers(kind, document, members, fault):
    assert faults(triggers=[trigger("deleted", "a/{b}"), trigger(kind, document, **members)]) == [f"bad: {fault}"]


@pytest.mark.parametrize("name", [
    "google.firebase.auth.user.v1.created", "providers/firebase.auth/eventTypes/user.delete",
])
def test_events_of_accounts_are_refused_by_name(name):
    fault = f"bad: {name} is an event of Authentication, which functions on Cloud Run can't get"
    assert faults(triggers=[{"eventType": name}]) == [fault]


@pytest.mark.parametrize("members", [
    {"priority": {"of": "a newer function"}},
    {name: None for name in ("triggers", "secrets", "writes", "environment", "callable", "timeoutSeconds")},
    {"refWrites": ["members/{c}/{uid}"], "triggers": [
        ref_trigger("updated", "/a/{b}/c"), ref_trigger("deleted", "a", None), ref_trigger("written", "a/b*", "my-*")]},
    {"objectWrites": ["avatars/{uid}/{file}"], "triggers": [
        object_trigger("finalized", bucket="*", object="avatars/{uid}/my file, 1"), object_trigger("metadataUpdated"),
        object_trigger("deleted", bucket="my-project.firebasestorage.app", object="media/{rest=**}")]},
    {"triggers": [
        trigger("created", "a/{rest=**}"), trigger("deleted", "**"), trigger("updated", "a/*/b/b*", database="x")]},
])
def test_valid_manifests(members, cloud):
    assert faults(**members) == []
    cloud.add_function("good", **{"callable": True, "triggers": [], **{k: v for k, v in members.items() if v}})
    cloud.must("plan", "good", "--offline")


@pytest.mark.parametrize("command", ["plan", "apply"])
def test_all_errors_are_reported_and_nothing_is_done(cloud, command):
    cloud.add_function("bad", triggers={}, callable="yes", secrets=["KEY", "KEY"], environment="none")
    cloud.add_function("other", triggers=[trigger("created", "a/{b}/c")])
    result = cloud.run(command, "askAI")
    assert result.returncode == 65
    told = [line.removeprefix("deploy.sh: ") for line in result.stderr.splitlines()]
    assert [line.split()[:2] for line in told] == [
        ["bad:", "triggers"], ["bad:", "environment"], ["bad:", "callable"], ["bad:", "secret"], ["other:", "pattern"]]
    assert cloud.changes == []
