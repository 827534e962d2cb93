"""The security rules on the Status page: their file, warnings, errors, and those of clients."""

import re

import pytest
from playwright.sync_api import expect

from conftest import Emulator

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{db}/documents {
    match /t/{id} {
      allow get: if %s;
    }
  }
}
"""


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "firestore.rules"
    file.write_text(RULES % "true")
    return file


@pytest.fixture
def emulator(tmp_path, file):
    emulator = Emulator(tmp_path, "--rules", str(file), seed=False)
    yield emulator
    emulator.stop()


@pytest.fixture
def section(page):
    # The page asks every five seconds.
    page.clock.install()
    page.goto("/status")
    section = page.get_by_role("region", name="Security rules")
    expect(section).to_be_visible()
    return section


def row(section, name):
    return section.get_by_role("row", name=re.compile(f"^{name} "))


def refresh(page, emulator, text):
    """Waits until the emulator has printed a line with the text, and lets the page ask again."""
    for line in emulator.process.stdout:
        if text in line:
            break
    page.clock.run_for(5_000)


def test_the_file_and_its_changes_are_shown(page, emulator, file, section):
    expect(row(section, "Rules")).to_contain_text(str(file))
    expect(row(section, "Loaded")).to_be_visible()
    expect(section).not_to_contain_text("Last change")

    file.write_text(RULES % "nofn() || true")
    refresh(page, emulator, "the rules were replaced")
    expect(row(section, "Warnings")).to_contain_text("line 5, column 21: Invalid function name: nofn.")

    file.write_text("service x {")
    refresh(page, emulator, "stay in force")
    expect(row(section, "Last change")).to_contain_text("not used: the rules before it stay in force")
    expect(row(section, "Last change")).to_contain_text(f"{file}:1:12: error: Unexpected '<EOF>'.")
    expect(row(section, "Warnings")).to_contain_text("nofn")

    file.write_text(RULES % "true")
    refresh(page, emulator, "the rules were replaced")
    expect(row(section, "Last change")).to_have_count(0)
    expect(row(section, "Warnings")).to_have_count(0)


def test_rules_of_clients_are_shown(page, emulator, section):
    route = "/emulator/v1/projects/demo-test:securityRules"

    def put(content, **other):
        body = {"rules": {"files": [{"content": content}]}, **other}
        emulator.request("PUT", "firestore", route, body)
        page.clock.run_for(5_000)

    expect(section).not_to_contain_text("Set by clients")
    put(RULES % "false")
    project = row(section, "Set by clients").get_by_role("listitem")
    expect(project).to_have_text("demo-test rules of its own")

    put("service x {", ignore_errors=True)
    expect(project.first).to_contain_text("every request of its clients fails")
    expect(project.last).to_have_text("line 1, column 12: Unexpected '<EOF>'.")

    emulator.request("DELETE", "firestore", route)
    page.clock.run_for(5_000)
    expect(section).not_to_contain_text("Set by clients")


def test_many_warnings_are_counted(page, emulator, file, section):
    file.write_text(RULES % " || ".join(["true"] + ["nofn()"] * 25))
    refresh(page, emulator, "the rules were replaced")
    warnings = row(section, "Warnings").get_by_role("listitem")
    expect(warnings).to_have_count(21)
    expect(warnings.last).to_have_text("and 5 more")
