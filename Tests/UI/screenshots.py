"""Screenshots of every page for the documentation: python Tests/UI/screenshots.py FOLDER [--all]

The pages show the demo, after its functions have ended. With --all each combination of light or
dark and wide or narrow has a folder of its own.

"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, Emulator
from views import NARROW, THEMES, VIEWS, WIDE, show


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
            for name, (theme, size) in looks.items():
                (Path(folder) / name).mkdir(parents=True, exist_ok=True)
                context = browser.new_context(
                    base_url=emulator.url("ui"), color_scheme=theme, viewport=size, locale="en-GB",
                    timezone_id="Europe/Rome", reduced_motion="reduce",
                )
                page = context.new_page()
                for view in VIEWS:
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
