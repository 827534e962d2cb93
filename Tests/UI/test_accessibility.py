"""Every page in light and dark, wide and narrow, checked with axe, and never wider than the screen.
"""

import pytest
from axe_playwright_python.sync_playwright import Axe

from people import send_examples
from views import NARROW, THEMES, VIEWS, WIDE, show


def violations(page):
    """Returns axe's serious and critical violations, each with its location."""
    return [
        f"{violation['id']}: {node['html'][:200]} {node.get('failureSummary', '')}"
        for violation in Axe().run(page).response["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


def problems(chromium, emulator, look):
    """Returns the problems of a page in every look. look(page) opens the page and returns its
    violations."""
    found = []
    for theme in THEMES:
        for size in (WIDE, NARROW):
            context = chromium.new_context(
                base_url=emulator.url("ui"), color_scheme=theme, viewport=size, reduced_motion="reduce",
            )
            page = context.new_page()
            found += [f"{theme} {size['width']}: {violation}" for violation in look(page)]
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append(f"{theme} {size['width']}: wider than the screen")
            context.close()
    return found


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious_on_any_page(chromium, emulator, view):
    emulator.quiet()
    send_examples(emulator)

    def look(page):
        show(page, view)
        return violations(page)

    assert problems(chromium, emulator, look) == []
