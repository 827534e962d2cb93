"""The Requests page, and the Data page as a user: WorldChat's rules decide on both."""

import json
import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import Emulator
from people import send, send_examples, token


@pytest.fixture
def requests(page, emulator):
    """Returns the page's list, with the example requests."""
    send_examples(emulator)
    page.goto("/requests")
    rows = page.get_by_role("list", name="Requests").get_by_role("listitem")
    expect(rows).to_have_count(6)
    return rows


def row(page, expression, part="main"):
    """Returns the first row of an expression in the tables of a part of the page."""
    cell = page.get_by_role("cell", name=expression, exact=True)
    return page.locator(f"{part} .expressions tbody tr").filter(has=cell).first


def test_denied_requests_come_first_and_each_has_a_reason(page, requests):
    expect(requests).to_contain_text([
        re.compile(r"denied.*marco.*commit, create.*messages/forged.*false for 'create' @ L\d+"),
        re.compile(r"denied.*sarah.*list.*conversations/\*.*Property participants is undefined"),
        re.compile(r"denied.*nobody.*get.*Null value error"),
        re.compile(r"denied.*jonas.*get.*conversations/sarah-marco.*false for 'get' @ L\d+"),
        re.compile(r"allowed.*sarah.*list.*line \d+"),
        re.compile(r"allowed.*sarah.*get.*line \d+"),
    ])
    expect(page.get_by_role("status").filter(has_text="requests")).to_have_text("6 requests, 4 denied")
    page.get_by_label("Denied first").uncheck()
    expect(requests.first).to_contain_text("forged")
    expect(requests.nth(2)).to_contain_text("allowed")


def test_filters_are_in_the_address(page, requests):
    page.get_by_label("Decision").select_option("denied")
    expect(requests).to_have_count(4)
    page.get_by_label("User ID").fill("jonas")
    expect(requests).to_have_count(1)
    expect(page).to_have_url(re.compile(r"decision=denied&uid=jonas"))
    page.reload()
    expect(requests).to_have_count(1)
    page.get_by_label("User ID").fill("")
    page.get_by_label("Kind").select_option("commit")
    expect(requests).to_have_count(1)
    page.get_by_label("Part of a path").fill("nowhere")
    expect(page.get_by_text("No request matches these filters.")).to_be_visible()


def test_the_list_is_live(page, emulator, requests):
    send(emulator, "lea", "GET", "/conversations/sarah-marco")
    expect(requests).to_have_count(7)
    expect(requests.first).to_contain_text("lea")


def test_a_request_shows_the_value_of_each_part(page, requests):
    requests.filter(has_text="forged").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^create conversations/sarah-marco/messages/forged"))
    expect(page.get_by_text("firestore.rules")).to_be_visible()
    expect(row(page, "message.senderId == request.auth.uid")).to_contain_text("false")
    expect(row(page, "message.senderId")).to_contain_text("'sarah'")
    expect(row(page, "request.auth.uid")).to_contain_text("'marco'")
    page.get_by_text("Claims of the token").click()
    expect(page.get_by_text('"user_id": "marco"')).to_be_visible()


def test_a_request_of_nobody_has_no_claims(page, requests):
    requests.filter(has_text="nobody").get_by_role("link").click()
    expect(page.get_by_text("Sent by")).to_be_visible()
    expect(page.get_by_text("Claims of the token")).to_have_count(0)
    # Nothing is printed in place of the claims.
    texts = page.evaluate(
        "[...document.querySelector('main').childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).length")
    assert texts == 0


def test_a_list_that_is_not_proved_is_explained(page, requests):
    requests.filter(has_text="conversations/*").first.get_by_role("link").click()
    expect(page.get_by_text("Rules aren't filters.")).to_be_visible()
    expect(row(page, "resource.data.participants")).to_contain_text("error: Property participants is undefined on object.")
    page.go_back()
    requests.filter(has_text="conversations/*").last.get_by_role("link").click()
    expect(page.get_by_text("prove the condition for every document")).to_be_visible()
    expect(row(page, "resource.data.participants")).to_contain_text("any value that contains 'sarah'")


def test_a_request_is_replayed_as_another_user(page, emulator, requests):
    requests.filter(has_text="forged").get_by_role("link").click()
    page.get_by_label("User ID").fill("sarah")
    page.get_by_role("button", name="Replay").click()
    replay = page.get_by_role("region", name="Replay")
    expect(replay.get_by_role("heading", name=re.compile("^As sarah"))).to_be_visible()
    # As Sarah the message has its sender; its missing time is the next reason.
    expect(row(page, "message.senderId == request.auth.uid", ".result")).to_contain_text("true")
    expect(row(page, "message.timestamp == request.time", ".result")).to_contain_text("error")
    page.get_by_label("User ID").fill("")
    page.get_by_role("button", name="Replay").click()
    expect(replay.get_by_role("heading", name=re.compile("^As nobody"))).to_contain_text("denied")
    page.goto("/requests")
    requests.filter(has_text="jonas").get_by_role("link").click()
    page.get_by_label("User ID").fill("marco")
    page.get_by_role("button", name="Replay").click()
    expect(replay.get_by_role("heading", name=re.compile("^As marco"))).to_contain_text("allowed")
    # A replay changes nothing, and isn't a request.
    assert "conversations/sarah-marco/messages/forged" not in str(
        emulator.request("GET", "firestore", f"{emulator.documents}/conversations/sarah-marco/messages"))
    page.goto("/requests")
    expect(requests).to_have_count(6)


