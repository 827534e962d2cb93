"""The time of operations on accounts among many accounts, beside the same operations among few, in
turns. It should be the same, except for a search, which reads all accounts."""

import argparse
import http.client
import json
import random
import statistics
import sys
import time

import emulators
from auth.service import KEY, OWNER, PASSWORD, RELYING_PARTY, TOOLKIT
from firestore import peer

PROJECT = "demo-accounts"
FEW = 1_000
BATCH = 1_000
GOAL = 1.5
ACCOUNTS = f"{TOOLKIT}/projects/{PROJECT}/accounts"
PAGE = f"/emulator/v1/projects/{PROJECT}/accounts?pageSize=50"


class Side:
    """An emulator with a number of accounts."""

    def __init__(self, build, count):
        self.count = count
        port = peer.free_port()
        options = ["--project", PROJECT, "--auth-port", str(port)]
        self.emulator = emulators.ours(build, *options, only="firestore,auth")
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        for start in range(0, count, BATCH):
            users = [self.user(number) for number in range(start, min(start + BATCH, count))]
            assert self.ask("POST", f"{ACCOUNTS}:batchCreate", {"users": users})["error"] == []

    @staticmethod
    def user(number):
        # The IDs are spread like random ones.
        return {
            "localId": f"{number * 2654435761 % 2**32:08x}",
            "email": f"person{number}@example.com",
            "displayName": f"Person {number}",
            "rawPassword": PASSWORD,
        }

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body)
        self.connection.request(method, path, data, {"Content-Type": "application/json", **OWNER})
        answer = json.loads(self.connection.getresponse().read())
        assert "error" not in answer or answer["error"] == [], answer
        return answer

    def time(self, request):
        """Returns the milliseconds that a request takes."""
        start = time.perf_counter()
        self.ask(*request)
        return 1_000 * (time.perf_counter() - start)


def any_user(side):
    return Side.user(random.randrange(side.count))


def sign_in(side):
    body = {"email": any_user(side)["email"], "password": PASSWORD}
    return "POST", f"{TOOLKIT}/accounts:signInWithPassword?key={KEY}", body


def sign_up(_):
    email = f"new{random.randrange(2**48)}@example.com"
    return "POST", f"{RELYING_PARTY}/signupNewUser?key={KEY}", {"email": email, "password": PASSWORD}


# The requests by name, and whether their time should be the same among many accounts.
KINDS = {
    "first page of 50": (lambda side: ("GET", PAGE), True),
    "page from the middle": (lambda side: ("GET", f"{PAGE}&pageToken={any_user(side)['localId']}"), True),
    "lookup by email": (
        lambda side: ("POST", f"{ACCOUNTS}:lookup", {"email": [any_user(side)["email"]]}),
        True,
    ),
    "sign-in": (sign_in, True),
    "sign-up": (sign_up, True),
    "search that finds nobody": (lambda side: ("GET", f"{PAGE}&search=nobody"), False),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=emulators.RELEASE, help="the folder of our programs")
    parser.add_argument("--accounts", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=300)
    arguments = parser.parse_args()
    few, many = Side(arguments.build, FEW), Side(arguments.build, arguments.accounts)
    missed = []
    try:
        for kind, (request, is_flat) in KINDS.items():
            times = {few: [], many: []}
            for _ in range(arguments.repeat if is_flat else 20):
                for side, found in times.items():
                    found.append(side.time(request(side)))
            small, large = (statistics.median(times[side]) for side in (few, many))
            words = ""
            if is_flat:
                met = large <= GOAL * small
                missed += [kind] * (not met)
                words = f"   goal {GOAL:g}: {'met' if met else 'MISSED'}"
            print(
                f"{kind:28} ms   {few.count:,}: {small:6.2f}   {many.count:,}: {large:6.2f}"
                f"   x {large / small:.2f}{words}",
                flush=True,
            )
        for side in (few, many):
            print(f"{side.count:,} accounts, resident memory: {side.emulator.memory():.0f} MB")
    finally:
        few.emulator.stop()
        many.emulator.stop()
    print(f"goals missed: {', '.join(missed) or 'none'}")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
