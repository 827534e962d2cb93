"""Ten thousand messages of everyday chat in five languages, through translateMessage and
sendNotification: the number of paid translations, and their price with the cache and without.

However many messages are handled at once, a provider must answer exactly once for each text and
pair of languages that the cache lacked, and every message must be translated into the language of
each of its readers. Otherwise the exit code is 1.

The 300 most common phrases are sent once before, to readers of all languages, like in a chat that
has been running for a while. Figures for an empty cache are printed next to the others.

Run it under `emulator exec`, which puts our programs on the PATH.
"""

import argparse
import json
import pathlib
import sys
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Tests/SDKs"))

from chat.everyday import SHARES, Everyday  # noqa: E402
from chat.stage import playing  # noqa: E402
from chat.workload import LENGTHS, Workload  # noqa: E402

GOAL = 0.99


def expect(holds, what):
    if not holds:
        sys.exit(f"FAILED: {what}")


def run(everyday, at_once, functions):
    """Runs all messages through a new emulator, and returns the figures."""
    with playing(*functions) as stage:
        workload = Workload(stage, everyday)
        workload.say(everyday.warm_up, 64)
        known = set().union(*(said.pairs() for said in everyday.warm_up))
        expect(stage.paid()[0] == len(known), f"{stage.paid()[0]} calls for {len(known)} phrases")
        billed = workload.billed(everyday.warm_up)
        calls_before, characters_before = stage.paid()
        workload.cost_micros = 0

        began = time.monotonic()
        workload.say(everyday.messages, at_once)
        seconds = time.monotonic() - began
        calls, characters = (
            now - before for now, before in zip(stage.paid(), (calls_before, characters_before))
        )
        needed = set().union(*(said.pairs() for said in everyday.messages))
        missing = needed - known
        expect(
            calls == len(missing),
            f"{at_once} at once: {calls} calls of the provider for {len(missing)} missing pairs",
        )
        workload.check_languages(everyday.warm_up + everyday.messages)
        workload.check_cache(known | needed)
        total = workload.line(everyday.messages)
        expect(total.paid == calls, f"functions report {total.paid} calls, the provider {calls}")
        phrases = workload.line(said for said in everyday.messages if said.kind == "phrase")
        expect(phrases.hit_rate >= GOAL, f"{phrases.hit_rate:.2%} hits on common phrases")

        billed |= workload.billed(everyday.messages)
        micros = workload.cost_micros / characters
        per_thousand = 1e-6 * micros / len(everyday.messages) * 1e3
        figures = {
            "atOnce": at_once,
            "messages": total.messages,
            "messagesPerSecond": round(total.messages / seconds, 1),
            "lookups": total.lookups,
            "missingPairs": len(missing),
            "providerCalls": calls,
            "hitRate": round(total.hit_rate, 4),
            "hitRateFromEmpty": round(1 - len(needed) / total.lookups, 4),
            "hitRateByKind": {
                kind: round(workload.line(s for s in everyday.messages if s.kind == kind).hit_rate, 4)
                for kind in SHARES
            },
            "byWords": {
                f"{first}-{last}" if last < 1e6 else f"{first}+": vars(line) | {"hitRate": round(line.hit_rate, 4)}
                for first, last in LENGTHS
                for line in [
                    workload.line(s for s in everyday.messages if first <= s.words <= last)
                ]
            },
            "dollarsPerThousandMessages": {
                "withoutCache": round(
                    per_thousand
                    * sum(billed[text] for s in everyday.messages for text, _, _ in s.pairs()),
                    4,
                ),
                "fromEmptyCache": round(per_thousand * sum(billed[text] for text, _, _ in needed), 4),
                "warmCache": round(per_thousand * characters, 4),
            },
        }
        return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--at-once", type=int, nargs="+", default=[1, 8, 64], help="numbers of messages at once")
    arguments = parser.parse_args()
    everyday = Everyday(arguments.seed, arguments.messages)
    for at_once in arguments.at_once:
        figures = run(everyday, at_once, ("translateMessage", "sendNotification"))
        print(
            f"{figures['messages']:,} messages, {at_once} at once, {figures['messagesPerSecond']:,.0f}/s: "
            f"{figures['providerCalls']:,} calls for {figures['missingPairs']:,} translations missing in the cache, "
            f"{figures['lookups']:,} needed"
        )
        for words, line in figures["byWords"].items():
            print(
                f"  {words:>5} words  {line['messages']:6,} messages  {line['lookups']:6,} translations"
                f"  {line['hitRate']:7.2%} from the cache"
            )
        money = figures["dollarsPerThousandMessages"]
        print(
            f"  common phrases {figures['hitRateByKind']['phrase']:.2%}, all {figures['hitRate']:.2%} "
            f"({figures['hitRateFromEmpty']:.2%} from an empty cache)"
        )
        print(
            f"  dollars per 1,000 messages: {money['withoutCache']:.3f} without a cache, "
            f"{money['fromEmptyCache']:.3f} from an empty one, {money['warmCache']:.3f} from the warm one"
        )
        print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main()
