"""Pictures of every page: python Tests/UI/screenshots.py FOLDER

Of the demo, a little after it was told: each page in light and dark, wide and narrow.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, Emulator
from views import NARROW, THEMES, VIEWS, WIDE, show


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        emulator = Emulator(Path(temporary))
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            emulator.quiet()
            for theme in THEMES:
                for name, size in (("wide", WIDE), ("narrow", NARROW)):
                    context = browser.new_context(
                        base_url=emulator.url("ui"), color_scheme=theme, viewport=size, locale="en-GB",
                        timezone_id="Europe/Rome", reduced_motion="reduce",
                    )
                    page = context.new_page()
                    for view in VIEWS:
                        show(page, view)
                        page.screenshot(path=folder / f"{view}-{theme}-{name}.png")
                    context.close()
            browser.close()
        finally:
            emulator.stop()


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit("there is no Chromium: apt-get install chromium")
    main(Path(sys.argv[1]))
