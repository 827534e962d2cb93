"""Security rules decide alike in Google's emulator and in ours, or there is a reason.

The reasons are in rules/differences.json. A difference without a reason fails, and so does a reason
without a difference. `make soak` compares more.
"""

import itertools
import os
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from firestore import peer
from rules import calls, compare, errors, mutants, rulesets, table, world
from rules.reasons import PLAIN, REASONS, example, explains, reason
from rules.side import Answer, Side
from rules.tree import Node, minimized, smaller_json

# Twenty requests for each ruleset.
RULESETS = int(os.environ.get("RULES_RULESETS", "120"))
MUTANTS = int(os.environ.get("RULES_MUTANTS", "2000"))
HOSTILE = int(os.environ.get("RULES_HOSTILE", "2000"))
SEED = 1_000_000
AT_ONCE = 100
# The differences without a reason after which a run ends.
SHOWN = 8
# Every status but INTERNAL, UNKNOWN and UNAVAILABLE.
STATUSES = {200, 400, 403, 404, 409, 429}


@pytest.fixture(scope="module")
def ours():
    side = Side(os.environ["FIRESTORE_EMULATOR_HOST"])
    yield side
    side.close()


@pytest.fixture(scope="module")
def google():
    with peer.running() as address:
        side = Side(address)
        yield side
        side.close()


def unexplained(differences, reasons):
    """Returns the first differences that have no reason, and counts the reasons of others."""
    found = []
    for each in differences:
        why = reason(each)
        if why:
            reasons[why["why"]] += 1
            continue
        found.append(each)
        if len(found) == SHOWN:
            break
    return found


def differences(pair, differing):
    """Yields the first difference of each case: the smallest one found, unless it has a reason that
    holds for rules of any size."""
    for each in differing:
        found = compare.as_found(*each)
        yield found if reason(found, PLAIN) else pair.minimal(*each)


def summary(text, reasons):
    """Returns what a run has compared, with the number of differences for each reason."""
    return "\n".join([text, *(f"  {count}: {why}" for why, count in reasons.items())])


def test_random_rulesets(google, ours):
    total = compare.Counts()
    pair = compare.Pair(google, ours)
    found, reasons = [], Counter()
    seeds = iter(range(SEED, SEED + RULESETS))
    while batch := list(itertools.islice(seeds, AT_ONCE)):
        counts, differing = compare.run(google, ours, map(compare.random_case, batch))
        total += counts
        found += unexplained(differences(pair, differing), reasons)
        if len(found) >= SHOWN:
            break
    print(summary(str(total), reasons))
    assert not found, "\n".join(map(str, found))
    # Servers that refuse everything don't differ either.
    assert min(total.allowed, total.denied) > total.requests / 10, total
    assert max(total.invalid / total.rulesets, total.malformed / total.requests) < 1 / 4, total


def compiles(side, text):
    """Returns whether a ruleset compiles, by the answer to a request that ignores errors."""
    answer, issues = side.set_rules(text, ignoring_errors=True)
    assert answer.status in STATUSES, (answer, text)
    return answer.status == 200 and not any(each["severity"] == "ERROR" for each in issues)


def test_mutated_rulesets(google, ours):
    dice = random.Random(SEED)
    texts = [mutants.mutant(dice)[1] for _ in range(MUTANTS)]
    with ThreadPoolExecutor(compare.WORKERS) as theirs, ThreadPoolExecutor(compare.WORKERS) as mine:
        answers = zip(
            theirs.map(lambda text: compiles(google, text), texts),
            mine.map(lambda text: compiles(ours, text), texts),
        )
        answers = list(zip(texts, answers))
    valid = sum(theirs for _, (theirs, _) in answers)
    reasons = Counter()
    differing = (
        smallest(google, ours, text, both) for text, both in answers if both[0] != both[1]
    )
    found = unexplained(differing, reasons)
    print(summary(f"{MUTANTS} mutants, of which {valid} compile", reasons))
    # Both kinds must occur.
    assert MUTANTS / 10 < valid < MUTANTS * 9 / 10
    assert not found, "\n".join(map(str, found))


def smallest(google, ours, text, verdicts):
    """Returns the smallest ruleset found that compiles on the same side only."""

    def differs(text):
        return (compiles(google, text), compiles(ours, text)) == verdicts

    text = minimized(text, mutants.smaller, differs, compare.ATTEMPTS)
    answers = [side.set_rules(text)[0] for side in (google, ours)]
    return compare.Difference(compare.Case("mutant", Node("", text), {}, []), *answers)


def test_the_table_of_expressions_is_googles(google):
    rows = table.rows()
    found = table.verdicts(google, rows)
    wrong = [f"{found[row]}: {row.expression}" for row in rows if found[row] != row.verdict]
    assert not wrong, "\n".join(wrong)


