"""Everyday chat in five languages, 64 messages at once and deliveries made twice: each text is paid
for exactly once per pair of languages. `Tests/Benchmarks/everyday_chat.py` measures more of it."""

from chat.everyday import Everyday
from chat.stage import playing
from chat.workload import Workload

AT_ONCE = 64
COUNT = 500


def test_every_text_is_paid_for_once():
    everyday = Everyday(seed=11, count=COUNT, conversations=40)
    with playing("translateMessage", "sendNotification") as stage:
        workload = Workload(stage, everyday)
        stage.emulator.send("PUT", "/api/chaos", body={"spec": "seed=11,duplicate=0.2"})
        workload.say(everyday.messages, AT_ONCE)
        needed = set().union(*(said.pairs() for said in everyday.messages))
        lookups = sum(len(said.targets) for said in everyday.messages)
        # With so many messages at once, some need the same translation at the same time.
        assert len(needed) < lookups
        assert stage.paid()[0] == len(needed)
        workload.check_languages(everyday.messages)
        workload.check_cache(needed)
        # A much later redelivery writes nothing more.
        before = [each.update_time for each in stage.server.collection_group("messages").stream()]
        for delivery in stage.deliveries(limit=2 * COUNT)[::10]:
            event = stage.emulator.ask(f"/api/events/{delivery['eventId']}")["event"]
            stage.emulator.send("POST", "/events", "functions", event)
        stage.quiet()
        assert stage.paid()[0] == len(needed)
        after = [each.update_time for each in stage.server.collection_group("messages").stream()]
        assert after == before
