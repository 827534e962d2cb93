"""Fixtures for tests with a real Chromium and a real emulator. Each test has its own emulator with
the demo's data."""

import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/SDKs"))
from firestore.peer import free_port  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SERVICES = ["database", "firestore", "auth", "storage", "functions", "ui", "hub"]

expect.set_options(timeout=30_000)


def pytest_configure(config):
    config.addinivalue_line("markers", "refusals: the test's page sends requests that are refused on purpose")


class Emulator:
    """A running emulator. `stop` ends it. WorldChat's rules and indexes hold, unless it runs in another folder."""

    def __init__(self, folder, *options, seed=True, ports=None, runs_in=ROOT):
        self.folder = folder
        self.runs_in = runs_in
        self.options = [*options, *(["--seed", "demo"] if seed else [])]
        # While an emulator restarts, no connection may take one of its ports.
        self.ports = ports or {service: free_port() for service in SERVICES}
        self.start()

    def start(self):
        """Starts the emulator. A second start uses the same ports."""
        ready = self.folder / "ready"
        os.mkfifo(ready)
        command = [ROOT / ".build/debug/emulator", "start", "--ready-file", ready, *self.options]
        for service, port in self.ports.items():
            command += [f"--{service}-port", str(port)]
        with open(self.folder / "errors", "ab") as errors:
            self.process = subprocess.Popen(
                [str(part) for part in command], cwd=self.runs_in, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        # Opening the pipe blocks until the emulator writes to it.
        self.addresses = json.loads(ready.read_text())
        self.ports = {service: self.addresses[service]["port"] for service in SERVICES}
        ready.unlink()
        if "--seed" in self.options:
            # After this line the demo has been written and its functions have ended.
            for line in self.process.stdout:
                if line.startswith("Running."):
                    break

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)
        self.process.stdout.close()

    def url(self, service, path=""):
        return f"http://127.0.0.1:{self.ports[service]}{path}"

    def request(self, method, service, path, body=None):
        """Sends a request to a service and returns the JSON of its response."""
        request = urllib.request.Request(
            self.url(service, path),
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"content-type": "application/json", "authorization": "Bearer owner"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    @property
    def documents(self):
        return "/v1/projects/demo-worldchat/databases/(default)/documents"

    def get(self, path):
        """Returns a document's fields, in Firestore's JSON."""
        return self.request("GET", "firestore", f"{self.documents}/{path}").get("fields", {})

    def write(self, path, fields):
        """Replaces a document."""
        return self.request("PATCH", "firestore", f"{self.documents}/{path}", {"fields": fields})

    def quiet(self):
        """Waits until every function has ended."""
        return self.request("GET", "ui", "/api/quiet")


@pytest.fixture
def emulator(tmp_path):
    emulator = Emulator(tmp_path)
    yield emulator
    emulator.stop()


@pytest.fixture(scope="session")
def chromium():
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        # In a container Chromium's sandbox needs an unprivileged user.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def context(chromium, emulator):
    """A browser in Rome's time zone. Errors and warnings on the console fail the test."""
    context = chromium.new_context(
        base_url=emulator.url("ui"), locale="en-GB", timezone_id="Europe/Rome",
        viewport={"width": 1280, "height": 800},
    )
    context.problems = []
    context.on("weberror", lambda error: context.problems.append(str(error.error)))
    context.on(
        "console",
        lambda message: context.problems.append(message.text) if message.type in ("error", "warning") else None,
    )
    yield context
    problems = context.problems
    context.close()
    assert problems == []


@pytest.fixture
def page(context):
    return context.new_page()
