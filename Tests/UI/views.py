"""All pages with their addresses, for checks and screenshots."""

from playwright.sync_api import expect

VIEWS = {
    "chat": "/chat",
    "sign-in": "/chat?phones=,",
    "events": "/events",
    "event": "/events?function=sendNotification&text=interview",
    "data": "/data/conversations/sarah-marco/messages/interview",
    "database": "/database",
    "storage": "/storage?at=gs://demo-worldchat.appspot.com/conversations/sarah-marco/media/beach.png",
    "authentication": "/authentication",
    "requests": "/requests",
    "request": "/requests?decision=denied",
    "functions": "/functions",
    "function": "/functions/translateMessage",
    "phones": "/phones",
    "logs": "/logs",
    "status": "/status",
}

THEMES = ["light", "dark"]
WIDE = {"width": 1280, "height": 800}
NARROW = {"width": 360, "height": 740}


def open_live(page, path, source):
    """Opens a page. Waits until the page gets notifications and has then read `source` once more.
    """
    told, readings = [], []
    page.on("response", lambda response: told.append(response) if response.url.endswith("/topics") else None)
    page.on("request", lambda request: readings.append(request) if told and source in request.url else None)
    with page.expect_event("requestfinished", lambda request: request in readings):
        page.goto(path)


def show(page, view):
    """Opens a view and waits until its content is there."""
    page.goto(VIEWS[view])
    expect(page.locator("main[aria-busy=false]")).to_be_visible()
    if view == "sign-in":
        expect(page.get_by_role("button", name="Sarah").last).to_be_visible()
        page.get_by_role("button", name="New here? Sign up").last.click()
    if view == "event":
        # The first delivery of the demo's own message.
        page.get_by_role("listitem").last.get_by_role("link").click()
        expect(page.get_by_role("button", name="Replay")).to_be_visible()
    if view == "request":
        page.get_by_role("listitem").first.get_by_role("link").click()
        expect(page.get_by_role("button", name="Replay")).to_be_visible()
    if view == "data":
        page.get_by_role("button", name="translations", exact=True).click()
    if view == "database":
        for key in ["status", "sarah", "typingIndicators", "sarah-marco"]:
            page.get_by_role("button", name=key, exact=True).click()
        # The page itself listens.
        expect(page.get_by_role("row", name="administrator")).to_be_visible()
    if view == "storage":
        expect(page.get_by_role("img", name="Preview")).to_be_visible()
    drawn(page)


def drawn(page):
    """Waits for fonts, images and the first frame."""
    page.evaluate("document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => done(1))))")
