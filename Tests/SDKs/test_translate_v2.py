"""Google's own client of Translation v2 against the emulator's fake.

The client is configured as for Google, by GOOGLE_APPLICATION_CREDENTIALS: each call has a token
that the emulator's own endpoint issued for the account's signature."""

import os

import google.auth
import pytest
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import translate_v2

OPTIONS = {"api_endpoint": os.environ["TRANSLATION_BASE_URL"]}


class Impostor(AnonymousCredentials):
    """Credentials with a token that was never issued, which they keep."""

    def before_request(self, request, method, url, headers):
        headers["authorization"] = "Bearer ya29.made-up"

    def refresh(self, request):
        pass


@pytest.fixture
def client():
    return translate_v2.Client(client_options=OPTIONS)


def test_texts_come_back_in_order(client):
    answers = client.translate(
        ["Thank you!", "The docks are closed"],
        source_language="en",
        target_language="it",
        format_="text",
    )
    assert [answer["translatedText"] for answer in answers] == [
        "Grazie!",
        "⟦it⟧ The docks are closed",
    ]
    assert [answer["input"] for answer in answers] == ["Thank you!", "The docks are closed"]
    assert [answer["model"] for answer in answers] == ["phrasebook", "pseudo"]


def test_a_single_text_has_a_detected_language(client):
    answer = client.translate("Thank you!", target_language="it", model="nmt")
    assert answer["translatedText"] == "Grazie!"
    assert answer["detectedSourceLanguage"] == "en"


def test_html_is_the_default_format(client):
    text = "It's Tom & Jerry's boat"
    answer = client.translate(text, source_language="en", target_language="it")
    assert answer["translatedText"] == "⟦it⟧ It&#39;s Tom &amp; Jerry&#39;s boat"
    plain = client.translate(text, source_language="en", target_language="it", format_="text")
    assert plain["translatedText"] == "⟦it⟧ " + text


def test_languages_are_detected(client):
    answers = client.detect_language(["Buongiorno a tutti", "Good morning everybody"])
    assert [answer["language"] for answer in answers] == ["it", "en"]
    assert client.detect_language("Guten Morgen zusammen")["language"] == "de"


def test_languages_have_names_in_the_requested_language(client):
    names = {item["language"]: item["name"] for item in client.get_languages("it")}
    assert names["en"] == "inglese"
    assert names["de"] == "tedesco"


@pytest.mark.parametrize(
    "arguments",
    [
        {"target_language": "it-IT"},
        {"target_language": "it", "source_language": "it"},
        {"target_language": "it", "format_": "markdown"},
        {"target_language": "it", "model": "best"},
        {"target_language": "it", "customization_ids": "x"},
    ],
)
def test_bad_requests_are_refused(client, arguments):
    with pytest.raises(exceptions.BadRequest) as error:
        client.translate("Hello", **arguments)
    assert "Invalid Value" in error.value.message
    assert error.value.errors[0]["reason"] == "invalid"


def test_there_are_limits(client):
    assert len(client.translate(["a"] * 128, target_language="it")) == 128
    with pytest.raises(exceptions.BadRequest, match="Too many text segments"):
        client.translate(["a"] * 129, target_language="it")
    with pytest.raises(exceptions.BadRequest, match="Text too long"):
        client.translate("a" * 30_001, target_language="it")


def test_an_unknown_token_is_refused():
    client = translate_v2.Client(credentials=AnonymousCredentials(), client_options=OPTIONS)
    with pytest.raises(exceptions.Forbidden, match="unregistered callers") as error:
        client.translate("Hello", target_language="it")
    assert error.value.errors[0]["reason"] == "forbidden"


def test_a_token_of_another_account_is_refused():
    client = translate_v2.Client(credentials=Impostor(), client_options=OPTIONS)
    with pytest.raises(exceptions.Unauthorized):
        client.translate("Hello", target_language="it")


def test_the_account_is_the_emulators():
    credentials, project = google.auth.default()
    assert credentials.service_account_email
    assert project == os.environ["GOOGLE_CLOUD_PROJECT"]
