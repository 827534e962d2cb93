"""Listeners: one that implements the protocol itself, and one that records the snapshots of
Google's client."""

import contextlib
import queue
import socket
import threading

import grpc
from firestore import signed_in
from firestore.wire import CALLER
from google.cloud.firestore_v1.types import firestore

ListenRequest = firestore.ListenRequest.pb()
ListenResponse = firestore.ListenResponse.pb()
Change = firestore.TargetChange.pb()
LIMIT_SECONDS = 300


class Stream:
    """A Listen stream whose responses are awaited one by one, or snapshot by snapshot."""

    def __init__(self, channel, database, authorization=CALLER):
        """Opens the stream of a caller: an Authorization header, or None."""
        self.database = database
        self.requests = queue.Queue()
        self.responses = queue.Queue()
        method = channel.stream_stream(
            "/google.firestore.v1.Firestore/Listen",
            ListenRequest.SerializeToString,
            ListenResponse.FromString,
        )
        # Google's emulator finds the database by the second entry, which every SDK sends.
        metadata = [("google-cloud-resource-prefix", database)]
        caller = signed_in.authorization(database) if authorization is CALLER else authorization
        if caller:
            metadata.append(("authorization", caller))
        self.call = method(iter(self.requests.get, None), metadata=metadata)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            for response in self.call:
                self.responses.put(response)
            self.responses.put(None)
        except grpc.RpcError as error:
            self.responses.put(error)

    def collection(self, target, collection, **more):
        """Adds a target for all documents of a collection at the root."""
        request = ListenRequest(database=self.database)
        request.add_target.target_id = target
        request.add_target.query.parent = f"{self.database}/documents"
        request.add_target.query.structured_query.from_.add().collection_id = collection
        for name, value in more.items():
            setattr(request.add_target, name, value)
        self.requests.put(request)

    def remove(self, target):
        self.requests.put(ListenRequest(database=self.database, remove_target=target))

    def next(self):
        """Returns the next response, or None at the stream's end. Raises the stream's error."""
        response = self.responses.get(timeout=LIMIT_SECONDS)
        if isinstance(response, Exception):
            raise response
        return response

    def snapshot(self):
        """Returns the responses up to the next one that makes all targets consistent at one time.
        """
        said = []
        while True:
            said.append(self.next())
            if said[-1] is None:
                raise EOFError("the stream has ended")
            if is_snapshot(said[-1]):
                return said

    def close(self):
        self.requests.put(None)
        self.call.cancel()


def is_snapshot(response):
    if not response.HasField("target_change"):
        return False
    change = response.target_change
    return change.target_change_type == Change.NO_CHANGE and not change.target_ids


def documents(responses):
    """Returns the documents in responses by their ids, in order."""
    changes = (response.document_change for response in responses)
    return [change.document.name.split("/")[-1] for change in changes if change.document.name]


class Watching:
    """The snapshots that Google's client passes to a listener, with their changes."""

    def __init__(self, reference):
        self.arrived = threading.Condition()
        # The documents and the changes of each snapshot.
        self.snapshots = []
        self.watch = reference.on_snapshot(self._take)

    def _take(self, documents, changes, read_time):
        with self.arrived:
            self.snapshots.append((documents, changes))
            self.arrived.notify_all()

    def until(self, holds):
        """Waits for the first snapshot whose documents fulfill a condition."""
        with self.arrived:
            for number in range(10**6):
                while number == len(self.snapshots):
                    if not self.arrived.wait(LIMIT_SECONDS):
                        raise TimeoutError(f"no such snapshot among {number}")
                if holds(self.snapshots[number][0]):
                    return self.snapshots[number]

    def ids(self, *wanted):
        """Waits for the first snapshot that has these documents, in this order."""
        return self.until(lambda documents: [each.id for each in documents] == list(wanted))

    def changes(self):
        """Returns every change so far: its kind and its document's id, in order."""
        with self.arrived:
            return [
                (change.type.name, change.document.id)
                for _, changes in self.snapshots
                for change in changes
            ]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.watch.unsubscribe()


class Road:
    """A TCP proxy whose connections can be cut."""

    def __init__(self, address):
        self.lead_to(address)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.travellers = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                try:
                    far = socket.create_connection(self.target)
                except ConnectionRefusedError:
                    near.close()
                    continue
                self.travellers += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=pair, daemon=True).start()

    @staticmethod
    def _carry(source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def lead_to(self, address):
        """Sends new connections to the address."""
        self.target = tuple(address.rsplit(":", 1))

    def cut(self):
        """Closes all current connections; later ones are let through."""
        for traveller in self.travellers:
            with contextlib.suppress(OSError):
                traveller.shutdown(socket.SHUT_RDWR)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.cut()
        for traveller in self.travellers:
            traveller.close()
