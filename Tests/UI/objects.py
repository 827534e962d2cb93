"""Objects of Cloud Storage, written and read by an administrator."""

import struct
import urllib.error
import urllib.request
import zlib
from urllib.parse import quote, urlencode

BUCKET = "demo-worldchat.appspot.com"


def picture(width=480, height=300):
    """Returns a PNG file: the sky, the sea and a beach."""
    def color(x, y):
        if (x - width * 0.75) ** 2 + (y - height * 0.22) ** 2 < (height * 0.1) ** 2:
            return (255, 214, 90)
        if y < height * 0.5:
            return (120 + y // 2, 180 + y // 4, 235)
        if y < height * 0.7 + 6 * ((x // 40) % 2):
            return (30, 110 + y // 6, 160)
        return (235, 210, 150)

    return png(width, height, b"".join(
        b"\0" + b"".join(bytes(color(x, y)) for x in range(width)) for y in range(height)
    ))


def png(width, height, rows, level=-1):
    """Returns a PNG file. Each row is a zero and three bytes for each pixel."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(rows, level)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def sound(seconds=1):
    """Returns a WAV file with silence."""
    samples = b"\x80" * 8_000 * seconds
    form = struct.pack("<IHHIIHH", 16, 1, 1, 8_000, 8_000, 1, 8)
    return b"RIFF" + struct.pack("<I", 36 + len(samples)) + b"WAVEfmt " + form \
        + b"data" + struct.pack("<I", len(samples)) + samples


def put_object(emulator, name, content=b"x", content_type="text/plain", bucket=BUCKET):
    """Uploads an object."""
    query = urlencode({"uploadType": "media", "name": name})
    request = urllib.request.Request(
        emulator.url("storage", f"/upload/storage/v1/b/{bucket}/o?{query}"), content, {"content-type": content_type},
    )
    urllib.request.urlopen(request, timeout=60).close()


def object_path(name, bucket=BUCKET):
    return f"/storage/v1/b/{bucket}/o/{quote(name, safe='')}"


def get_object(emulator, name, bucket=BUCKET):
    """Returns an object's metadata, or None if there is no such object."""
    try:
        return emulator.request("GET", "storage", object_path(name, bucket))
    except urllib.error.HTTPError as error:
        error.close()
        assert error.code == 404
        return None


def change_object(emulator, name, **members):
    """Changes an object's metadata."""
    return emulator.request("PATCH", "storage", object_path(name), members)


def get_content(emulator, name, bucket=BUCKET):
    with urllib.request.urlopen(emulator.url("storage", f"{object_path(name, bucket)}?alt=media"), timeout=60) as answer:
        return answer.read()


def object_names(emulator, bucket=BUCKET):
    """Returns the names of a bucket's objects, of which there are at most a thousand."""
    page = emulator.request("GET", "storage", f"/storage/v1/b/{bucket}/o?fields=items/name")
    return [item["name"] for item in (page or {}).get("items", [])]


def put_files(emulator):
    """Puts pictures and other files of a chat into Cloud Storage."""
    media = "conversations/sarah-marco/media"
    put_object(emulator, f"{media}/beach.png", picture(), "image/png")
    change_object(emulator, f"{media}/beach.png", metadata={"uploader": "sarah"}, cacheControl="private, max-age=3600")
    put_object(emulator, f"{media}/menu.txt", "Pizza Margherita, Tiramisù\n".encode(), "text/plain; charset=utf-8")
    put_object(emulator, "avatars/sarah/portrait.png", picture(64, 64), "image/png")
    emulator.request("POST", "storage", f"/v0/b/{BUCKET}/o/{quote(f'{media}/beach.png', safe='')}?create_token=true")
