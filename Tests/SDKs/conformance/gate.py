"""A gate at which functions wait until a test lets them go, so that no test depends on time."""

import socket

LIMIT_SECONDS = 300


class Gate:
    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.listener.settimeout(LIMIT_SECONDS)
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.waiting = []

    def wait(self, count=1):
        """Waits until that many more functions wait at the gate."""
        for _ in range(count):
            self.waiting.append(self.listener.accept()[0])

    def open(self):
        """Lets the waiting functions go."""
        while self.waiting:
            self.waiting.pop().close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.open()
        self.listener.close()
