"""Changed rules, most of them loosened: each allows more than the rules do, so that some row of the table must fail."""

import re

# Fields that lists of allowed names must not have.
OF_MESSAGES = ("translations", "translationMeta", "senderId", "timestamp", "text", "readAt", "readBy")
OF_CONVERSATIONS = ("lastMessage", "lastMessageAt", "lastMessageId", "type", "createdAt", "joinedAt")


def loosened(rules, report):
    """Yields descriptions and loosened rules. `report` is the coverage of the rules by the table."""
    conditions = set()
    for node in nodes(report):
        if any("boolValue" in each.get("value", {}) for each in node.get("values", [])):
            place = node["sourcePosition"]
            start, end = place["currentOffset"], place["endOffset"] + 1
            if rules.startswith("let ", start):
                start = rules.rindex("return ", start, end) + len("return ")
            conditions.add((start, end_of(rules, start, end)))
    for start, end in sorted(conditions):
        yield described(rules, start, end, "false" if rules[start - 1] == "!" else "true")
    for reads in re.finditer(r"allow get, list", rules):
        yield described(rules, *reads.span(), "allow get, list, write")
    for names in re.finditer(r"hasAny\(\[([^\]]*)\]\)", rules):
        for name in re.finditer(r"'\w+'", names[1]):
            start = names.start(1) + name.start()
            yield described(rules, start, start + len(name[0]), "'other'")
    for names in re.finditer(r"hasOnly\(\s*\[([^\]]*)\]\)", rules):
        fields = ()
        if "'text'" in names[1] or "'readBy'" in names[1]:
            fields = OF_MESSAGES
        elif "'participants'" in names[1]:
            fields = OF_CONVERSATIONS
        for field in fields:
            if f"'{field}'" not in names[1]:
                yield described(rules, names.end(1), names.end(1), f", '{field}'")


def end_of(rules, start, end):
    """Returns the end of the expression. The coverage's end of a call is before the last bracket,
    or after the function's name."""
    steps = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
    depth = sum(steps.get(each, 0) for each in rules[start:end])
    if depth == 0 and rules[end] != "(":
        return end
    while True:
        depth += steps.get(rules[end], 0)
        end += 1
        if depth == 0:
            return end


def nodes(report):
    """Yields all expressions of a coverage report."""
    for node in report:
        yield node
        yield from nodes(node.get("children", []))


def changed_database_rules(rules, value):
    """Yields descriptions and changed rules of a Realtime Database: each expression, and each operand of
    `&&` and `||`, becomes `value`, true or false."""
    for rule in re.finditer(r'"\.(?:read|write|validate)": (?:"([^"]+)"|(true|false))', rules):
        for start, end in sorted({rule.span(1 if rule[1] else 2), *operands(rules, *rule.span(1))}):
            if rules[start:end] != value:
                yield described(rules, start, end, value)


def operands(rules, start, end):
    """Yields the places of the operands of `&&` and `||` in an expression."""
    depth = bracket = 0
    places = [start]
    for at in range(start, end):
        if rules[at] == "(":
            depth += 1
            bracket = at if depth == 1 else bracket
        elif rules[at] == ")":
            depth -= 1
            if depth == 0:
                yield from operands(rules, bracket + 1, at)
        elif depth == 0 and rules[at : at + 2] in ("&&", "||"):
            places += [at, at + 2]
    places.append(end)
    if len(places) > 2:
        for first, last in zip(places[::2], places[1::2]):
            text = rules[first:last]
            yield last - len(text.lstrip()), first + len(text.rstrip())


def described(rules, start, end, text):
    line = rules.count("\n", 0, start) + 1
    was = " ".join(rules[start:end].split())
    return f"line {line}: {was!r} becomes {text!r}", rules[:start] + text + rules[end:]
