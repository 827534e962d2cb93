"""Screenshots of every page for the documentation: python Tests/UI/screenshots.py FOLDER [--all]

The pages show the demo, after its functions have ended. With --all each combination of light or
dark and wide or narrow has its own folder.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from conftest import CHROMIUM, Emulator
from people import put_presence, send_examples
from test_chat import KEEP_BANNERS, message, open_chat, phone, write
from views import NARROW, THEMES, VIEWS, WIDE, drawn, show

TEXT = "Break a leg at your interview tomorrow!"


def show_chat(page, emulator):
    """Shows a message from Sarah to the group: Marco has its translation and its hint, Léa a push."""
    page.add_init_script(KEEP_BANNERS)
    open_chat(page, emulator, "sarah:trip,marco:trip,lea")
    write(phone(page, "Sarah"), TEXT)
    received = message(phone(page, "Marco"), TEXT)
    expect(received.get_by_text("In bocca al lupo per il colloquio di domani!")).to_be_visible()
    received.get_by_role("button", name="What does this mean?").click()
    expect(phone(page, "Léa").locator(".banner")).to_be_visible()
    drawn(page)


def send_codes(emulator):
    """Sends an email and a text message, which the page Authentication shows."""
    accounts = "/identitytoolkit.googleapis.com/v1/accounts"
    for operation, members in [
        ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "marco@example.com"}),
        ("sendVerificationCode", {"phoneNumber": "+390555550100"}),
    ]:
        emulator.request("POST", "auth", f"{accounts}:{operation}?key=any", members)


def main(folder, *options):
    looks = {"": ("light", WIDE)}
    if "--all" in options:
        for theme in THEMES:
            for name, size in (("wide", WIDE), ("narrow", NARROW)):
                looks[f"{theme}-{name}"] = (theme, size)
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        emulator = Emulator(Path(temporary))
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            emulator.quiet()
            send_codes(emulator)
            send_examples(emulator)
            for name, (theme, size) in looks.items():
                (Path(folder) / name).mkdir(parents=True, exist_ok=True)
                context = browser.new_context(
                    base_url=emulator.url("ui"), color_scheme=theme, viewport=size, locale="en-GB",
                    timezone_id="Europe/Rome", reduced_motion="reduce",
                )
                page = context.new_page()
                for view in VIEWS:
                    if view == "chat" and size == WIDE:
                        show_chat(page, emulator)
                    else:
                        # The phones of the chat have written their own presence.
                        put_presence(emulator)
                        show(page, view)
                    emulator.quiet()
                    page.screenshot(path=Path(folder) / name / f"{view}.png")
                context.close()
            browser.close()
        finally:
            emulator.stop()


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit("there is no Chromium: apt-get install chromium")
    main(*sys.argv[1:])
