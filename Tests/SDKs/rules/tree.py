"""Rules as trees of text, so that a failing ruleset can be made smaller."""


class Node:
    """A part of a ruleset: pieces of text, with smaller parts between them.

    `kind` is "expression", "statement" for what can be left out, or "" for what can't.
    """

    __slots__ = ("kind", "pieces")

    def __init__(self, kind, *pieces):
        self.kind = kind
        self.pieces = pieces

    def __str__(self):
        return "".join(map(str, self.pieces))

    def replacing(self, place, *pieces):
        """Returns the node with other pieces in one place."""
        return Node(self.kind, *self.pieces[:place], *pieces, *self.pieces[place + 1 :])


CONSTANTS = tuple(Node("expression", text) for text in ("true", "false", "null", "1", "'a'"))


def smaller(node):
    """Yields trees with a part less, or with a simpler expression. The largest changes come
    first."""
    places = [place for place, each in enumerate(node.pieces) if isinstance(each, Node)]
    for place in places:
        if node.pieces[place].kind == "statement":
            yield node.replacing(place)
    if node.kind == "expression":
        size = len(str(node))
        simpler = [node.pieces[place] for place in places]
        for each in (*CONSTANTS, *simpler):
            if each.kind == "expression" and len(str(each)) < size:
                yield each
    for place in places:
        for each in smaller(node.pieces[place]):
            yield node.replacing(place, each)


# Members without which a request has another meaning.
KEPT = set(
    """collectionId database document from name op parent aggregations structuredAggregationQuery
    structuredQuery""".split()
)


def smaller_json(part):
    """Yields JSON values with an element or a member less, at any depth."""
    if isinstance(part, list):
        for place, each in enumerate(part):
            if not isinstance(each, dict) or "collectionId" not in each:
                yield part[:place] + part[place + 1 :]
            for less in smaller_json(each):
                yield [*part[:place], less, *part[place + 1 :]]
    elif isinstance(part, dict):
        for key, each in part.items():
            if key not in KEPT:
                yield {name: other for name, other in part.items() if name != key}
            for less in smaller_json(each):
                yield part | {key: less}


def minimized(start, variants, is_kept, budget):
    """Returns the smallest variant of `start` that is kept, after at most `budget` attempts."""
    attempts = 0
    while True:
        for each in variants(start):
            attempts += 1
            if attempts > budget:
                return start
            if is_kept(each):
                start = each
                break
        else:
            return start
