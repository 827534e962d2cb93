"""The responsiveness of the emulator's pages while 100 events a second arrive.

    emulator exec --seed demo -- python Tests/Benchmarks/page_load.py events chat --seconds 300

It measures the time from a key to the screen, and the growth of the page's memory. Pages joined by
a plus, as in `phones+logs+status`, are open side by side and get the keys in turns. The keys move
through the page's list, or are typed into its field. Their latency is the browser's own (Event
Timing: from the key to the next frame). The memory is the JavaScript heap after a forced
collection, and that of the browser's processes for pages (Linux), when the lists are full and at
the end. The exit code is 1 if a goal is missed.
"""

import argparse
import http.client
import itertools
import json
import os
import shutil
import sys
import threading
import time
import urllib.request

from playwright.sync_api import sync_playwright

EVENTS_PER_MESSAGE = 3  # The functions that a message triggers.
LIST_LENGTH = 5_500  # A little more than any page's longest list.

WALK = ["ArrowDown"] * 8 + ["ArrowUp"] * 8
TYPE = [*"See you", *["Backspace"] * 7]

# Each page's address, the element that gets the keys, and the keys.
PAGES = {
    "chat": ("/chat?phones=sarah:sarah-marco,marco:sarah-marco", "textarea", TYPE),
    "events": ("/events", ".virtual-list", WALK),
    "data": ("/data/conversations/sarah-marco/messages", ".virtual-list", WALK),
    "functions": ("/functions", "input[type=text]", TYPE),
    "phones": ("/phones", "body", WALK),
    "logs": ("/logs", "input[type=search]", TYPE),
    "status": ("/status", "body", WALK),
}

OBSERVE = """
() => {
  window.keys = { count: 0, slow: [] };
  addEventListener("keydown", () => window.keys.count++, { capture: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.name === "keydown") window.keys.slow.push(entry.duration);
    }
  }).observe({ type: "event", durationThreshold: 16 });
}
"""


class Writer(threading.Thread):
    """Sends messages at a steady rate, without waiting for their effects."""

    def __init__(self, rate):
        super().__init__(daemon=True)
        self.rate = rate
        self.sent = 0
        self.is_over = threading.Event()

    def run(self):
        connection = http.client.HTTPConnection(os.environ["FIRESTORE_EMULATOR_HOST"])
        root = f"/v1/projects/{os.environ['GOOGLE_CLOUD_PROJECT']}/databases/(default)/documents"
        start = time.monotonic()
        while not self.is_over.is_set():
            pause = start + self.sent / self.rate - time.monotonic()
            if pause > 0:
                self.is_over.wait(pause)
            fields = {
                "senderId": {"stringValue": "sarah"},
                "text": {"stringValue": f"See you at {self.sent % 24}:{self.sent % 60:02}!"},
                "language": {"stringValue": "en"},
                "readBy": {"arrayValue": {}},
                "timestamp": {"timestampValue": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())},
            }
            connection.request(
                "POST",
                f"{root}/conversations/sarah-marco/messages",
                json.dumps({"fields": fields}),
                {"content-type": "application/json"},
            )
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, answer.status
            self.sent += 1


def deliveries():
    url = f"http://{os.environ['EMULATOR_UI_HOST']}/metrics"
    with urllib.request.urlopen(url, timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("function_attempts_total"))


class Page:
    """A page under measurement."""

    def __init__(self, browser, name):
        path, field, self.keys = PAGES[name]
        self.page = browser.new_page(viewport={"width": 1280, "height": 800})
        self.page.goto(f"http://{os.environ['EMULATOR_UI_HOST']}{path}")
        self.field = self.page.locator(field).first
        self.field.wait_for()
        self.page.evaluate(OBSERVE)
        self.session = self.page.context.new_cdp_session(self.page)
        self.session.send("HeapProfiler.enable")

    def press(self, number):
        """Presses the page's next key, which takes a little less than a tenth of a second."""
        self.field.press(self.keys[number % len(self.keys)], delay=60)

    def heap(self):
        """Returns the bytes in use after a collection."""
        self.session.send("HeapProfiler.collectGarbage")
        return self.session.send("Runtime.getHeapUsage")["usedSize"]

    def latencies(self):
        """Returns the sorted latencies in milliseconds. Keys under 16 ms have no entry in the
        browser's list and count as 0."""
        keys = self.page.evaluate("() => window.keys")
        return sorted([0] * (keys["count"] - len(keys["slow"])) + keys["slow"])


