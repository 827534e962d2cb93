"""Functions that would trigger each other without end aren't deployed; all others are."""

import json
import subprocess

import pytest

from conftest import MESSAGES, PROJECT, manifest, ref_trigger, trigger


def cycles(*manifests):
    folder = PROJECT / "Functions/Deployment"
    return subprocess.run(
        ["jq", "-r", "-L", str(folder), "-f", str(folder / "cycles.jq")],
        input=json.dumps(manifests), capture_output=True, text=True, check=True, timeout=60,
    ).stdout.splitlines()


def one(kind, written, document=MESSAGES, **members):
    return manifest("one", triggers=[trigger(kind, document, **members)], writes=[written])


@pytest.mark.parametrize("function", [
    one("updated", MESSAGES), one("written", MESSAGES), one("updated.withAuthContext", MESSAGES),
    one("updated", "conversations/{c}/messages/m1"), one("updated", "conversations/**"),
    one("written", "users/u1", "users/{uid}"), one("updated", "users/{uid}", "{path=**}"),
    one("updated", "users/abc", "users/a*c"), one("updated", "users/a*", "users/abc"),
    one("updated", "rooms/{id}", "{collection}/{id}"),
])
def test_a_function_that_triggers_itself(function):
    found = cycles(function)
    assert len(found) == 1
    assert found[0].startswith("one writes ") and "which triggers one" in found[0]


@pytest.mark.parametrize("function", [
    one("updated", MESSAGES, fields=["text"]), one("written", MESSAGES, fields=["text"]),
    # These need a new document for each round.
    one("created", MESSAGES), one("deleted", MESSAGES),
    one("updated", "conversations/{c}"), one("updated", "conversations/{c}/messages/{m}/parts/{p}"),
    one("updated", "users/abd", "users/a*c"), one("updated", "users/{uid}", "rooms/{id}"),
])
def test_a_function_that_does_not_trigger_itself(function):
    assert cycles(function) == []


def test_a_cycle_through_other_functions():
    first = manifest("first", triggers=[trigger("updated", "a/{id}")], writes=["b/{id}"])
    second = manifest("second", triggers=[trigger("created", "b/{id}")], writes=["c/{id}"])
    third = manifest("third", triggers=[trigger("written", "c/{id}")], writes=["a/{id}"])
    assert cycles(first, second) == []
    found = cycles(first, second, third)
    assert found == [
        "first writes b/{id}, which triggers second when b/{id} is created; "
        "second writes c/{id}, which triggers third when c/{id} is written; "
        "third writes a/{id}, which triggers first when a/{id} is updated"
    ]
    # A field filter anywhere on the way breaks the cycle.
    third["triggers"][0]["fields"] = ["state"]
    assert cycles(first, second, third) == []


def test_cycles_through_the_realtime_database_are_not_found():
    # A manifest doesn't tell whether these writes only delete, as mirrorPresence's do.
    itself = manifest("one", triggers=[ref_trigger("written", "users/{uid}")], writes=["users/{uid}"],
                      refWrites=["users/{uid}"])
    back = manifest("two", triggers=[trigger("written", "users/{uid}")], refWrites=["users/{uid}"])
    assert cycles(itself, back) == []


def test_cycles_of_many_are_found_quickly():
    functions = [
        manifest(f"f{n}", triggers=[trigger("updated", f"c{n}/{{id}}")], writes=[f"c{m}/{{id}}" for m in range(20)])
        for n in range(20)
    ]
    assert len(cycles(*functions)) > 20


def test_plan_refuses_and_says_what_to_do(cloud):
    cloud.add_function("loop", triggers=[trigger("updated", "rooms/{room}")], writes=["rooms/{room}"])
    for command in ("plan", "apply"):
        result = cloud.run(command, "askAI")
        assert result.returncode == 65
        assert "loop writes rooms/{room}, which triggers loop when rooms/{room} is updated" in result.stderr
        assert '"fields"' in result.stderr
    assert cloud.changes == []
