"""Rulesets with small random changes: most no longer compile."""

import pathlib
import re

SAMPLES = {
    path.stem: path.read_text()
    for path in sorted((pathlib.Path(__file__).parent / "samples").glob("*.rules"))
}
TOKEN = re.compile(r"\w+|'[^'\n]*'|\"[^\"\n]*\"|&&|\|\||[<>=!]=|\$\(|=\*\*|//.*|\s+|.")
# Tokens besides those of the samples.
ODD = (
    "' \" ` \\ /* */ // # @ ; , : ? . .. ( ) [ ] { } {{ $ $( ** =** = == === ! !! - -- + ++ / % & "
    "| && || < <= > >= ~ ^ 0 1 -1 .5 1. 1.5 1e3 0x1F 1_000 9223372036854775807 9223372036854775808 "
    "true false null if in is let return function match allow service import as list get read path "
    "int string map '' \"x\" b'x' r'x' '\\n' '\\q' '\\u00e9' '\\x41' /a/b /a/$(x) /{x=**} /{x} x "
    "f() f(1) a.b a[0] a[1:2] [] {} {'a':1} {a:1} é 😀 \t \n rules_version 1 '1' '3'"
).split(" ")
LONGEST = 4


def tokens(text):
    return [each for each in TOKEN.findall(text) if each]


POOL = sorted({token for text in SAMPLES.values() for token in tokens(text) if token.strip()})


def mutant(dice):
    """Returns the name of a sample, and the sample with one to three changes."""
    name = dice.choice(list(SAMPLES))
    text = SAMPLES[name]
    for _ in range(dice.choices((1, 2, 3), (7, 2, 1))[0]):
        text = dice.choice((changed_tokens,) * 6 + (changed_characters, changed_lines))(dice, text)
    return name, text


def changed_tokens(dice, text):
    parts = tokens(text)
    places = [place for place, each in enumerate(parts) if each.strip()]
    if not places:
        return text
    place, other = dice.choice(places), dice.choice(places)
    kind = dice.randrange(7)
    if kind == 0:
        del parts[place]
    elif kind == 1:
        parts.insert(place, parts[place] + dice.choice(("", " ")))
    elif kind == 2:
        parts[place], parts[other] = parts[other], parts[place]
    elif kind == 3:
        parts[place] = dice.choice(POOL)
    elif kind == 4:
        parts[place] = dice.choice(ODD)
    elif kind == 5:
        parts.insert(place, dice.choice((*ODD, *POOL)) + dice.choice(("", " ")))
    else:
        # A few neighbouring tokens, which may span statements.
        del parts[place : place + dice.randint(2, LONGEST)]
    return "".join(parts)


def changed_characters(dice, text):
    place = dice.randrange(len(text) + 1)
    kind = dice.randrange(3)
    if kind == 0:
        return text[:place] + text[place + 1 :]
    if kind == 1:
        return text[:place] + dice.choice("'\"{}()[];:,.=/\\$*! \n\0é\u2028a0_") + text[place:]
    return text[:place]


def changed_lines(dice, text):
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    place, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    kind = dice.randrange(3)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines.insert(other, lines[place])
    else:
        lines[place], lines[other] = lines[other], lines[place]
    return "".join(lines)


def smaller(text):
    """Yields the text with fewer lines or tokens."""
    lines = text.splitlines(keepends=True)
    for size in (16, 8, 4, 2, 1):
        for place in range(0, len(lines), size):
            yield "".join(lines[:place] + lines[place + size :])
    if len(text) < 600:
        parts = tokens(text)
        for size in (8, 4, 2, 1):
            for place in range(0, len(parts), size):
                yield "".join(parts[:place] + parts[place + size :])
