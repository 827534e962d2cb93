"""The Realtime Database in Firebase's Web SDK, in Chromium."""

import pytest

from conftest import Emulator
from test_web_sdk import MISSING, WHY_SKIPPED, open_app, other, refusals_are_expected, sign_in, site  # noqa: F401

pytestmark = pytest.mark.skipif(bool(MISSING), reason=WHY_SKIPPED)


@pytest.fixture
def emulator(tmp_path):
    """An emulator without rules."""
    emulator = Emulator(tmp_path, runs_in=tmp_path)
    yield emulator
    emulator.stop()


def evaluate(page, script):
    """Runs a script with the functions of the SDK in scope."""
    return page.evaluate(f"async () => {{ const {{ tree, ref, set, get, child }} = rtdb; {script} }}")


def wait_for(page, condition):
    page.wait_for_function(f"() => {{ const last = window.seen.at(-1); return {condition}; }}", polling=20)


def listen(page, target):
    """Records the values of a reference or query in `seen`."""
    page.evaluate(f"""() => {{
      const {{ tree, ref, query, onValue }} = rtdb;
      window.seen = [];
      rtdb.onValue({target}, (snapshot) => seen.push(snapshot.val()), (error) => seen.push(error.message));
    }}""")


@pytest.mark.refusals
def test_a_listener_comes_back_after_the_emulator_was_gone(open_app, emulator, context):
    """After a failed WebSocket the SDK begins with long polling, also after a reload."""
    page = open_app()
    listen(page, 'ref(tree, "n")')
    page.evaluate('() => { rtdb.onValue(rtdb.ref(rtdb.tree, ".info/connected"), (each) => { window.isConnected = each.val(); }); }')
    page.wait_for_function("() => window.isConnected")
    emulator.stop()
    page.wait_for_function("() => !window.isConnected")
    # An attempt to connect has failed, too.
    page.wait_for_function('() => localStorage.getItem("firebase:previous_websocket_failure")')
    emulator.start()
    page.wait_for_function("() => window.isConnected")
    emulator.request("PUT", "database", "/n.json", 7)
    wait_for(page, "last === 7")
    # A page that is opened in the same state comes back, too.
    page.evaluate('() => localStorage.setItem("firebase:previous_websocket_failure", "true")')
    page.close()
    again = open_app()
    assert evaluate(again, 'return (await get(ref(tree, "n"))).val()') == 7
    context.problems.clear()


def test_a_listener_goes_on_after_all_tokens_expire(open_app, emulator):
    page = open_app()
    sign_in(page, "sarah")
    emulator.request("PUT", "database", "/.settings/rules.json", {"rules": {"mine": {".read": "auth.uid === 'sarah'"}}})
    listen(page, 'ref(tree, "mine")')
    wait_for(page, "last === null")
    emulator.request("POST", "auth", "/emulator/v1/projects/demo-worldchat/idTokens:expire")
    for number in range(3):
        emulator.request("PUT", "database", "/mine.json", number)
        wait_for(page, f"last === {number}")


def test_transactions_of_two_clients(open_app, other):
    pages = [open_app(), open_app(other)]
    for page in pages:
        page.evaluate("""() => {
          const counter = rtdb.ref(rtdb.tree, "counter");
          window.done = Promise.all(Array.from({ length: 20 }, () =>
            rtdb.runTransaction(counter, (value) => (value ?? 0) + 1)));
        }""")
    for page in pages:
        assert page.evaluate("done.then((results) => results.every((each) => each.committed))")
    assert evaluate(pages[0], 'return (await get(ref(tree, "counter"))).val()') == 40


def test_queries_follow_changes(open_app, other):
    page, writer = open_app(), open_app(other)
    evaluate(writer, """
      const scores = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, { n: index }]));
      await set(ref(tree, "scores"), scores);
    """)
    page.evaluate("""() => {
      const { tree, ref, query, orderByChild, limitToLast, onValue, onChildAdded, onChildRemoved } = rtdb;
      window.seen = [];
      const best = query(ref(tree, "scores"), orderByChild("n"), limitToLast(3));
      onValue(best, (snapshot) => {
        const keys = [];
        snapshot.forEach((each) => { keys.push(each.key); });
        seen.push(keys.join());
      });
    }""")
    wait_for(page, 'last === "k97,k98,k99"')
    evaluate(writer, 'await set(ref(tree, "scores/k5/n"), 1000)')
    wait_for(page, 'last === "k98,k99,k5"')
    evaluate(writer, 'await rtdb.remove(ref(tree, "scores/k99"))')
    wait_for(page, 'last === "k97,k98,k5"')
    evaluate(writer, 'await rtdb.update(ref(tree, "scores"), { "k5/n": 0, "k0/n": 98.5, k98: null })')
    wait_for(page, 'last === "k96,k97,k0"')
    ranges = evaluate(page, """
      const { query, orderByKey, orderByChild, startAt, startAfter, endBefore, equalTo, limitToFirst } = rtdb;
      const scores = ref(tree, "scores");
      const keys = async (...parts) => Object.keys((await get(query(scores, ...parts))).val() ?? {}).sort();
      return [
        await keys(orderByChild("n"), startAt(10), endBefore(13)),
        await keys(orderByChild("n"), startAfter(94), limitToFirst(2)),
        await keys(orderByKey(), startAt("k90"), endBefore("k93")),
        await keys(orderByChild("n"), equalTo(42)),
      ];
    """)
    assert ranges == [["k10", "k11", "k12"], ["k95", "k96"], ["k9" + each for each in "012"], ["k42"]]


def test_data_of_every_kind(open_app, other):
    # The long text has no emoji: the SDK divides messages between UTF-16 units, and so destroys some of them.
    page, reader = open_app(), open_app(other)
    evaluate(page, """
      const long = "日é".repeat(100_000);
      await set(ref(tree, "kinds"), { list: ["a", "b", "c"], sparse: { 1: true, 90: true }, long, number: 1.5, no: false });
      await rtdb.setWithPriority(ref(tree, "kinds/first"), "x", 7);
      await rtdb.update(ref(tree, "kinds"), { count: rtdb.increment(5) });
      await rtdb.update(ref(tree, "kinds"), { count: rtdb.increment(-2) });
      const key = rtdb.push(ref(tree, "kinds/pushed"), { text: "hello" }).key;
      return key;
    """)
    found = evaluate(reader, """
      const snapshot = await get(ref(tree, "kinds"));
      const { long, pushed, ...rest } = snapshot.val();
      return [rest, long === "日é".repeat(100_000), Object.values(pushed), snapshot.child("first").priority];
    """)
    assert found == [
        {"list": ["a", "b", "c"], "sparse": {"1": True, "90": True}, "number": 1.5, "no": False, "first": "x", "count": 3},
        True,
        [{"text": "hello"}],
        7,
    ]


def test_writes_wait_while_the_app_is_offline(open_app, other):
    page, reader = open_app(), open_app(other)
    listen(reader, 'ref(tree, "offline")')
    evaluate(page, """
      rtdb.goOffline(tree);
      window.written = Promise.all([set(ref(tree, "offline"), { a: 1 }), rtdb.update(ref(tree, "offline"), { b: 2 })]);
    """)
    listen(page, 'ref(tree, "offline")')
    wait_for(page, "last?.a === 1 && last.b === 2")
    evaluate(page, "rtdb.goOnline(tree); await written")
    wait_for(reader, "last?.a === 1 && last.b === 2")