def test_a_request_of_another_project_is_replayed_there(page, emulator):
    assert send(emulator, "eve", "GET", "/conversations/x", project="demo-other", role="auditor") == 403
    page.goto("/requests")
    page.get_by_role("listitem").filter(has_text="demo-other: conversations/x").get_by_role("link").click()
    expect(page.get_by_role("definition").filter(has_text="demo-other")).to_be_visible()
    with page.expect_response(re.compile("/replay$")) as replayed:
        page.get_by_role("button", name="Replay").click()
    # The same user has the same claims.
    assert replayed.value.json()["claims"]["role"] == "auditor"
    expect(page.get_by_role("heading", name=re.compile("^As eve"))).to_contain_text("denied")
    page.get_by_label("User ID").fill("ann")
    page.get_by_role("button", name="Replay").click()
    expect(page.get_by_role("heading", name=re.compile("^As ann"))).to_contain_text("denied")
    page.goto("/requests?project=demo-worldchat")
    expect(page.get_by_text("No request matches these filters.")).to_be_visible()


def test_requests_of_nobody_are_found(context, page, requests):
    page.get_by_label("Sender").select_option("nobody")
    expect(requests).to_have_count(1)
    expect(requests).to_contain_text("nobody")
    expect(page).to_have_url(re.compile("from=nobody"))
    page.goto("/requests?kind=read")
    expect(page.get_by_role("alert")).to_contain_text('there is no kind "read"')
    # Chromium logs the refused request.
    context.problems.clear()


def test_a_query_shows_its_conditions(page, requests):
    requests.filter(has_text="allowed").filter(has_text="list").get_by_role("link").click()
    expect(page.get_by_text("where participants array-contains 'sarah'", exact=True)).to_be_visible()


def test_a_commit_shows_its_denial_before_what_is_allowed(page, emulator):
    profiles = [{"update": {"name": f"{emulator.documents.removeprefix('/v1/')}/users/{uid}",
                            "fields": {"displayName": {"stringValue": "S"}, "email": {"stringValue": "s@example.com"}}},
                 "currentDocument": {"exists": True}, "updateMask": {"fieldPaths": ["displayName"]}} for uid in ("sarah", "marco")]
    assert send(emulator, "sarah", "POST", ":commit", {"writes": profiles}) == 403
    page.goto("/requests")
    page.get_by_role("listitem").first.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("update users/marco")
    expect(page.locator(".decisions > *").first).to_contain_text("users/marco")
    folded = page.get_by_role("region", name="update users/sarah")
    expect(folded).to_be_hidden()
    page.get_by_text("1 allowed decision").click()
    expect(folded).to_be_visible()


def test_a_narrow_list_shows_paths(page, emulator):
    page.set_viewport_size({"width": 360, "height": 740})
    send_examples(emulator)
    page.goto("/requests")
    path = page.locator(".row .path").first
    expect(path).to_be_visible()
    assert path.bounding_box()["width"] > 300
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_request_that_is_not_kept_is_an_error(context, page):
    page.goto("/requests/999")
    expect(page.get_by_role("alert")).to_have_text('there is no request "999", or not any more')
    context.problems.clear()


def test_a_filter_that_changes_during_a_load_counts(page, emulator, requests):
    waiting = []
    page.route(re.compile("/api/requests.*kind=get"), lambda route: waiting.append(route))
    page.get_by_label("Kind").select_option("get")
    page.wait_for_function("() => location.search.includes('kind=get')")
    page.get_by_label("Kind").select_option("commit")
    # The list of the first filter arrives last.
    expect(page).to_have_url(re.compile("kind=commit"))
    while not waiting:
        page.wait_for_timeout(10)
    for route in waiting:
        route.continue_()
    expect(requests).to_have_count(1)
    expect(requests).to_contain_text("forged")


