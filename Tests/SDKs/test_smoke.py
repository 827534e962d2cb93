"""The script of `make smoke-live`, which only people with keys run.

This test runs it against the emulator instead of the real providers, so that the script stays in
order.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import urllib.request

SCRIPT = pathlib.Path(__file__).parents[1] / "Live/smoke.py"
KEYS = {
    "GOOGLE_TRANSLATION_API_KEY",
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
}


def smoke(*options, environment=os.environ):
    program = shutil.which("emulator")
    assert program, "run it under `emulator exec`"
    return subprocess.run(
        [sys.executable, "-B", str(SCRIPT), program, *options],
        env=environment,
        capture_output=True,
        text=True,
    )


def test_every_function_asks_its_provider_once(tmp_path):
    done = smoke("--at-base-urls", "--cassettes", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    for name in ("translation", "openai", "anthropic", "fcm"):
        assert f"{name}:" in lines, done.stdout
        assert list(tmp_path.glob(f"{name}-*.json")), f"nobody asked {name}"
    for function in ("translateMessage", "sendNotification"):
        assert sum(f"{function}: ok" in line for line in lines) == 1, done.stdout
    for function in ("analyzeMessage", "smartReplies", "askAI"):
        assert sum(f"{function}: ok" in line for line in lines) == 2, done.stdout
    assert lines[-1].startswith("cost $0.00"), done.stdout
    inbox = f"http://{os.environ['FUNCTIONS_EMULATOR_HOST']}/providers/fcm/inbox"
    with urllib.request.urlopen(inbox) as answer:
        rung = json.loads(answer.read())["messages"]
    assert not [push for push in rung if push["message"].get("data", {}).get("conversationId") == "smoke"]


def test_without_keys_nothing_runs():
    environment = {name: value for name, value in os.environ.items() if name not in KEYS}
    done = smoke(environment=environment)
    assert done.returncode == 0 and done.stdout.count("skipped, ") == 4
    assert done.stdout.splitlines()[-1] == "nothing ran"


def test_the_cost_is_printed_first():
    done = smoke("--dry-run")
    assert done.returncode == 0
    assert "translation: will cost about $0.0005" in done.stdout
    assert done.stdout.splitlines()[-1] == "nothing ran"


def test_a_provider_that_is_down_is_named():
    environment = {**os.environ, "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
    for name in KEYS - {"OPENAI_API_KEY"}:
        del environment[name]
    done = smoke("--at-base-urls", environment=environment)
    assert done.returncode == 1
    assert "askAI: error" in done.stdout and "smartReplies: fallback" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("failed: openai")
