"""Events of objects on the pages Events and Functions."""

import json
import urllib.request

from playwright.sync_api import expect

TRIGGER = {"eventType": "google.cloud.storage.object.v1.metadataUpdated", "object": "avatars/{uid}/{file}"}
MANIFEST = {"contract": 1, "name": "seen", "triggers": [TRIGGER], "objectWrites": ["thumbnails/{file}"]}
NAME = "avatars/sarah/portrait.png"
BUCKET = "demo-worldchat.appspot.com"
EVENT = {
    "specversion": "1.0",
    "id": "e1",
    "type": TRIGGER["eventType"],
    "source": f"//storage.googleapis.com/projects/_/buckets/{BUCKET}",
    "subject": f"objects/{NAME}",
    "time": "2026-03-01T18:00:05.250Z",
    "bucket": BUCKET,
    "data": {
        "bucket": BUCKET, "name": NAME, "contentType": "image/png", "size": "1234567", "generation": "1700000000000001",
        "metageneration": "2", "metadata": {"owner": "sarah"},
    },
}


def test_an_event_shows_the_object(page, emulator):
    folder = emulator.folder / "functions"
    folder.mkdir()
    (folder / "seen").write_text(f"""#!/bin/sh
if [ "$1" = --describe ]; then
  echo '{json.dumps(MANIFEST)}'
else
  cat > /dev/null; echo '{{"status":"ok","exitCode":0}}'
fi
""")
    (folder / "seen").chmod(0o755)
    emulator.stop()
    emulator.options += ["--functions", folder]
    emulator.start()
    request = urllib.request.Request(
        f"http://127.0.0.1:{emulator.ports['functions']}/events?wait=true", json.dumps(EVENT).encode(),
        {"content-type": "application/cloudevents+json"},
    )
    urllib.request.urlopen(request).close()
    page.goto("/events/e1")
    # The details of the page's subject are open.
    expect(page.get_by_text(f"{NAME} metadata updated by an unknown client")).to_be_visible()
    details = page.locator("dl").first
    for text in (BUCKET, "image/png", "1.18 MiB", "1700000000000001, metageneration 2"):
        expect(details).to_contain_text(text)
    expect(page.locator("pre").first).to_contain_text('"owner": "sarah"')
    expect(details.get_by_role("link", name=NAME)).to_have_attribute("href", f"/storage?at=gs://{BUCKET}/{NAME}")
    # The function's test bench has an example of such an event.
    page.goto("/functions/seen")
    expect(page.get_by_text("metadataUpdated: avatars/{uid}/{file} in Cloud Storage").first).to_be_attached()
    expect(page.get_by_role("row", name="Writes to Cloud Storage")).to_contain_text("thumbnails/{file}")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("exit 0").first).to_be_visible()
