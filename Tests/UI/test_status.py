"""The Status page: addresses, settings for apps, and warnings."""

import re

from playwright.sync_api import expect

from test_functions import write_message


def row(page, name):
    return page.get_by_role("row", name=re.compile(f"^{name} "))


def test_services_and_settings_for_an_app_are_shown(page, emulator):
    page.goto("/status")
    expect(row(page, "Firestore")).to_contain_text(f"127.0.0.1:{emulator.ports['firestore']}")
    expect(row(page, "Authentication")).to_contain_text(f"127.0.0.1:{emulator.ports['auth']}")
    expect(row(page, "Storage")).to_contain_text(f"127.0.0.1:{emulator.ports['storage']}")
    expect(page.get_by_role("region", name="Security rules")).to_contain_text("firestore.rules")
    expect(page.get_by_role("region", name="Storage rules")).to_contain_text("storage.rules")


def test_an_app_on_each_platform_gets_the_lines_of_this_run(page, emulator):
    page.goto("/status")
    panel, ports = page.get_by_role("tabpanel"), emulator.ports
    expected = {
        "Swift": ['options.projectID = "demo-worldchat"', 'Firestore.firestore().useEmulator(withHost: "127.0.0.1", port: '
                  f'{ports["firestore"]})', f'Storage.storage().useEmulator(withHost: "127.0.0.1", port: {ports["storage"]})'],
        "Kotlin": ['.setProjectId("demo-worldchat")', f'Firebase.auth.useEmulator("10.0.2.2", {ports["auth"]})'],
        "Web": [f'connectFunctionsEmulator(getFunctions(), "127.0.0.1", {ports["functions"]});',
                f'connectAuthEmulator(getAuth(), "http://127.0.0.1:{ports["auth"]}");',
                f'connectDatabaseEmulator(getDatabase(), "127.0.0.1", {ports["database"]});',
                f'connectStorageEmulator(getStorage(), "127.0.0.1", {ports["storage"]});'],
        "Flutter": [f'FirebaseDatabase.instance.useDatabaseEmulator("127.0.0.1", {ports["database"]});'],
        "React Native": [f'connectFirestoreEmulator(getFirestore(), "127.0.0.1", {ports["firestore"]});', "--project ID"],
        "Python": ['os.environ["FIRESTORE_EMULATOR_HOST"]', 'os.environ["FIREBASE_AUTH_EMULATOR_HOST"]',
                   f'os.environ["STORAGE_EMULATOR_HOST"] = "http://127.0.0.1:{ports["storage"]}"'],
    }
    tabs = page.get_by_role("tablist", name="Connect an app").get_by_role("tab")
    expect(tabs).to_have_text(list(expected))
    tabs.first.focus()
    for title, lines in expected.items():
        expect(page.get_by_role("tab", name=title, exact=True)).to_be_focused()
        for line in lines:
            expect(panel).to_contain_text(line)
        page.keyboard.press("ArrowRight")
    expect(tabs.first).to_be_focused()


def test_lines_are_copied(page, context, emulator):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.clock.install(time=0)
    page.goto("/status")
    button = page.get_by_role("button", name="Copy: Environment")
    expect(button).to_be_visible()
    # The button shows its confirmation for two seconds.
    page.clock.pause_at(3_600_000)
    button.click()
    expect(button).to_have_text("Copied")
    text = page.evaluate("navigator.clipboard.readText()")
    assert f"export FIREBASE_EMULATOR_HUB=127.0.0.1:{emulator.ports['hub']}" in text.split("\n")
    page.get_by_role("button", name="Copy: Swift").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert f'Auth.auth().useEmulator(withHost: "127.0.0.1", port: {emulator.ports["auth"]})' in copied.split("\n")


def test_switched_on_features_and_failures_are_shown(page, emulator):
    emulator.request("PUT", "ui", "/api/functions/askAI", {"paused": True})
    emulator.request("PUT", "ui", "/api/triggers", {"paused": True})
    emulator.request("PUT", "ui", "/api/chaos", {"spec": "seed=7,delay=1..2ms"})
    page.goto("/status")
    expect(row(page, "Triggers")).to_contain_text("paused: deliveries wait")
    expect(row(page, "Paused functions")).to_contain_text("askAI")
    expect(row(page, "Chaos")).to_contain_text("seed=7,delay=1..2ms")
    emulator.request("PUT", "ui", "/api/triggers", {"paused": False})
    emulator.request("POST", "functions", "/providers/faults",
                     {"provider": "translation", "kind": "status", "status": 503, "times": 1_000})
    write_message(emulator, text="Good luck with it!")
    emulator.quiet()
    expect(row(page, "Deliveries")).to_contain_text(re.compile("[1-9] dead letter"))
    expect(row(page, "Deliveries").get_by_role("link")).to_have_attribute("href", "/events?state=deadLettered")
    expect(row(page, "Documents")).to_contain_text(re.compile(r"\d+ documents"))
