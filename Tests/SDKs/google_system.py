"""Runs the system tests that Google ships with its Python client, and judges the failures.

    python google_system.py [--suite sync|async|pipeline]... [--unskip] [--emulator HOST:PORT]
                            [--user UID]

The emulator is the one in FIRESTORE_EMULATOR_HOST, or the one that --emulator names. The tests come
from PyPI and are cached in .build. Allowed failures are listed in google_system_allowed.json with
the reason; any other failure, and any test that never ran, fails the run. With --unskip no test
skips itself because of an emulator. With --user all requests come from that user, and the emulator
enforces rules: start it with `--rules Tests/SDKs/rules/signed_in.rules`.
"""

import argparse
import collections
import fnmatch
import importlib.metadata
import json
import os
import pathlib
import signal
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
CACHE = HERE.parents[1] / ".build" / "sdks" / "google"
PACKAGE = "google-cloud-firestore"
SUITES = {
    "sync": "test_system.py",
    "async": "test_system_async.py",
    "pipeline": "test_pipeline_acceptance.py",
}
TEST_LIMIT_SECONDS = 60
RUN_LIMIT_SECONDS = 600


def system_tests():
    """Returns the folder of Google's tests for the installed client's version, or None without
    PyPI."""
    version = importlib.metadata.version(PACKAGE)
    folder = CACHE / f"google_cloud_firestore-{version}"
    if not (folder / "tests/system").is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        source = ["--no-deps", "--no-binary", PACKAGE, "--dest", str(CACHE), f"{PACKAGE}=={version}"]
        if subprocess.run([*pip, *source]).returncode != 0:
            return None
        with tarfile.open(CACHE / f"google_cloud_firestore-{version}.tar.gz") as archive:
            archive.extractall(CACHE, filter="data")
    return folder / "tests/system"


def run(folder, arguments):
    """Runs the tests and returns each test's outcome by its name."""
    outcomes = CACHE / "outcomes.jsonl"
    outcomes.write_text("")
    project = os.environ.get("GOOGLE_CLOUD_PROJECT", "demo-test")
    environment = os.environ | {
        "FIRESTORE_EMULATOR_HOST": arguments.emulator,
        "GCLOUD_PROJECT": project,
        "GOOGLE_CLOUD_PROJECT": project,
        "SYSTEM_TEST_OUTCOMES": str(outcomes),
        "SYSTEM_TEST_UNSKIP": "1" if arguments.unskip else "0",
        "TEST_USER": arguments.user,
        "PYTHONPATH": str(HERE),
        "PYTHONDONTWRITEBYTECODE": "1",
        "GRPC_VERBOSITY": "NONE",
    }
    for name in ("FIRESTORE_APPLICATION_CREDENTIALS", "GOOGLE_APPLICATION_CREDENTIALS"):
        environment.pop(name, None)
    # The asynchronous tests share one client, and a client belongs to one event loop.
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider"]
    command += ["-p", "google_system_plugin", f"--timeout={TEST_LIMIT_SECONDS}", "--rootdir=."]
    command += ["-o", "asyncio_default_fixture_loop_scope=session"]
    command += ["-o", "asyncio_default_test_loop_scope=session"]
    command += [SUITES[suite] for suite in arguments.suite]
    with open(CACHE / "log.txt", "w") as log:
        tests = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True
        )
        try:
            tests.wait(timeout=arguments.limit)
        except subprocess.TimeoutExpired:
            os.killpg(tests.pid, signal.SIGKILL)
            tests.wait()
    found = {}
    for line in outcomes.read_text().splitlines():
        each = json.loads(line)
        # A failure counts even if other outcomes of the same test are reported.
        if not found.get(each["test"], "").startswith("failed"):
            found[each["test"]] = each["outcome"]
    return {test: "not run" if each == "collected" else each for test, each in found.items()}


def judge(outcomes, allowed):
    """Returns all failures, those that nothing allows, and the allowances that nothing needs."""
    failures = {
        test: outcome
        for test, outcome in outcomes.items()
        if outcome not in ("passed", "skipped")
    }

    def allows(entry, test):
        outcome = failures[test]
        return fnmatch.fnmatchcase(test, entry["tests"]) and outcome in entry["outcomes"]

    unexpected = [
        test for test in failures if not any(allows(entry, test) for entry in allowed)
    ]
    unneeded = [entry for entry in allowed if not any(allows(entry, test) for test in failures)]
    return failures, unexpected, unneeded


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--suite", action="append", choices=SUITES)
    parser.add_argument("--unskip", action="store_true")
    parser.add_argument("--emulator", default=os.environ.get("FIRESTORE_EMULATOR_HOST"))
    parser.add_argument("--user", default=os.environ.get("TEST_USER", ""), metavar="UID")
    parser.add_argument("--limit", type=int, default=RUN_LIMIT_SECONDS, metavar="SECONDS")
    arguments = parser.parse_args()
    arguments.suite = arguments.suite or ["sync"]
    if not arguments.emulator:
        sys.exit("no emulator: pass --emulator HOST:PORT or set FIRESTORE_EMULATOR_HOST")
    folder = system_tests()
    if folder is None:
        print(f"skipped: PyPI does not answer, so the tests of {PACKAGE} are missing")
        return
    outcomes = run(folder, arguments)
    allowed = [
        entry
        for entry in json.loads((HERE / "google_system_allowed.json").read_text())
        if arguments.unskip or not entry.get("unskipped")
    ]
    allowed = [
        entry
        for entry in allowed
        if any(fnmatch.fnmatchcase(test, entry["tests"]) for test in outcomes)
    ]
    failures, unexpected, unneeded = judge(outcomes, allowed)
    for test in failures:
        mark = "FAILED" if test in unexpected else "allowed"
        print(f"{mark:8} {test}   ({failures[test]})")
    for entry in unneeded:
        print(f"passes   {entry['tests']}: remove its line from google_system_allowed.json")
    counts = collections.Counter(outcomes.values())
    title = ", ".join(arguments.suite) + (" unskipped" if arguments.unskip else "")
    title += f" as {arguments.user}" if arguments.user else ""
    print(
        f"Google's Firestore tests ({title}): {counts['passed']} passed, {len(failures)} failed, "
        f"{len(unexpected)} of them unexpected, {counts['skipped']} skipped"
    )
    if not outcomes or unexpected:
        sys.exit(f"see {CACHE / 'log.txt'}")


if __name__ == "__main__":
    main()
