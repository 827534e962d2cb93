"""Random operations on a Realtime Database, through both doors, beside a tree of Python dicts.

After each operation, listeners with and without queries have what the model says. `make soak` does 200,000
operations. `DATABASE_SEED` repeats one run.
"""

import os
import random

import pytest
from realtime import model
from realtime.service import Rest, Socket

OPERATIONS = int(os.environ.get("DATABASE_OPERATIONS", "10000"))
SEEDS = [int(seed) for seed in os.environ.get("DATABASE_SEED", "1,2,3,4,5,6,7,8,9,10").split(",")]
KEYS = ["a", "b", "c", "1", "2", "10", "01", "00", "-0", "-5", "é", "\U0001f600", "\ufffd", "A"]
LEAVES = [0, 1, -1.5, 2**40, True, False, "", "x", "y", "10", "é", "\U0001f600", "\ufffd"]


class Listener:
    """What a client knows by its listener's pushes."""

    def __init__(self, socket, path, query, tag):
        self.socket, self.path, self.query, self.tag = socket, path, query, tag
        self.state = None
        body = {"p": "/" + path, "h": ""}
        if query:
            body |= {"q": model.message(query), "t": tag}
        socket.must("q", **body)

    def takes(self, path, tag):
        return tag == self.tag and (path + "/").startswith(self.path + "/" if self.path else "")

    def apply(self, action, push):
        relative = "/".join(model.parts(push["p"])[len(model.parts(self.path)) :])
        changes = {"": push["d"]} if action == "d" else push["d"]
        for path, value in changes.items():
            self.state = model.put(self.state, f"{relative}/{path}", value)

    def end(self):
        body = {"p": "/" + self.path}
        if self.query:
            body |= {"q": model.message(self.query), "t": self.tag}
        self.socket.must("n", **body)


class Run:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.name = f"model-{seed}"
        self.rest = Rest(self.name)
        self.writer = Socket(self.name)
        self.readers = [Socket(self.name) for _ in range(3)]
        self.listeners = []
        self.tree = None
        self.tags = 0

    def path(self, least=0):
        return "/".join(self.random.choice(KEYS) for _ in range(self.random.randint(least, 3)))

    def value(self, depth=0):
        kind = self.random.random()
        if kind < 0.1:
            return None
        if kind < 0.5 or depth == 3:
            return self.random.choice(LEAVES)
        if kind < 0.55:
            return [self.value(depth + 1) for _ in range(3)]
        return {key: self.value(depth + 1) for key in self.random.sample(KEYS, self.random.randint(0, 6))}

    def query(self):
        by = self.random.choice([".key", ".value", "a", "a/b", "1"])
        query = {"by": by}
        for names in [("start", "after"), ("end", "before")]:
            if self.random.random() < 0.3:
                bound = self.random.choice(KEYS) if by == ".key" else self.random.choice(LEAVES)
                query[self.random.choice(names)] = bound
        if self.random.random() < 0.7 or len(query) == 1:
            query[self.random.choice(["first", "last"])] = self.random.randint(1, 4)
        return query

    def members(self):
        """Paths with values, of which none is below another."""
        found = {}
        for _ in range(self.random.randint(1, 4)):
            path = self.path(least=1)
            if not any((path + "/").startswith(other + "/") or (other + "/").startswith(path + "/") for other in found):
                found[path] = self.value(2)
        return found

    def write(self):
        path, kind, by_rest = self.path(), self.random.random(), self.random.random() < 0.3
        if kind < 0.4:
            value = self.value(len(model.parts(path)) - 1)
            self.tree = model.put(self.tree, path, value)
            if by_rest:
                self.rest.put(path, value)
            else:
                self.writer.must("p", p="/" + path, d=value)
        elif kind < 0.7:
            members = self.members()
            for name, value in members.items():
                self.tree = model.put(self.tree, f"{path}/{name}", value)
            if by_rest:
                assert self.rest.ask("PATCH", path, members).status == 200
            else:
                self.writer.must("m", p="/" + path, d=members)
        elif kind < 0.8:
            self.tree = model.put(self.tree, path, None)
            assert self.rest.ask("DELETE", path).status == 200
        elif kind < 0.9:
            old = model.get(self.tree, path)
            number = old if isinstance(old, (int, float)) and not isinstance(old, bool) else 0
            self.tree = model.put(self.tree, path, number + 3)
            self.writer.must("p", p="/" + path, d={".sv": {"increment": 3}})
        else:
            value = self.random.choice(LEAVES)
            answer = self.rest.ask("POST", path, value)
            self.tree = model.put(self.tree, f"{path}/{answer.body['name']}", value)

    def listen(self):
        if self.listeners and (len(self.listeners) > 8 or self.random.random() < 0.5):
            self.listeners.pop(self.random.randrange(len(self.listeners))).end()
            return
        socket, path = self.random.choice(self.readers), self.path()
        query = self.query() if self.random.random() < 0.7 else None
        if any(other.socket is socket and other.path == path for other in self.listeners):
            return
        self.tags += 1
        self.listeners.append(Listener(socket, path, query, self.tags if query else None))

    def check(self):
        for socket in self.readers:
            for action, push in socket.take():
                found = [each for each in self.listeners if each.socket is socket and each.takes(push["p"], push.get("t"))]
                assert found, f"a push for nobody: {action} {push}"
                for listener in found:
                    listener.apply(action, push)
        for each in self.listeners:
            assert each.state == model.window(model.get(self.tree, each.path), each.query), (each.path, each.query)

    def read(self):
        path, query = self.path(), self.query()
        expected = model.get(self.tree, path)
        assert self.rest.get(path, format="export") == expected
        assert model.clean(self.rest.get(path)) == expected
        part = model.window(expected, query)
        assert self.rest.get(path, format="export", **model.parameters(query)) == part, query
        assert self.writer.must("g", p="/" + path, q=model.message(query)) == part, query


@pytest.mark.parametrize("seed", SEEDS)
def test_random_operations(seed):
    run = Run(seed)
    try:
        for number in range(OPERATIONS // len(SEEDS)):
            if run.random.random() < 0.15:
                run.listen()
            elif run.random.random() < 0.1:
                run.read()
            else:
                run.write()
            run.check()
        assert run.rest.get("", format="export") == run.tree
    finally:
        for socket in [run.writer, *run.readers]:
            socket.close()
