"""An app with Firebase's Web SDK, as a browser runs it, works with the emulator under WorldChat's rules."""

import http.server
import json
import os
import re
import threading
from pathlib import Path

import pytest
from conftest import Emulator

FOLDER = Path(__file__).parent / "web"
SDK = os.environ.get("FIREBASE_JS", "")
MODULES = [f"firebase-{module}.js" for module in ("app", "auth", "database", "firestore", "functions")]
MISSING = [module for module in MODULES if not SDK or not (Path(SDK) / module).exists()]
WHY_SKIPPED = f"Firebase's Web SDK is missing: make test-web, with FIREBASE_JS=FOLDER for one with {', '.join(MISSING)}"

pytestmark = pytest.mark.skipif(bool(MISSING), reason=WHY_SKIPPED)


class Site(http.server.SimpleHTTPRequestHandler):
    """The app's web server. The SDK's modules import each other from Google's servers; here they come from the folder."""

    def do_GET(self):
        path = self.path.split("?")[0]
        if path.startswith("/firebase/"):
            text = (Path(SDK) / Path(path).name).read_text()
            text = re.sub(r"https://www\.gstatic\.com/firebasejs/[^/]+/", "/firebase/", text)
            # No source map is served.
            text = re.sub(r"//# sourceMappingURL=.*", "", text)
            return self.answer("text/javascript", text.encode())
        if path == "/app.html":
            return self.answer("text/html", (FOLDER / "app.html").read_bytes())
        self.answer("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>")

    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def site():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def refusals_are_expected(request, context):
    """Lets the browser and the SDK report requests that fail on purpose, in tests with the mark `refusals`.

    Elsewhere a report, such as of a stream that breaks, fails the test, as an uncaught error does everywhere.
    """
    yield
    if request.node.get_closest_marker("refusals"):
        reports = ("Failed to load resource", "@firebase/firestore", "FIREBASE WARNING")
        context.problems[:] = [problem for problem in context.problems if not any(each in problem for each in reports)]


@pytest.fixture
def open_app(context, emulator, site):
    """Returns a function that opens the app in a tab: `settings` are those of Firestore, and `projectId`."""

    def open_app(in_context=context, **settings):
        page = in_context.new_page()
        page.set_default_timeout(60_000)
        ports = json.dumps({name: emulator.ports[name] for name in ("auth", "database", "firestore", "functions")})
        page.goto(f"{site}/app.html?ports={ports}&settings={json.dumps(settings)}")
        page.wait_for_function("window.sdk")
        return page

    return open_app


@pytest.fixture
def other(chromium):
    """Another browser profile, for a second person."""
    context = chromium.new_context()
    yield context
    context.close()


def sign_in(page, name):
    """Signs in as a person of the demo."""
    return page.evaluate(
        """async (name) => {
          const { user } = await sdk.signInWithEmailAndPassword(sdk.userAuth, `${name}@example.com`, "worldchat");
          return user.uid;
        }""",
        name,
    )


MESSAGES = 'sdk.collection(sdk.db, "conversations/sarah-marco/messages")'
LISTEN = f"""() => {{ window.seen = sdk.record(sdk.query({MESSAGES}, sdk.orderBy("timestamp"))).log; }}"""


def wait_for(page, condition):
    """Waits until `condition` holds for the last snapshot, and returns it. An error doesn't end the wait."""
    page.wait_for_function(f"() => {{ const last = seen.at(-1); return last && ({condition}); }}", polling=20)
    return page.evaluate("seen.at(-1)")


def send(page, text, uid):
    return page.evaluate(
        f"""([text, senderId]) => sdk.addDoc({MESSAGES}, {{
          senderId, text, timestamp: sdk.serverTimestamp(), status: "sent",
        }}).then((message) => message.id)""",
        [text, uid],
    )


def test_a_message_and_its_translation_arrive(open_app, other):
    sarah, marco = open_app(), open_app(other)
    uid = sign_in(sarah, "sarah")
    sign_in(marco, "marco")
    for page in (sarah, marco):
        page.evaluate(LISTEN)
        wait_for(page, "!last.fromCache")
    send(sarah, "Good morning", uid)
    # The sender sees the message before the server has it.
    local = sarah.evaluate("seen.find((each) => each.hasPendingWrites)")
    assert local["data"][-1]["text"] == "Good morning" and local["data"][-1]["timestamp"] is None
    last = wait_for(marco, 'last.data.at(-1)?.translations?.it')
    assert last["data"][-1]["text"] == "Good morning"
    wait_for(sarah, 'last.data.at(-1)?.translations?.it && !last.hasPendingWrites')


