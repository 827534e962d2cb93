"""The Logs page: the functions' log lines."""

import re
import urllib.error

import pytest
from playwright.sync_api import expect

from conftest import Emulator
from views import open_live

EVENT = "google.cloud.firestore.document.v1.created"

# A function that logs three lines for every note, and thousands on request.
CHATTY = f"""#!/bin/sh
if [ "$1" = --describe ]; then
  echo '{{"contract":1,"name":"chatty","callable":true,"triggers":[{{"eventType":"{EVENT}","document":"notes/{{id}}"}}]}}'
  exit
fi
event=$(cat)
case $event in
*flood*) seq -f 'flood %.0f' 1 12000 >&2 ;;
*)
  echo '{{"severity":"INFO","message":"Hello"}}' >&2
  echo '{{"severity":"WARNING","message":"careful"}}' >&2
  echo '<b>plain</b> words' >&2 ;;
esac
echo '{{"status":"ok","exitCode":0}}'
"""

# The lines of a stack trace, as Python prints it.
TRACE = '''Traceback (most recent call last):
  File "main.py", line 7, in <module>
    main()
ValueError: <b>no</b> text
  in note'''

# A function that fails with a stack trace, and with an error of several lines.
BROKEN = f"""#!/bin/sh
if [ "$1" = --describe ]; then
  echo '{{"contract":1,"name":"broken","callable":true,"triggers":[]}}'
  exit
fi
cat > /dev/null
echo '{{"severity":"INFO","message":"begin"}}' >&2
cat >&2 <<'END'
{TRACE}
END
printf '%s\\n' '{{"severity":"ERROR","message":"two lines\\n    the second one"}}' >&2
printf '%s\\n' '{{"status":"error","exitCode":70,"error":{{"code":"INTERNAL","message":"no text:\\n    in note","retryable":false}}}}'
exit 70
"""

# A function that logs one line for every note.
BRIEF = f"""#!/bin/sh
if [ "$1" = --describe ]; then
  echo '{{"contract":1,"name":"brief","triggers":[{{"eventType":"{EVENT}","document":"notes/{{id}}"}}]}}'
  exit
fi
cat > /dev/null
echo '{{"severity":"ERROR","message":"in brief"}}' >&2
echo '{{"status":"ok","exitCode":0}}'
"""


@pytest.fixture
def emulator(tmp_path):
    """An emulator with two functions whose log lines are always the same."""
    functions = tmp_path / "functions"
    functions.mkdir()
    for name, script in [("chatty", CHATTY), ("brief", BRIEF), ("broken", BROKEN)]:
        (functions / name).write_text(script)
        (functions / name).chmod(0o755)
    emulator = Emulator(tmp_path, "--functions", functions, seed=False)
    yield emulator
    emulator.stop()


def write_note(emulator, name):
    """Writes a note, waits until its functions have ended, and returns its event's id."""
    emulator.write(f"notes/{name}", {"text": {"stringValue": "hey"}})
    emulator.quiet()
    return emulator.request("GET", "ui", "/api/events")[-1]["eventId"]


def rows(page):
    return page.get_by_role("list", name="Log lines").get_by_role("listitem")


def test_lines_appear_live_the_newest_first(page, emulator):
    page.goto("/logs")
    expect(page.get_by_text("No log lines match.")).to_be_visible()
    write_note(emulator, "n1")
    expect(page.get_by_text("4 lines")).to_be_visible()
    second = write_note(emulator, "n2")
    expect(page.get_by_text("8 lines")).to_be_visible()
    link = rows(page).first.get_by_role("link", name=f"Event {second}")
    expect(link).to_have_attribute("href", f"/events/{second}")
    # Markup in log lines is shown as text.
    expect(rows(page).filter(has_text="<b>plain</b> words")).to_have_count(2)


def test_lines_are_filtered_by_function_event_severity_and_text(page, emulator):
    first = write_note(emulator, "n1")
    write_note(emulator, "n2")
    page.goto("/logs")
    expect(page.get_by_text("8 lines")).to_be_visible()
    page.get_by_role("combobox", name="Function").select_option("chatty")
    expect(page.get_by_text("6 lines")).to_be_visible()
    expect(page).to_have_url("/logs?function=chatty")
    page.get_by_role("searchbox", name="Text").fill("HELLO")
    expect(page.get_by_text("2 lines")).to_be_visible()
    page.get_by_role("combobox", name="Function").select_option("brief")
    expect(page.get_by_text("No log lines match.")).to_be_visible()
    page.get_by_role("combobox", name="Function").select_option("all")
    page.get_by_role("searchbox", name="Text").fill("")
    expect(page.get_by_text("8 lines")).to_be_visible()
    page.get_by_role("combobox", name="Severity").select_option("WARNING and worse")
    expect(page.get_by_text("4 lines")).to_be_visible()
    event = page.get_by_role("searchbox", name="Event")
    event.fill(first)
    event.press("Enter")
    expect(page.get_by_text("2 lines")).to_be_visible()
    # The filters are in the address, and new lines are filtered, too.
    page.reload()
    expect(page.get_by_text("2 lines")).to_be_visible()
    expect(event).to_have_value(first)
    write_note(emulator, "n3")
    event.fill("")
    event.press("Enter")
    expect(page.get_by_text("6 lines")).to_be_visible()
    expect(page).to_have_url("/logs?severity=WARNING")


