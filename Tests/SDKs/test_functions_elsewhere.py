"""Our functions behind Google's own Firestore emulator: a message written there is translated."""

import shutil
import time

import pytest
from firestore import peer
from firestore.emulator import start
from google.cloud import firestore

PROJECT = "demo-test"


@pytest.fixture
def google(monkeypatch):
    """A client of Google's emulator, to whose documents our functions listen."""
    port = peer.free_port()
    with peer.running(f"--functions_emulator=127.0.0.1:{port}") as address:
        if shutil.which("translateMessage") is None:
            pytest.skip("the functions are not built")
        process, _ = start(
            *("--only", "functions", "--functions-port", str(port)),
            *("--firestore-emulator", address, "--project", PROJECT),
        )
        try:
            monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", address)
            yield firestore.Client(project=PROJECT)
        finally:
            process.terminate()
            process.communicate()


def test_a_message_is_translated(google):
    google.document("users/marco").set({"primaryLanguage": "it"})
    google.document("users/sarah").set({"primaryLanguage": "en"})
    google.document("conversations/trip").set({"participants": ["sarah", "marco"]})
    # Google's emulator puts an id's letters into headers as they are.
    message = google.document("conversations/trip/messages", "tè 100% 😀")
    message.set(
        {
            "senderId": "sarah",
            "text": "Hello!",
            "language": "en",
            "timestamp": firestore.SERVER_TIMESTAMP,
            "readBy": [],
        }
    )
    # Google's emulator once sent a listener nothing for minutes, so the test asks again and again.
    for _ in range(600):
        translations = message.get().to_dict().get("translations") or {}
        if "it" in translations:
            break
        time.sleep(0.2)
    assert translations == {"it": "Ciao!"}


def test_a_missing_google_emulator_is_reported():
    nobody = f"127.0.0.1:{peer.free_port()}"
    with pytest.raises(RuntimeError, match=f"Firestore's emulator at {nobody} didn't take") as error:
        start(
            *("--only", "functions", "--functions-port", str(peer.free_port())),
            *("--firestore-emulator", nobody, "--project", PROJECT),
        )
    assert "--functions_emulator=127.0.0.1:" in str(error.value)
