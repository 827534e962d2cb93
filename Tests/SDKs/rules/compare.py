"""Random cases on two servers: what differs, and the smallest case in which it differs."""

import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass, replace

from firestore.values import fields
from rules import calls, rulesets, world
from rules.tree import minimized, smaller, smaller_json

REQUESTS = 20
ATTEMPTS = 600
WORKERS = 2


@dataclass(frozen=True)
class Case:
    """A ruleset, documents by path, and requests, which are sent in turn."""

    seed: object
    tree: object
    documents: dict
    requests: list

    def answers(self, side):
        return side.judge(str(self.tree), self.documents, self.requests)

    def __str__(self):
        lines = [f"seed {self.seed}", str(self.tree).rstrip()]
        for path, document in self.documents.items():
            lines.append(f"{path}: {json.dumps(fields(document), ensure_ascii=False)}")
        for each in self.requests:
            request = json.dumps(each["request"], ensure_ascii=False)
            user = each["user"] or "nobody"
            lines.append(f"{user} over {each['door']}: {each['method']} {request}")
        return "\n".join(lines)


def random_case(seed):
    dice = random.Random(seed)
    documents = world.documents(dice)
    tree = rulesets.ruleset(dice)
    words = set(re.findall(r"\w+", " ".join(re.findall("match .*", str(tree)))))
    # Mostly the documents that the rules are about.
    paths = [path for path in world.PATHS if words & set(path.split("/")[:-1])] or world.PATHS
    requests = calls.calls(dice, calls.Scene(documents, paths), REQUESTS)
    return Case(seed, tree, documents, requests)


@dataclass
class Counts:
    """What a run has compared."""

    rulesets: int = 0
    invalid: int = 0
    requests: int = 0
    malformed: int = 0
    allowed: int = 0
    denied: int = 0
    same_reasons: int = 0

    def add(self, theirs, mine):
        self.rulesets += 1
        self.invalid += theirs[0].status != 200
        for one, other in zip(theirs[1:], mine[1:]):
            self.requests += 1
            self.malformed += one.status == 400
            self.allowed += one.status not in (400, 403)
            self.denied += one.status == 403
            self.same_reasons += one.status == 403 and one.reasons == other.reasons

    def __add__(self, other):
        return Counts(*(mine + its for mine, its in zip(astuple(self), astuple(other))))

    def __str__(self):
        return (
            f"{self.rulesets} rulesets ({self.invalid} invalid), {self.requests} requests: "
            f"{self.allowed} allowed, {self.denied} denied, {self.same_reasons} of these for the "
            f"same reasons, {self.malformed} malformed"
        )


def first_difference(theirs, mine):
    """Returns the place of the first answers with another status, or None."""
    for place, (one, other) in enumerate(zip(theirs, mine)):
        if one.status != other.status:
            return place
    return None


@dataclass(frozen=True)
class Difference:
    """A case whose last request is decided differently, or whose rules compile on one side only."""

    case: Case
    google: object
    ours: object

    def __str__(self):
        return f"{self.case}\nGoogle: {self.google}\nours:   {self.ours}\n"


def as_found(case, theirs, mine):
    """Returns the first difference of a case, up to its request."""
    place = first_difference(theirs, mine)
    return Difference(replace(case, requests=case.requests[:place]), theirs[place], mine[place])


class Pair:
    """Both servers, Google's first."""

    def __init__(self, google, ours):
        self.sides = google, ours
        self.pool = ThreadPoolExecutor(2)

    def answers(self, case):
        return tuple(self.pool.map(case.answers, self.sides))

    def minimal(self, case, theirs, mine):
        """Returns the smallest case found that differs in the same way."""
        place = first_difference(theirs, mine)
        wanted = theirs[place].status, mine[place].status
        case = replace(case, requests=case.requests[:place])
        if place == 0:
            # The rules compile on one side only.
            case = replace(case, documents={})

        def differs(each):
            theirs, mine = self.answers(each)
            place = first_difference(theirs, mine)
            if place is None or place != len(each.requests):
                return False
            return (theirs[place].status, mine[place].status) == wanted

        def fewer_requests(each):
            last = each.requests[-1:]
            yield replace(each, requests=last)
            for cut in range(len(each.requests) - 1):
                yield replace(each, requests=each.requests[:cut] + each.requests[cut + 1 :])

        def fewer_documents(each):
            yield replace(each, documents={})
            for path in each.documents:
                rest = {name: document for name, document in each.documents.items() if name != path}
                yield replace(each, documents=rest)

        def simpler(each):
            for tree in smaller(each.tree):
                yield replace(each, tree=tree)

        def less_data(each):
            for documents in smaller_json(each.documents):
                yield replace(each, documents=documents)
            for *before, last in (each.requests,) if each.requests else ():
                for request in smaller_json(last["request"]):
                    yield replace(each, requests=[*before, last | {"request": request}])

        def strictly(variants):
            return lambda each: (other for other in variants(each) if str(other) != str(each))

        for variants in (fewer_requests, simpler, fewer_documents, less_data, simpler):
            if case.requests or variants is simpler:
                case = minimized(case, strictly(variants), differs, ATTEMPTS)
        theirs, mine = self.answers(case)
        if first_difference(theirs, mine) is None:
            return Difference(case, "differs only sometimes", "")
        return Difference(case, theirs[-1], mine[-1])


def run(google, ours, cases, workers=WORKERS):
    """Judges cases on both servers. Returns the counts, and the cases with differing answers."""
    counts = Counts()
    differing = []
    with ThreadPoolExecutor(workers) as theirs, ThreadPoolExecutor(workers) as mine:
        cases = list(cases)
        answers = zip(
            theirs.map(lambda case: case.answers(google), cases),
            mine.map(lambda case: case.answers(ours), cases),
        )
        for case, (one, other) in zip(cases, answers):
            counts.add(one, other)
            if first_difference(one, other) is not None:
                differing.append((case, one, other))
    return counts, differing