def test_paused_lines_wait_to_be_seen(page, emulator):
    write_note(emulator, "n1")
    open_live(page, "/logs", "/api/logs")
    expect(page.get_by_text("4 lines")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    write_note(emulator, "n2")
    expect(page.get_by_role("button", name="Resume (4 new)")).to_be_visible()
    expect(page.get_by_text("4 lines")).to_be_visible()
    page.get_by_role("button", name="Resume (4 new)").click()
    expect(page.get_by_text("8 lines")).to_be_visible()


def test_a_whole_line_is_shown_by_keyboard(page, emulator):
    event = write_note(emulator, "n1")
    page.goto("/logs")
    rows(page).first.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("invocationId")
    expect(dialog.get_by_role("link", name="Event")).to_have_attribute("href", f"/events/{event}")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_flood_of_lines_is_bounded(page, emulator):
    page.goto("/logs")
    expect(page.get_by_text("No log lines match.")).to_be_visible()
    emulator.request("POST", "ui", "/api/functions/chatty/test", {"data": "flood"})
    expect(rows(page).first).to_contain_text("flood 12000")
    expect(page.locator(".count")).to_have_text(re.compile(r"^[45],\d\d\d lines, older lines aren't shown$"))
    assert rows(page).count() < 100
    page.get_by_role("list", name="Log lines").press("End")
    # Lines that the stream omitted are read again, which moves the list's end.
    page.evaluate("""() => new Promise((done) => {
        const list = document.querySelector(".virtual-list");
        function check() {
            const kept = Number.parseInt(document.querySelector(".count").textContent.replace(",", ""));
            list.scrollTop = list.scrollHeight;
            if (kept <= 5_000 && list.textContent.includes(`flood ${12_001 - kept}`)) done();
        }
        new MutationObserver(check).observe(list, { childList: true, subtree: true, attributes: true });
        check();
    })""")


def test_the_page_survives_a_restart(context, page, emulator):
    write_note(emulator, "n1")
    page.goto("/logs")
    expect(page.get_by_text("4 lines")).to_be_visible()
    emulator.stop()
    expect(page.get_by_role("status").filter(has_text="doesn't respond")).to_be_visible()
    emulator.start()
    expect(page.get_by_text("0 lines")).to_be_visible()
    write_note(emulator, "n2")
    expect(page.get_by_text("4 lines")).to_be_visible()
    # Chromium logs the refused connections.
    context.problems.clear()


def test_a_stack_trace_is_in_order_with_its_indentation(page, emulator):
    emulator.request("POST", "ui", "/api/functions/broken/test", {"data": {}})
    page.goto("/logs?function=broken")
    expect(page.get_by_text("7 lines")).to_be_visible()
    shown = rows(page).locator(".message").evaluate_all("(all) => all.map((one) => one.innerText)")
    # The newest line is the first one, but the lines of the trace stay together.
    assert shown == ["two lines …", *TRACE.split("\n"), "begin"]
    assert rows(page).nth(2).locator(".message").evaluate("(one) => getComputedStyle(one).whiteSpace") == "pre"
    rows(page).nth(3).click()
    dialog = page.get_by_role("dialog")
    assert dialog.locator("pre").inner_text() == TRACE
    page.keyboard.press("Escape")
    rows(page).first.click()
    assert dialog.locator("pre").inner_text() == "two lines\n    the second one"
    # New lines keep the order, too.
    page.keyboard.press("Escape")
    emulator.request("POST", "ui", "/api/functions/broken/test", {"data": {}})
    expect(page.get_by_text("14 lines")).to_be_visible()
    shown = rows(page).locator(".message").evaluate_all("(all) => all.map((one) => one.innerText)")
    assert shown == ["two lines …", *TRACE.split("\n"), "begin"] * 2


def test_the_test_bench_and_the_trace_show_indentation(page, emulator):
    def whole(place):
        """Returns the text of a place, as it is laid out."""
        return place.evaluate("(one) => [one.innerText, getComputedStyle(one).whiteSpace]")

    page.goto("/functions/broken")
    page.get_by_role("button", name="Run", exact=True).click()
    result = page.get_by_role("region", name="Result")
    expect(result.get_by_role("listitem")).to_have_count(7)
    assert whole(result.locator(".error")) == ["INTERNAL: no text:\n    in note", "pre-wrap"]
    trace = [[line, "pre-wrap"] for line in TRACE.split("\n")]
    assert [whole(line) for line in result.locator(".message").all()][1:6] == trace

    with pytest.raises(urllib.error.HTTPError):
        emulator.request("POST", "functions", "/demo-worldchat/us-central1/broken", {"data": {}})
    page.goto("/events?function=broken")
    page.locator(".row.single").first.get_by_role("link").click()
    expect(page.locator(".logs li")).to_have_count(7)
    assert [whole(line) for line in page.locator(".logs .message").all()][1:6] == trace
    assert "INTERNAL: no text:\n    in note" in page.locator("dd").all_inner_texts()
