"""Typing and presence in Firebase's Web SDK, in Chromium, under WorldChat's rules."""

import pytest

from test_web_sdk import MISSING, WHY_SKIPPED, open_app, other, refusals_are_expected, sign_in, site  # noqa: F401
from test_web_sdk_database import evaluate, listen, wait_for

pytestmark = pytest.mark.skipif(bool(MISSING), reason=WHY_SKIPPED)


def test_typing_reaches_the_other_person(open_app, other):
    sarah, marco = open_app(), open_app(other)
    uid = sign_in(sarah, "sarah")
    sign_in(marco, "marco")
    listen(marco, 'ref(tree, "typingIndicators/sarah-marco")')
    wait_for(marco, "last === null")
    evaluate(sarah, f'await set(ref(tree, "typingIndicators/sarah-marco/{uid}"), rtdb.serverTimestamp())')
    wait_for(marco, f"Date.now() - last?.['{uid}'] < 60_000")
    evaluate(sarah, f'await rtdb.remove(ref(tree, "typingIndicators/sarah-marco/{uid}"))')
    wait_for(marco, "last === null")


def test_presence_ends_with_the_connection(open_app, other):
    sarah, marco = open_app(), open_app(other)
    sign_in(sarah, "sarah")
    sign_in(marco, "marco")
    listen(marco, 'ref(tree, "status/sarah")')
    evaluate(sarah, """
      const status = ref(tree, "status/sarah");
      await rtdb.onDisconnect(status).set({ state: "offline", last_changed: rtdb.serverTimestamp() });
      const typing = ref(tree, "typingIndicators/sarah-marco/sarah");
      await rtdb.onDisconnect(typing).set(1);
      await rtdb.onDisconnect(typing).cancel();
      await set(status, { state: "online", last_changed: rtdb.serverTimestamp() });
    """)
    wait_for(marco, 'last?.state === "online"')
    sarah.close()
    wait_for(marco, 'last?.state === "offline" && typeof last.last_changed === "number"')
    assert evaluate(marco, 'return (await get(ref(tree, "typingIndicators/sarah-marco"))).val()') is None
    # A client that goes offline on purpose ends its connection, too.
    evaluate(marco, """
      const last_changed = rtdb.serverTimestamp();
      await rtdb.onDisconnect(ref(tree, "status/marco")).update({ state: "offline", last_changed });
      rtdb.goOffline(tree);
      rtdb.goOnline(tree);
    """)
    assert evaluate(marco, 'return (await get(ref(tree, "status/marco/state"))).val()') == "offline"