def test_the_routes_name_what_is_wrong(emulator):
    send_examples(emulator)

    def refusal(method, path, token=None):
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        data = b"{}" if method == "POST" else None
        request = urllib.request.Request(emulator.url("ui", path), data, headers, method=method)
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request, timeout=60)
        with caught.value as error:
            return error.code, json.loads(error.read())["error"]["message"]

    assert refusal("GET", "/api/requests?decision=perhaps") == (
        400, 'there is no decision "perhaps": use allowed or denied')
    assert refusal("GET", "/api/requests?decision=")[0] == refusal("GET", "/api/requests?kind=")[0] == 400
    number = emulator.request("GET", "ui", "/api/requests?limit=1")["requests"][0]["number"]
    for other in (f"0{number}", f"+{number}"):
        assert refusal("GET", f"/api/requests/{other}")[0] == 404
    # A replay has the number of its request, and takes none.
    replay = urllib.request.Request(emulator.url("ui", "/api/requests/1/replay"), method="POST")
    with urllib.request.urlopen(replay, timeout=60) as answer:
        assert json.loads(answer.read())["request"]["number"] == 1
    assert refusal("GET", "/api/requests?kind=read") == (
        400, 'there is no kind "read": use one of commit, get, list, listen')
    assert refusal("GET", "/api/requests?limit=-1") == (400, "limit must be a whole number of at least 0")
    assert refusal("GET", "/api/requests/x") == (404, 'there is no request "x", or not any more')
    assert refusal("POST", "/api/requests/1/replay", "owner") == (400, "rules don't apply to administrators")
    assert refusal("POST", "/api/requests/1/replay", "a.b.c")[0] == 400
    report = emulator.request("GET", "ui", "/api/requests?limit=2&path=pair&decision=allowed")
    assert report["requests"] == []
    report = emulator.request("GET", "ui", "/api/requests?limit=2")
    assert len(report["requests"]) == 2
    again = emulator.request("GET", "ui", f"/api/requests?version={report['version']}")
    assert again == {"version": report["version"]}


def test_a_commit_is_replayed_beside_a_journal(tmp_path):
    emulator = Emulator(tmp_path, "--data", str(tmp_path / "data"))
    try:
        send_examples(emulator)
        (forged,) = emulator.request("GET", "ui", "/api/requests?kind=commit")["requests"]
        path = emulator.url("ui", f"/api/requests/{forged['number']}/replay")
        for _ in range(20):
            headers = {"authorization": f"Bearer {token('marco')}"}
            with urllib.request.urlopen(urllib.request.Request(path, b"{}", headers), timeout=60) as answer:
                assert json.loads(answer.read())["request"]["isAllowed"] is False
    finally:
        emulator.stop()


# The Data page as a user


def test_data_is_read_as_a_chosen_user(context, page):
    page.goto("/data/users/marco/inbox/sarah-marco")
    document = page.get_by_role("region", name="Document", exact=True)
    expect(document.get_by_text("lastMessage", exact=True)).to_be_visible()
    page.get_by_label("As", exact=True).fill("sarah")
    page.get_by_label("As", exact=True).press("Enter")
    expect(page).to_have_url("/data/users/marco/inbox/sarah-marco?as=sarah")
    expect(document.get_by_role("alert")).to_contain_text("false for 'get'")
    expect(document.get_by_text("lastMessage", exact=True)).to_have_count(0)
    documents = page.get_by_role("region", name="Documents")
    expect(documents.get_by_role("alert")).to_contain_text("false for 'list'")
    # Other addresses are read as the same user.
    page.get_by_role("link", name="users", exact=True).last.click()
    expect(page).to_have_url("/data/users?as=sarah")
    page.goto("/data/users/marco/inbox/sarah-marco?as=marco")
    expect(document.get_by_text("lastMessage", exact=True)).to_be_visible()
    page.get_by_label("As", exact=True).fill("")
    page.get_by_label("As", exact=True).press("Enter")
    expect(page).to_have_url("/data/users/marco/inbox/sarah-marco")
    # Chromium logs the denied requests.
    context.problems.clear()


def test_a_denial_on_the_data_page_links_to_its_reasons(context, page):
    page.goto("/data/conversations?as=sarah")
    page.get_by_role("link", name="Why?").click()
    expect(page).to_have_url("/requests?decision=denied&uid=sarah&path=conversations")
    requests = page.get_by_role("list", name="Requests").get_by_role("listitem")
    expect(requests.first).to_contain_text("conversations/*")
    context.problems.clear()


def test_data_is_written_as_a_chosen_user(context, page, emulator):
    before = emulator.get("users/sarah")
    page.goto("/data/users/sarah?as=marco")
    document = page.get_by_role("region", name="Document", exact=True)
    document.get_by_role("button", name="Delete document").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(dialog.get_by_role("alert").filter(visible=True)).to_contain_text("false for 'delete'")
    dialog.get_by_role("button", name="Cancel").click()
    assert emulator.get("users/sarah") == before
    page.goto("/data/users/marco?as=marco")
    document.get_by_role("button", name="Delete document").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page).to_have_url("/data/users?as=marco")
    context.problems.clear()


def test_back_during_a_change_of_users_keeps_the_former_one(context, page):
    page.goto("/data/users/marco/inbox/sarah-marco")
    document = page.get_by_role("region", name="Document", exact=True)
    expect(document.get_by_text("lastMessage", exact=True)).to_be_visible()
    waiting = []
    page.route(re.compile("accounts:lookup"), lambda route: waiting.append(route))
    page.get_by_label("As", exact=True).fill("sarah")
    page.get_by_label("As", exact=True).press("Enter")
    while not waiting:
        page.wait_for_timeout(10)
    page.go_back()
    for route in waiting:
        route.continue_()
    expect(page).to_have_url("/data/users/marco/inbox/sarah-marco")
    expect(page.get_by_label("As", exact=True)).to_have_value("")
    page.get_by_role("link", name="users", exact=True).last.click()
    expect(page).to_have_url("/data/users")