def test_the_table_of_expressions(ours):
    rows = table.rows()
    found = table.verdicts(ours, rows)
    wrong = [
        f"{row.verdict} is {found[row]}: {row.expression}"
        for row in rows
        if found[row] != row.verdict
    ]
    assert not wrong, f"{len(wrong)} of {len(rows)}\n" + "\n".join(wrong)


@pytest.mark.parametrize("entry", REASONS, ids=lambda entry: entry["why"][:40])
def test_every_reason_is_needed(google, ours, entry):
    case = example(entry)
    theirs, mine = compare.Pair(google, ours).answers(case)
    place = compare.first_difference(theirs, mine)
    assert place == len(case.requests), "differs no longer: take it out of differences.json"
    assert explains(entry, compare.Difference(case, theirs[-1], mine[-1])), (theirs[-1], mine[-1])


@pytest.mark.parametrize("entry", REASONS, ids=lambda entry: entry["why"][:40])
def test_a_reason_by_production_or_documents_names_a_source(entry):
    claims = any(word in entry["why"].lower() for word in ("production", "documented"))
    assert not claims or entry.get("source"), entry["why"]


@pytest.mark.parametrize("method", ["ListDocuments", "GetDocument"])
def test_only_a_list_may_be_refused_by_ours_alone(method):
    open_members = "The query's filter leaves open which other members the map has. for 'list' @ L1"
    call = {"method": method, "request": {}}
    case = compare.Case("made", Node("", ""), {}, [call])
    found = reason(compare.Difference(case, Answer(200), Answer(403, open_members)))
    assert bool(found) == (method == "ListDocuments")


def failing_rules(dice):
    """Returns rules whose conditions all fail to evaluate."""
    lines = []
    for methods in (("read",), ("write",), ("get", "list"), ("create", "update", "delete")):
        condition = errors.condition(dice)
        if dice.random() < 0.2:
            lines.append(f"    function f{len(lines)}() {{ let v = {condition}; return v; }}\n")
            condition = f"f{len(lines) - 1}()"
        lines.append(f"    allow {', '.join(methods)}: if {condition};\n")
    start = "rules_version = '2';\nservice cloud.firestore {\n"
    start += "  match /databases/{db}/documents/{document=**} {\n"
    return start + "".join(lines) + "  }\n}\n"


def never_allows(side, seed):
    """Checks that nothing is allowed because a condition fails. Returns the number of requests."""
    dice = random.Random(seed)
    text = failing_rules(dice)
    answer, _ = side.set_rules(text)
    assert answer.status in (200, 400), (answer, text)
    if answer.status == 400:
        return 0
    documents = world.documents(dice)
    side.reset(documents)
    scene = calls.Scene(documents, world.PATHS)
    for call in calls.calls(dice, scene, compare.REQUESTS):
        # Everybody may begin a transaction, and end one without writes.
        is_free = call["method"] == "BeginTransaction" or call["request"].get("writes") == []
        if call["user"] == "owner" or is_free:
            continue
        answer = side.ask(call)
        # A malformed query may be refused before or after the rules.
        assert answer.status in (403, 400), (answer, text, call)
    return compare.REQUESTS


def test_an_error_never_allows_by_google(google):
    """Checks the generator of failing conditions, too."""
    assert sum(never_allows(google, f"errors {seed}") for seed in range(20)) > 200


def survives(side, seed):
    """Sends rules, most of which have random changes, and requests. Returns their number."""
    dice = random.Random(seed)
    if dice.random() < 0.2:
        return never_allows(side, seed) + 1
    text = str(rulesets.ruleset(dice))
    for _ in range(dice.choice((0, 1, 3))):
        text = mutants.changed_tokens(dice, text)
    if dice.random() < 0.3:
        _, text = mutants.mutant(dice)
    # Rules that don't compile leave the former ones, which the requests then meet.
    answer, _ = side.set_rules(text, ignoring_errors=dice.random() < 0.3)
    assert answer.status in (200, 400), (answer, text)
    documents = world.documents(dice)
    scene = calls.Scene(documents, world.PATHS)
    for call in calls.calls(dice, scene, compare.REQUESTS):
        if dice.random() < 0.1:
            changed = list(itertools.islice(smaller_json(call["request"]), 20))
            call = call | {"request": dice.choice(changed or [call["request"]])}
        answer = side.ask(call)
        assert answer.status in STATUSES, (answer, text, call)
    return compare.REQUESTS + 1


def test_mutated_rules_and_requests_are_answered(ours):
    count, seeds = 0, itertools.count()
    with ThreadPoolExecutor(2 * compare.WORKERS) as pool:
        while count < HOSTILE:
            batch = [f"hostile {next(seeds)}" for _ in range(AT_ONCE)]
            count += sum(pool.map(lambda seed: survives(ours, seed), batch))
            status, _ = ours.send("GET", "/")
            assert status == 200