@pytest.mark.refusals
def test_a_denied_listener_gets_its_error_and_others_go_on(open_app):
    page = open_app()
    sign_in(page, "jonas")
    page.evaluate(f"""() => {{
      window.allowed = sdk.record(sdk.doc(sdk.db, "users/jonas")).log;
      window.seen = sdk.record({MESSAGES}).log;
    }}""")
    assert wait_for(page, "last.error") == {"error": "permission-denied"}
    page.evaluate('sdk.updateDoc(sdk.doc(sdk.db, "users/jonas"), { language: "pt" })')
    page.wait_for_function('allowed.at(-1)?.data?.language === "pt" && !allowed.at(-1).hasPendingWrites')
    denied = page.evaluate(
        'sdk.setDoc(sdk.doc(sdk.db, "users/sarah"), { displayName: "Jonas" }).catch((error) => error.code)'
    )
    assert denied == "permission-denied"


def test_listeners_follow_who_is_signed_in(open_app):
    page = open_app()
    page.evaluate('() => { window.seen = sdk.record(sdk.doc(sdk.db, "conversations/sarah-marco")).log; }')
    assert wait_for(page, "last.error")["error"] == "permission-denied"
    sign_in(page, "sarah")
    page.evaluate('() => { window.seen = sdk.record(sdk.doc(sdk.db, "conversations/sarah-marco")).log; }')
    assert wait_for(page, "last.data && !last.fromCache")["data"]["participants"] == ["sarah", "marco"]
    # The SDK opens the stream again as another user, to whom the rules deny the document.
    sign_in(page, "jonas")
    assert wait_for(page, "last.error")["error"] == "permission-denied"


def test_writes_wait_while_the_app_is_offline(open_app, other):
    sarah, marco = open_app(), open_app(other)
    uid = sign_in(sarah, "sarah")
    sign_in(marco, "marco")
    for page in (sarah, marco):
        page.evaluate(LISTEN)
        wait_for(page, "!last.fromCache")
    sarah.evaluate("sdk.disableNetwork(sdk.db)")
    for number in range(3):
        sarah.evaluate(
            f"""([text, senderId]) => {{ sdk.addDoc({MESSAGES}, {{
              senderId, text, timestamp: sdk.serverTimestamp(), status: "sent",
            }}); }}""",
            [f"offline {number}", uid],
        )
    arrived = 'last.data.filter((each) => each.text.startsWith("offline")).length === 3'
    wait_for(sarah, f"{arrived} && last.hasPendingWrites")
    assert not marco.evaluate('seen.at(-1).data.some((each) => each.text.startsWith("offline"))')
    sarah.evaluate("sdk.enableNetwork(sdk.db)")
    wait_for(sarah, "!last.hasPendingWrites && !last.fromCache")
    last = wait_for(marco, arrived)
    assert [each["text"] for each in last["data"][-3:]] == ["offline 0", "offline 1", "offline 2"]


@pytest.mark.refusals
def test_a_lost_network_comes_back(open_app, context):
    page = open_app()
    uid = sign_in(page, "sarah")
    page.evaluate(LISTEN)
    wait_for(page, "!last.fromCache")
    context.set_offline(True)
    page.evaluate(
        f"""(senderId) => {{ sdk.addDoc({MESSAGES}, {{
          senderId, text: "in a tunnel", timestamp: sdk.serverTimestamp(), status: "sent",
        }}); }}""",
        uid,
    )
    wait_for(page, "last.hasPendingWrites")
    context.set_offline(False)
    last = wait_for(page, 'last.data.at(-1)?.text === "in a tunnel" && !last.hasPendingWrites && !last.fromCache')
    assert sum(each["text"] == "in a tunnel" for each in last["data"]) == 1


def test_two_tabs_share_one_cache(open_app):
    first = open_app(isKept=True)
    uid = sign_in(first, "sarah")
    first.evaluate(LISTEN)
    wait_for(first, "!last.fromCache")
    second = open_app(isKept=True)
    second.evaluate("sdk.userAuth.authStateReady()")
    second.evaluate(LISTEN)
    wait_for(second, "!last.fromCache")
    send(second, "from the second tab", uid)
    for page in (first, second):
        wait_for(page, 'last.data.at(-1)?.text === "from the second tab" && !last.hasPendingWrites')
    # The second tab goes on alone.
    first.close()
    send(second, "alone", uid)
    wait_for(second, 'last.data.at(-1)?.text === "alone" && !last.hasPendingWrites && !last.fromCache')
    # A tab that opens later shows the documents that were kept, even without a network.
    third = open_app(isKept=True)
    third.evaluate("sdk.disableNetwork(sdk.db)")
    third.evaluate("sdk.userAuth.authStateReady()")
    third.evaluate(LISTEN)
    assert wait_for(third, "last.data.length")["data"][-1]["text"] == "alone"


