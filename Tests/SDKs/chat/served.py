"""Functions as HTTP services, as in the cloud: each behind `serve`, its events delivered to it."""

import contextlib
import os
import shutil

from conformance.servers import Server, end, logged_port
from firestore import peer


class Services:
    """The services of functions, at ports that are chosen before they run. The emulator must know
    these ports when it starts, and the services must know the emulator's address."""

    def __init__(self, functions):
        self.ports = {function: peer.free_port() for function in functions}

    def address(self, function):
        return f"http://127.0.0.1:{self.ports[function]}"

    @property
    def options(self):
        """The options that make the emulator deliver its events to the services."""
        return [f"--deliver={function}={self.address(function)}" for function in self.ports]

    @contextlib.contextmanager
    def running(self, emulator, project):
        """Runs the services during the block, with the variables that `exec` gives functions."""
        outside = os.environ["FUNCTIONS_EMULATOR_HOST"]
        inside = emulator.services["functions"].removeprefix("http://")
        environment = {
            name: value.replace(outside, inside) for name, value in os.environ.items()
        } | {
            "GOOGLE_CLOUD_PROJECT": project,
            "GCLOUD_PROJECT": project,
            "FIRESTORE_EMULATOR_HOST": emulator.address,
            # The emulator's own access tokens, as Cloud Run provides them.
            "GOOGLE_APPLICATION_CREDENTIALS": None,
            "GCE_METADATA_HOST": inside,
            # With this variable unsigned tokens are accepted, too.
            "FIREBASE_AUTH_EMULATOR_HOST": emulator.services["auth"].removeprefix("http://"),
            "FIREBASE_DATABASE_EMULATOR_HOST": emulator.services["database"].removeprefix("http://"),
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
