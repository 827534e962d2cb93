"""Who is online: a phone that says so has it written."""

from playwright.sync_api import expect
from test_chat import phone, string


def says(uid, is_online):
    """Whether a request writes that somebody is online, or isn't."""
    value = f'"online":{{"booleanValue":{str(is_online).lower()}}}'

    def is_said(request):
        return (request.url.endswith(":commit") and f'/users/{uid}"' in (request.post_data or "")
                and value in request.post_data)

    return is_said


def test_phones_that_come_after_the_people_say_who_is_online(page, emulator):
    held = []
    page.route("**:batchGet", lambda route: held.append(route))
    with page.expect_request("**:batchGet"):
        page.goto("/chat")
    # Later than the page's own list of people, which it has asked for before.
    page.evaluate("""async () => {
      const { stream } = await import("/assets/lib/emulator.js");
      const { Firestore } = await import("/assets/lib/firestore.js");
      const documents = [await new Firestore().name("users/sarah")];
      await new Promise((done) => stream.listen({ documents: { documents } }, done));
    }""")
    with page.expect_event("requestfinished", says("sarah", True)):
        held[0].continue_()
    expect(phone(page, "Sarah").get_by_role("switch", name="Online")).to_be_checked()
    emulator.quiet()
    assert emulator.get("users/sarah")["online"] == {"booleanValue": True}


def test_what_could_not_be_written_is_written_later(context, page, emulator):
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


def test_somebody_whom_a_long_list_leaves_out_is_online_too(page, emulator):
    root = emulator.documents.removeprefix("/v1/")
    names = [*(f"many-{number}" for number in range(300)), "zoe"]
    writes = [{"update": {"name": f"{root}/users/{name}", "fields": {"displayName": string(name.title())}}}
              for name in names]
    emulator.request("POST", "firestore", f"{emulator.documents}:commit", {"writes": writes})
    with page.expect_event("requestfinished", says("zoe", True)):
        page.goto("/chat?phones=zoe")
    expect(phone(page, "Zoe").get_by_role("switch", name="Online")).to_be_checked()


def test_who_has_no_profile_is_told_so(page, emulator):
    page.goto("/chat?phones=nobody")
    expect(phone(page, "nobody").get_by_role("switch", name="Online, no profile")).to_be_checked()
