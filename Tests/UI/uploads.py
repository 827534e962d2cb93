"""Files in Cloud Storage, as an administrator and as users see them, and the uploads of a page."""

import urllib.error
import urllib.request
from urllib.parse import quote, urlencode

from objects import BUCKET, object_path, png
from people import token


def objects(emulator, prefix=""):
    """Returns the metadata of all files whose names begin with a prefix, by name."""
    query = urlencode({"prefix": prefix})
    items = emulator.request("GET", "storage", f"/storage/v1/b/{BUCKET}/o?{query}").get("items", [])
    return {item["name"]: item for item in items}


def delete(emulator, name):
    emulator.request("DELETE", "storage", object_path(name))


def set_rules(emulator, text):
    emulator.request("PUT", "storage", "/internal/setRules", {
        "rules": {"files": [{"name": "storage.rules", "content": text}]},
    })


def read(url, uid=None):
    """Downloads a URL as a user, or as nobody. Returns the status and the bytes."""
    headers = {"authorization": f"Firebase {token(uid)}"} if uid else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def read_by_name(emulator, name, uid=None):
    return read(emulator.url("storage", f"/v0/b/{BUCKET}/o/{quote(name, safe='')}?alt=media"), uid)


def plain(width=60, height=40, color=(200, 80, 40), is_compressed=True):
    """Returns a picture of one color. Without compression it has some 3 bytes for each pixel."""
    return png(width, height, (b"\0" + bytes(color) * width) * height, 9 if is_compressed else 0)


def file(name, content, mime):
    """Returns a file for `set_input_files`."""
    return {"name": name, "mimeType": mime, "buffer": content}


class Uploads:
    """The requests of uploads that a page sends. `hold` stops one of them."""

    def __init__(self, page):
        self.page = page
        self.commands = []
        self.is_cut = False
        self.held = None
        self._held_offset = None
        page.route(lambda url: "/v0/b/" in url, self._handle)

    def _handle(self, route):
        command = route.request.headers.get("x-goog-upload-command")
        if command is None or route.request.method != "POST":
            return route.fallback()
        offset = route.request.headers.get("x-goog-upload-offset")
        self.commands.append((command, None if offset is None else int(offset)))
        if self.is_cut:
            route.abort()
        elif self._held_offset is not None and offset == str(self._held_offset):
            self.held = route
        else:
            route.fallback()

    def hold(self, offset):
        """Holds back the chunk that begins at an offset."""
        self._held_offset = offset

    def wait_for_held(self):
        while self.held is None:
            self.page.wait_for_timeout(20)

    def release(self):
        """Passes the chunk that was held back, unless the page has given it up, and holds back no more."""
        self._held_offset = None
        route, self.held = self.held, None
        route.fallback()

    def cut(self):
        """Breaks the connection to the service: the chunk that was held back, and what follows."""
        self.is_cut = True
        self._held_offset = None
        if self.held:
            self.held.abort()
            self.held = None

    def names(self):
        return [command for command, _ in self.commands]
