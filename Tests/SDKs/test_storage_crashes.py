"""Cloud Storage in a data folder through kill -9 and a full disk: each answered change is there, none is half there, and
no file is left over. A large upload continues after a kill, and needs no memory.

`make soak` kills a hundred times, and uploads 2 GiB. This test kills ten times, and uploads 256 MiB.
"""

import base64
import contextlib
import http.client
import os
import random
import re
import threading
import time

import google_crc32c
import pytest
from firestore.disk import small_disk
from firestore.emulator import start
from storage.service import GRANULE, KIB, MIB, crc32c, cut, encoded, md5, related, send

KILLS = int(os.environ.get("STORAGE_KILLS", "10"))
OBJECT_MIB = int(os.environ.get("OBJECT_MIB", "256"))
CLIENTS = 4
# The longest life of an emulator, counted from the first answered change of each client.
LONGEST_LIFE_SECONDS = 0.4
BUCKET = "crashes"
# What a client of a killed emulator raises.
BROKEN = (http.client.HTTPException, OSError)
MEMORY_MIB = 200


class Emulator:
    def __init__(self, folder, *options):
        ports = ["--storage-port=0", "--firestore-port=0"]
        options = ["--only", "storage,firestore", *ports, "--no-rules", "--data", str(folder), *options]
        self.process, services = start(*options)
        self.folder = folder
        self.host = f"127.0.0.1:{services['storage']}"

    def ask(self, method, path, body=b"", headers=None, door="/storage/v1"):
        return send(self.host, method, f"{door}{path}", body, headers)

    def upload(self, query, body, headers=None):
        return self.ask("POST", f"/b/{BUCKET}/o?uploadType={query}", body, headers, "/upload/storage/v1")

    def begin(self, metadata):
        """Starts a resumable upload, and returns the path to which its content goes."""
        location = self.upload("resumable", metadata).must().headers["Location"]
        return location.removeprefix(f"http://{self.host}")

    def put(self, location, content, place):
        return send(self.host, "PUT", location, content, {"Content-Range": f"bytes {place}"})

    def arrived(self, location):
        """Returns how much of a resumable upload has arrived."""
        place = self.put(location, b"", "*/*").must(308).headers["Range"]
        return int(place.split("-")[1]) + 1 if place else 0

    def objects(self):
        """Returns the metadata of all objects by name."""
        listed = self.ask("GET", f"/b/{BUCKET}/o?maxResults=1000").must().body
        assert "nextPageToken" not in listed
        return {each["name"]: each for each in listed.get("items", [])}

    def download(self, name):
        return self.ask("GET", f"/b/{BUCKET}/o/{encoded(name)}?alt=media", door="/download/storage/v1").must().data

    def files(self):
        return sum(len(files) for _, _, files in os.walk(self.folder / "objects"))

    def memory(self):
        """Returns the largest resident memory so far in MiB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmHWM:\s+(\d+) kB", status.read())[1]) / 1_024

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


@pytest.fixture
def folder(tmp_path):
    with Emulator(tmp_path / "data") as emulator:
        emulator.ask("POST", "/b?project=demo-worldchat", {"name": BUCKET}).must()
    return tmp_path / "data"


class Client:
    """Changes objects of its own, round by round. `states` has what the objects are after each round: their contents and
    the number in their metadata, by name."""

    KINDS = ("multipart", "chunks", "copy", "metadata", "firebase", "composition", "deletion")

    def __init__(self, number):
        self.key = f"client-{number}"
        self.dice = random.Random(number)
        self.states = [{}]
        # The numbers of the last answered round and of the last begun one.
        self.answered = self.begun = 0
        # The path of a resumable upload that isn't complete, its object, and how much of it has been answered for.
        self.open, self.object, self.sent = None, None, 0
        # How many uploads may have begun without an answer, so that nobody knows their paths.
        self.lost = 0

    def run(self, emulator):
        """Works until the emulator is killed."""
        self.emulator, self.error = emulator, None
        self.began = threading.Event()
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def work(self):
        try:
            if self.open:
                self.continue_or_cancel()
            while True:
                self.round(self.KINDS[self.begun % len(self.KINDS)])
                self.began.set()
        except BROKEN:
            pass
        except Exception as error:
            self.error = error
        finally:
            # Nobody may wait for a client that never got an answer.
            self.began.set()

    def join(self):
        """Waits until the client has noticed the kill."""
        self.thread.join()
        if self.error:
            raise self.error

    def continue_or_cancel(self):
        """Ends the upload that the last emulator has left open."""
        arrived = self.emulator.arrived(self.open)
        assert arrived >= self.sent
        if self.dice.random() < 0.5:
            location, self.open = self.open, None
            self.lost += 1
            assert send(self.emulator.host, "DELETE", location).status in (204, 499)
            self.lost -= 1
        else:
            name, content, number = self.object
            self.begin({**self.states[self.answered], name: (content, number)})
            place = f"{arrived}-{len(content) - 1}" if arrived < len(content) else "*"
            self.emulator.put(self.open, content[arrived:], f"{place}/{len(content)}").must()
            self.answered += 1
            self.open = None

    def begin(self, state):
        """Begins a round, after which the objects will be in a state."""
        self.states[self.answered + 1 :] = [state]
        self.begun = self.answered + 1

    def round(self, kind):
        number = str(self.answered + 1)
        name = f"{self.key}/{self.answered % 5}"
        state = dict(self.states[self.answered])
        others = [each for each in sorted(state) if each != name and len(state[each][0]) <= MIB][:2]
        if (kind in ("copy", "composition") and not others) or (kind in ("metadata", "deletion") and name not in state):
            kind = "multipart"
        if kind == "deletion":
            content = state.pop(name)[0]
        else:
            content = {
                "metadata": lambda: state[name][0],
                "copy": lambda: state[others[0]][0],
                "composition": lambda: b"".join(state[each][0] for each in others),
            }.get(kind, lambda: self.dice.randbytes(self.dice.choice([0, 10, 5 * KIB, GRANULE, GRANULE + 70 * KIB])))()
            state[name] = content, number
        self.begin(state)
        getattr(self, kind)(name, content, {"number": number}, others)
        self.answered += 1

    def multipart(self, name, content, metadata, _):
        headers, body = related({"name": name, "metadata": metadata, "md5Hash": md5(content)}, content)
        self.emulator.upload("multipart", body, headers).must()

    def chunks(self, name, content, metadata, _):
        self.lost += 1
        self.open = self.emulator.begin({"name": name, "metadata": metadata, "crc32c": crc32c(content)})
        self.lost -= 1
        self.object, self.sent = (name, content, metadata["number"]), 0
        if len(content) > GRANULE:
            self.emulator.put(self.open, content[:GRANULE], f"0-{GRANULE - 1}/{len(content)}").must(308)
            self.sent = GRANULE
        place = f"{self.sent}-{len(content) - 1}" if content else "*"
        self.emulator.put(self.open, content[self.sent :], f"{place}/{len(content)}").must()
        self.open = None

    def copy(self, name, content, metadata, others):
        path = f"/b/{BUCKET}/o/{encoded(others[0])}/rewriteTo/b/{BUCKET}/o/{encoded(name)}"
        self.emulator.ask("POST", path, {"contentType": "text/plain", "metadata": metadata}).must()

    def metadata(self, name, content, metadata, _):
        self.emulator.ask("PATCH", f"/b/{BUCKET}/o/{encoded(name)}", {"metadata": metadata}).must()

    def firebase(self, name, content, metadata, _):
        headers, body = related({"name": name, "metadata": metadata}, content)
        headers |= {"X-Goog-Upload-Protocol": "multipart", "Authorization": "Bearer owner"}
        send(self.emulator.host, "POST", f"/v0/b/{BUCKET}/o?name={encoded(name)}", body, headers).must()

    def composition(self, name, content, metadata, others):
        body = {"sourceObjects": [{"name": each} for each in others[:2]], "destination": {"metadata": metadata}}
        self.emulator.ask("POST", f"/b/{BUCKET}/o/{encoded(name)}/compose", body).must()

    def deletion(self, name, *_):
        self.emulator.ask("DELETE", f"/b/{BUCKET}/o/{encoded(name)}").must(204)

    def check(self, emulator, found):
        """Checks that the objects are those after the last answered round or the one begun since."""
        metadata = {name: each for name, each in found.items() if name.startswith(f"{self.key}/")}
        state = {}
        for name, each in metadata.items():
            content = emulator.download(name)
            assert (str(len(content)), crc32c(content)) == (each["size"], each["crc32c"]), (self.key, name, each)
            assert each.get("md5Hash") in (None, md5(content)), (self.key, name, each)
            state[name] = content, each["metadata"]["number"]
        rounds = [number for number in range(self.answered, self.begun + 1) if self.states[number] == state]
        if not rounds:
            expected = [words(each) for each in self.states[self.answered :]]
            pytest.fail(f"{self.key} has {words(state)} after round {self.answered}, which isn't one of {expected}")
        if rounds[0] > self.answered:
            # The change was complete, but not its answer.
            self.answered, self.open = self.begun, None
        self.begun = self.answered


def words(state):
    """Returns the sizes and numbers of objects."""
    return {name: (len(content), number) for name, (content, number) in state.items()}


def test_answered_changes_survive(folder):
    chance = random.Random(os.environ.get("STORAGE_SEED"))
    clients = [Client(number) for number in range(CLIENTS)]
    for kill in range(KILLS + 1):
        with Emulator(folder) as emulator:
            found = emulator.objects()
            for client in clients:
                client.check(emulator, found)
            # Each object and each open upload has a file, and there is no other one.
            uploads = emulator.files() - len(found) - sum(client.open is not None for client in clients)
            assert 0 <= uploads <= sum(client.lost for client in clients), kill
            if kill == KILLS:
                break
            for client in clients:
                client.run(emulator)
            for client in clients:
                client.began.wait()
            threading.Event().wait(chance.uniform(0, LONGEST_LIFE_SECONDS))
            emulator.kill()
            for client in clients:
                client.join()
    assert all(client.answered > KILLS for client in clients)


class Content:
    """The content of a large object, in blocks that all differ, made as they are needed."""

    BLOCK = 8 * MIB

    def __init__(self, blocks):
        self.base = random.Random(7).randbytes(self.BLOCK)
        self.count, self.size = blocks, blocks * self.BLOCK

    def block(self, number):
        turn = 4_099 * number % self.BLOCK
        return self.base[turn:] + self.base[:turn]

    def part(self, start):
        """Returns the rest of the block that has the byte at `start`."""
        return self.block(start // self.BLOCK)[start % self.BLOCK :]

    def crc32c(self):
        checksum = google_crc32c.Checksum()
        for number in range(self.count):
            checksum.update(self.block(number))
        return base64.b64encode(checksum.digest()).decode()


def send_from(emulator, location, content, start, end):
    """Sends the blocks from one place to another, and returns the last answer."""
    while start < end:
        part = content.part(start)
        answer = emulator.put(location, part, f"{start}-{start + len(part) - 1}/{content.size}")
        start += len(part)
        if start < content.size:
            assert answer.must(308).headers["Range"] == f"bytes=0-{start - 1}"
    return answer.must(200 if end == content.size else 308)


def test_a_large_upload_continues_after_a_kill(folder, capsys):
    content = Content(OBJECT_MIB * MIB // Content.BLOCK)
    middle = content.size // Content.BLOCK // 2 * Content.BLOCK
    with Emulator(folder) as emulator:
        first = emulator.memory()
        location = emulator.begin({"name": "large", "contentType": "video/mp4"})
        send_from(emulator, location, content, 0, middle)
        headers = {"Content-Range": f"bytes {middle}-{middle + Content.BLOCK - 1}/{content.size}"}
        cut(emulator.host, "PUT", location, content.part(middle), headers, 5 * MIB)
        uploading = emulator.memory() - first
    with Emulator(folder) as emulator:
        second = emulator.memory()
        arrived = emulator.arrived(location)
        assert middle <= arrived <= middle + 5 * MIB
        done = send_from(emulator, location, content, arrived, content.size).body
        assert (done["size"], done["crc32c"]) == (str(content.size), content.crc32c())
        continuing = emulator.memory() - second
        connection = http.client.HTTPConnection(emulator.host, timeout=60)
        connection.request("GET", f"/download/storage/v1/b/{BUCKET}/o/large?alt=media")
        response = connection.getresponse()
        for number in range(content.count):
            assert response.read(Content.BLOCK) == content.block(number), number
        assert response.read() == b""
        connection.close()
        downloading = emulator.memory() - second
    with capsys.disabled():
        print(
            f"\n{OBJECT_MIB} MiB through a kill: {first:.0f} MiB of memory and {uploading:.0f} more for the first half, "
            f"{second:.0f} MiB and {continuing:.0f} more for the second half, {downloading:.0f} more with the download"
        )
    assert max(uploading, continuing, downloading) < MEMORY_MIB
    with Emulator(folder) as emulator:
        assert list(emulator.objects()) == ["large"] and emulator.files() == 1


def test_a_download_goes_on_while_its_object_is_replaced_and_deleted(folder):
    content = Content(4)
    with Emulator(folder) as emulator:
        location = emulator.begin({"name": "a"})
        send_from(emulator, location, content, 0, content.size)
        connection = http.client.HTTPConnection(emulator.host, timeout=60)
        connection.request("GET", f"/download/storage/v1/b/{BUCKET}/o/a?alt=media")
        response = connection.getresponse()
        first = response.read(1_000)
        emulator.upload("media&name=a", b"new").must()
        emulator.ask("DELETE", f"/b/{BUCKET}/o/a").must(204)
        rest = b"".join(content.block(number) for number in range(4))
        assert first + response.read() == rest
        connection.close()


def test_uploads_that_fail_leave_no_file(folder):
    with Emulator(folder) as emulator:
        path = f"/upload/storage/v1/b/{BUCKET}/o?name=a&uploadType="
        headers, body = related({"name": "a", "md5Hash": md5(b"other")}, b"x" * MIB)
        cut(emulator.host, "POST", f"{path}multipart", body, headers, MIB // 2)
        cut(emulator.host, "POST", f"{path}media", b"x" * MIB, {}, MIB // 2)
        emulator.upload("multipart", body, headers).must(400)
        emulator.upload("multipart", body[:-20], headers).must(400)
        emulator.upload("media&name=a&ifGenerationMatch=1", b"x" * MIB).must(412)
        send(emulator.host, "POST", f"/upload/storage/v1/b/none-{BUCKET}/o?uploadType=media&name=a", b"x" * MIB).must(404)
        location = emulator.begin({"name": "a"})
        emulator.put(location, b"x" * GRANULE, f"0-{GRANULE - 1}/*").must(308)
        assert send(emulator.host, "DELETE", location).status in (204, 499)
        for _ in range(100):
            # The server may notice late that a connection has ended.
            if not emulator.files():
                break
            time.sleep(0.05)
        assert emulator.files() == 0 and emulator.objects() == {}


def test_a_full_disk(tmp_path):
    """An upload that has no room is refused, the object before it stays, and so do all others."""
    old, large = os.urandom(1 * MIB), os.urandom(16 * MIB)
    with small_disk(tmp_path / "disk", megabytes=64) as disk:
        with Emulator(disk / "data") as emulator:
            emulator.ask("POST", "/b?project=demo-worldchat", {"name": BUCKET}).must()
            emulator.upload("media&name=a", old).must()
            location = emulator.begin({"name": "a"})
            emulator.put(location, large[:GRANULE], f"0-{GRANULE - 1}/{len(large)}").must(308)
            with open(disk / "ballast", "wb", buffering=0) as ballast, contextlib.suppress(OSError):
                while True:
                    ballast.write(bytes(64 * KIB))
            for _ in range(3):
                assert emulator.upload("media&name=a", large).must(507).message
            rest = large[GRANULE:]
            answer = emulator.put(location, rest, f"{GRANULE}-{len(large) - 1}/{len(large)}")
            assert answer.status == 507 and emulator.download("a") == old
            (disk / "ballast").unlink()
            arrived = emulator.arrived(location)
            emulator.put(location, large[arrived:], f"{arrived}-{len(large) - 1}/{len(large)}").must()
            assert emulator.download("a") == large
        with Emulator(disk / "data") as emulator:
            assert emulator.download("a") == large and emulator.files() == 1
