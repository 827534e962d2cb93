"""Functions as HTTP services, as in the cloud: each behind `serve`, its events delivered to it."""

import contextlib
import os
import shutil

from conformance.servers import Server, end, logged_port
from firestore import peer


class Services:
    """The services of functions, at ports that are known before they run: an emulator is told of them
    when it starts, and they need to know where it is."""

    def __init__(self, functions):
        self.ports = {function: peer.free_port() for function in functions}

    def address(self, function):
        return f"http://127.0.0.1:{self.ports[function]}"

    @property
    def options(self):
        """What sends the emulator's events to them."""
        return [f"--deliver={function}={self.address(function)}" for function in self.ports]

    @contextlib.contextmanager
    def running(self, emulator, project):
        """They run while the block does, with the variables that `exec` gives functions."""
        outside = os.environ["FUNCTIONS_EMULATOR_HOST"]
        inside = emulator.services["functions"].removeprefix("http://")
        environment = {
            name: value.replace(outside, inside) for name, value in os.environ.items()
        } | {
            "GOOGLE_CLOUD_PROJECT": project,
            "GCLOUD_PROJECT": project,
            "FIRESTORE_EMULATOR_HOST": emulator.address,
            # That emulator's own tokens, as Cloud Run gives them.
            "GOOGLE_APPLICATION_CREDENTIALS": None,
            "GCE_METADATA_HOST": inside,
            # Unsigned tokens are believed where this is set.
            "FIREBASE_AUTH_EMULATOR_HOST": "127.0.0.1:9099",
        }
        servers = []
        try:
            for function, port in self.ports.items():
                command = [shutil.which("serve"), shutil.which(function)]
                servers.append(Server(command, environment | {"PORT": str(port)}, logged_port))
            yield
        finally:
            codes = end(servers)
        assert set(codes) <= {0}, codes
