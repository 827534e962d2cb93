"""Presence: a phone writes its user's online state."""

from playwright.sync_api import expect
from test_chat import phone, string


def says(uid, is_online):
    """Returns a predicate for requests that write a user's online state."""
    value = f'"online":{{"booleanValue":{str(is_online).lower()}}}'

    def is_said(request):
        return (request.url.endswith(":commit") and f'/users/{uid}"' in (request.post_data or "")
                and value in request.post_data)

    return is_said


def test_phones_added_after_the_users_were_loaded_report_presence(page, emulator):
    held = []
    page.route("**:batchGet", lambda route: held.append(route))
    with page.expect_request("**:batchGet"):
        page.goto("/chat")
    # This listener follows the page's own list of users.
    page.evaluate("""async () => {
      const { listen } = await import("/assets/lib/listeners.js");
      const { Firestore } = await import("/assets/lib/firestore.js");
      const documents = [await new Firestore().name("users/sarah")];
      await new Promise((done) => listen({ documents: { documents } }, done));
    }""")
    with page.expect_event("requestfinished", says("sarah", True)):
        held[0].continue_()
    expect(phone(page, "Sarah").get_by_role("switch", name="Online")).to_be_checked()
    emulator.quiet()
    assert emulator.get("users/sarah")["online"] == {"booleanValue": True}


def test_a_failed_presence_write_is_repeated(context, page, emulator):
    refused = []

    def refuse(route):
        if refused or not says("sarah", True)(route.request):
            return route.continue_()
        refused.append(route)
        return route.fulfill(status=409, json={"error": {"status": "ABORTED", "message": "locked"}},
                             headers={"access-control-allow-origin": "*"})

    page.route("**:commit", refuse)
    is_said = says("sarah", True)
    with page.expect_event("requestfinished", lambda request: refused and is_said(request) and
                           request.response().status == 200):
        page.goto("/chat?phones=sarah")
    assert emulator.get("users/sarah")["online"] == {"booleanValue": True}
    context.problems.clear()


def test_a_user_beyond_the_end_of_the_list_is_online_too(page, emulator):
    root = emulator.documents.removeprefix("/v1/")
    names = [*(f"many-{number}" for number in range(300)), "zoe"]
    writes = [{"update": {"name": f"{root}/users/{name}", "fields": {"displayName": string(name.title())}}}
              for name in names]
    emulator.request("POST", "firestore", f"{emulator.documents}:commit", {"writes": writes})
    with page.expect_event("requestfinished", says("zoe", True)):
        page.goto("/chat?phones=zoe")
    expect(phone(page, "Zoe").get_by_role("switch", name="Online")).to_be_checked()


def test_a_user_without_a_profile_is_marked(page, emulator):
    page.goto("/chat?phones=nobody")
    expect(phone(page, "nobody").get_by_role("switch", name="Online, no profile")).to_be_checked()