@pytest.mark.refusals
def test_transactions_and_aggregations(open_app):
    page = open_app()
    sign_in(page, "sarah")
    # Two transactions change one field at once, and each sees the other's change.
    page.evaluate("""async () => {
      const profile = sdk.doc(sdk.db, "users/sarah");
      await sdk.updateDoc(profile, { visits: 0 });
      const visit = () => sdk.runTransaction(sdk.db, async (transaction) => {
        const visits = (await transaction.get(profile)).data().visits;
        transaction.update(profile, { visits: visits + 1 });
      });
      await Promise.all([visit(), visit(), visit()]);
    }""")
    assert page.evaluate('sdk.getDoc(sdk.doc(sdk.db, "users/sarah")).then((user) => user.data().visits)') == 3
    counts = page.evaluate(f"""async () => {{
      const all = await sdk.getCountFromServer({MESSAGES});
      const sum = await sdk.getAggregateFromServer(sdk.query(sdk.collection(sdk.db, "users"),
        sdk.where("visits", ">", 0)), {{ visits: sdk.sum("visits"), average: sdk.average("visits") }});
      return [all.data().count, (await sdk.getDocs({MESSAGES})).size, sum.data()];
    }}""")
    assert counts[0] == counts[1] > 0 and counts[2] == {"visits": 3, "average": 3}


@pytest.mark.refusals
def test_callable_functions(open_app):
    page = open_app()
    sign_in(page, "sarah")
    data = page.evaluate("""async () => {
      const { data } = await sdk.httpsCallable(sdk.callables, "askAI")({
        conversationId: "sarah-marco", query: "What did we talk about?",
      });
      return data;
    }""")
    assert data["aiResponse"]
    refused = page.evaluate(
        'sdk.httpsCallable(sdk.callables, "askAI")({}).catch(({ code, message }) => [code, message])'
    )
    assert refused[0] == "functions/invalid-argument"


def test_a_callable_function_streams(open_app):
    page = open_app()
    sign_in(page, "sarah")
    if page.evaluate('!sdk.httpsCallable(sdk.callables, "askAI").stream'):
        pytest.skip("this version of the SDK has no stream(): it needs 11.3")
    send(page, "The train leaves at nine. Bring your umbrella. We meet at platform two.", "sarah")
    parts, answer = page.evaluate("""async () => {
      const { stream, data } = await sdk.httpsCallable(sdk.callables, "askAI").stream({
        conversationId: "sarah-marco", query: "When does the train leave?",
      });
      const parts = [];
      for await (const part of stream) parts.push(part);
      return [parts, await data];
    }""")
    assert len(parts) > 1 and "nine" in answer["aiResponse"]


@pytest.mark.refusals
@pytest.mark.parametrize("name, code", [("nothing", "not-found"), ("sendNotification", "not-found")])
def test_a_stream_of_no_callable_function_ends(open_app, name, code):
    page = open_app()
    if page.evaluate('!sdk.httpsCallable(sdk.callables, "askAI").stream'):
        pytest.skip("this version of the SDK has no stream(): it needs 11.3")
    ends = page.evaluate(f"""async () => {{
      const {{ stream, data }} = await sdk.httpsCallable(sdk.callables, "{name}").stream({{}});
      const ends = [];
      try {{
        for await (const _ of stream) ends.push("a part");
      }} catch (error) {{
        ends.push(error.code);
      }}
      return [...ends, await data.catch((error) => error.code)];
    }}""")
    assert ends == [f"functions/{code}"] * 2


def test_a_callable_function_has_the_same_form_of_address_as_in_the_cloud(open_app, emulator):
    page = open_app()
    sign_in(page, "sarah")
    address = f"http://127.0.0.1:{emulator.ports['functions']}/translateMessage"
    result = page.evaluate(
        """(address) => sdk.httpsCallableFromURL(sdk.callables, address)({
          text: "Good morning", sourceLang: "en", targetLang: "it",
        }).then((result) => result.data)""",
        address,
    )
    assert result["translatedText"] == "Buongiorno!"