def renderer_memory():
    """Returns the private bytes of our browser's processes for pages."""
    parents, renderers = {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as line:
                parents[pid] = line.read().rpartition(")")[2].split()[1]
            with open(f"/proc/{pid}/cmdline") as line:
                if "--type=renderer" not in line.read():
                    continue
            with open(f"/proc/{pid}/smaps_rollup") as lines:
                renderers[pid] = sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
        except OSError:
            continue

    def is_ours(pid):
        while pid in parents:
            if pid == str(os.getpid()):
                return True
            pid = parents[pid]
        return False

    return 1024 * sum(size for pid, size in renderers.items() if is_ours(pid))


def use(pages, is_over):
    """Presses keys in one page after the other until `is_over` returns True."""
    for number in itertools.count():
        for page in pages:
            if is_over():
                return
            page.press(number)


def measure(browser, names, writer, seconds):
    """Returns whether pages that are open side by side meet their goals."""
    pages = [Page(browser, name) for name in names]
    full = deliveries() + LIST_LENGTH
    use(pages, lambda: deliveries() >= full)
    for page in pages:
        page.page.evaluate("() => { window.keys.count = 0; window.keys.slow = []; }")
    first, sent, done, memory = [page.heap() for page in pages], writer.sent, deliveries(), renderer_memory()
    start = time.monotonic()
    use(pages, lambda: time.monotonic() - start >= seconds)
    took = time.monotonic() - start
    print(
        f"{'+'.join(names)}: {(writer.sent - sent) / took:.1f} messages/s for {took:.0f} s, "
        f"{(deliveries() - done) / took:.0f} attempts/s; "
        f"processes {memory / 2**20:.0f} MiB, at the end {renderer_memory() / 2**20:.0f} MiB"
    )
    met = True
    for name, page, before in zip(names, pages, first):
        after, latencies = page.heap(), page.latencies()
        p95, growth = latencies[int(len(latencies) * 0.95)], after / before - 1
        print(
            f"  {name}: {len(latencies)} keys: p50 {latencies[len(latencies) // 2]:.0f} ms, p95 {p95:.0f} ms, "
            f"slowest {latencies[-1]:.0f} ms   goal p95 < 100 ms: {'met' if p95 < 100 else 'MISSED'}\n"
            f"  {name}: heap {before / 2**20:.1f} MiB, at the end {after / 2**20:.1f} MiB: {growth:+.1%}   "
            f"goal < 10 %: {'met' if growth < 0.1 else 'MISSED'}",
            flush=True,
        )
        met = met and p95 < 100 and growth < 0.1
        page.page.close()
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", default=list(PAGES), metavar="PAGE", help=", ".join(PAGES))
    parser.add_argument("--rate", type=float, default=100, help="events a second")
    parser.add_argument("--seconds", type=int, default=300, help="seconds for each page")
    options = parser.parse_args()
    groups = [group.split("+") for group in options.pages]
    if unknown := {name for names in groups for name in names} - set(PAGES):
        parser.error(f"no such page: {', '.join(sorted(unknown))}")

    writer = Writer(options.rate / EVENTS_PER_MESSAGE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        writer.start()
        met = [measure(browser, names, writer, options.seconds) for names in groups]
        browser.close()
    writer.is_over.set()
    writer.join()
    sys.exit(not all(met))


if __name__ == "__main__":
    main()
