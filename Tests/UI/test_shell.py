"""What all pages have: navigation, addresses, the connection."""

from playwright.sync_api import expect


def test_every_page_opens_by_its_address(page):
    page.goto("/")
    expect(page).to_have_url("/chat")
    for name in ["Chat", "Events", "Data", "Functions", "Phones & providers", "Logs", "Status"]:
        page.get_by_role("navigation").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_the_status_page_tells_an_app_where_everything_is(page, emulator):
    page.goto("/status")
    expect(page.get_by_label("Environment", exact=True)).to_contain_text(f"FIRESTORE_EMULATOR_HOST=127.0.0.1:{emulator.ports['firestore']}")


def test_a_restart_is_survived_and_said(context, page, emulator):
    page.goto("/status")
    started = page.get_by_role("row", name="Started").text_content()
    emulator.stop()
    expect(page.get_by_role("status").filter(has_text="doesn't answer")).to_be_visible()
    emulator.start()
    expect(page.get_by_role("status").filter(has_text="started anew")).to_be_visible()
    expect(page.get_by_role("row", name="Documents")).to_be_visible()
    assert started
    # What the browser itself says of connections that were refused.
    context.problems.clear()