def test_a_batch_that_is_large_as_a_form(open_app, emulator):
    """WebChannel's forms take three bytes for each byte of an emoji, and JSON takes many for a small number."""
    emulator.request("PUT", "firestore", "/emulator/v1/projects/demo-worldchat:securityRules", {
        "rules": {"files": [{"content": "service cloud.firestore { match /{d=**} { allow read, write; } }"}]},
    })
    page = open_app()
    assert page.evaluate("""async () => {
      const { db, doc, setDoc, writeBatch } = sdk;
      const emoji = writeBatch(db), numbers = writeBatch(db);
      for (let i = 0; i < 4; i++) emoji.set(doc(db, `b/${i}`), { t: "😀".repeat(250_000) });
      const members = Object.fromEntries(Array.from({ length: 460 }, (_, i) => [`n${i}`, i % 10]));
      for (let i = 0; i < 500; i++) numbers.set(doc(db, `n/${i}`), members);
      await emoji.commit();
      await numbers.commit();
      await setDoc(doc(db, "b/after"), { t: 1 });
      return (await sdk.getDoc(doc(db, "b/3"))).data().t.length;
    }""") == 500_000


@pytest.mark.refusals
def test_an_app_of_another_project_is_refused(open_app):
    page = open_app(projectId="demo-other")
    uid = sign_in(page, "sarah")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.evaluate("() => { window.seen = sdk.record(sdk.doc(sdk.db, 'users/sarah')).log; }")
    assert wait_for(page, "last.error") == {"error": "permission-denied"}
    code = page.evaluate("""(uid) => sdk.setDoc(sdk.doc(sdk.db, `users/${uid}`), { language: "it" })
      .catch((error) => error.code)""", uid)
    assert code == "permission-denied"
    # Unlike after UNAUTHENTICATED, the SDK doesn't ask for new tokens.
    assert len(requests) < 20


def test_large_results_and_every_script(open_app, emulator):
    texts = ["plain", "naïve", "日本語", "😀👩‍👩‍👧", "\u0000\u2028\u2029\u007f", "e" + "\u0301" * 300, "x" * 900_000]
    for number, text in enumerate(texts):
        emulator.write(f"users/sarah/inbox/text-{number}", {"text": {"stringValue": text}})
    for number in range(400):
        emulator.write(f"users/sarah/inbox/{number:03}", {"n": {"integerValue": str(number)}})
    page = open_app()
    sign_in(page, "sarah")
    page.evaluate('() => { window.seen = sdk.record(sdk.collection(sdk.db, "users/sarah/inbox")).log; }')
    last = wait_for(page, "last.data.length >= 407 && !last.fromCache")
    found = {each["id"]: each.get("text") for each in last["data"]}
    assert [found[f"text-{number}"] for number in range(len(texts))] == texts


@pytest.mark.parametrize("settings", [{"experimentalForceLongPolling": True}, {"experimentalAutoDetectLongPolling": True},
                                      {"experimentalForceLongPolling": True, "experimentalLongPollingOptions": {"timeoutSeconds": 5}}],
                         ids=["forced", "detected", "with a short timeout"])
def test_long_polling(open_app, settings):
    page = open_app(**settings)
    uid = sign_in(page, "sarah")
    page.evaluate(LISTEN)
    wait_for(page, "!last.fromCache")
    for number in range(5):
        send(page, f"poll {number}", uid)
        wait_for(page, f'last.data.at(-1)?.text === "poll {number}" && !last.hasPendingWrites')


@pytest.mark.refusals
def test_listeners_continue_after_a_restart(tmp_path, context, site):
    emulator = Emulator(tmp_path, "--data", str(tmp_path / "data"))
    page = context.new_page()
    try:
        ports = json.dumps({name: emulator.ports[name] for name in ("auth", "database", "firestore", "functions")})
        page.goto(f"{site}/app.html?ports={ports}&settings={{}}")
        page.wait_for_function("window.sdk")
        uid = sign_in(page, "sarah")
        page.evaluate(LISTEN)
        wait_for(page, "!last.fromCache")
        emulator.stop()
        emulator.options.remove("--seed")
        emulator.options.remove("demo")
        emulator.start()
        send(page, "after the restart", uid)
        wait_for(page, 'last.data.at(-1)?.text === "after the restart" && !last.hasPendingWrites && !last.fromCache')
    finally:
        page.close()
        emulator.stop()
