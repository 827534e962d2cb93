"""The number of invocations for a message. Receipts start no translation, and the total is a
formula, here and in the cloud.

A trigger in the emulator knows which fields changed. A trigger in the cloud knows only that the
document changed. There, a receipt or an update of a conversation's last message invokes every
function that listens to updates. Most of these invocations return at once.

Census functions, which take every change of a message or of a conversation, count these changes.
"""

import urllib.request

from chat.stage import message, messages, playing
from google.cloud import firestore

READERS = {"luz": "es", "marco": "it"}
# Each message is read by both readers, which makes fifty receipts.
MESSAGES = 25
KINDS = ("created", "updated", "deleted")
CONVERSATIONS = "conversations/{conversationId}"
# The documents that each census function counts.
CENSUSES = {"messages": f"{CONVERSATIONS}/messages/{{messageId}}", "conversations": CONVERSATIONS}


def census(name, document):
    triggers = ",".join(
        '{"eventType":"google.cloud.firestore.document.v1.%s","document":"%s"}' % (kind, document)
        for kind in KINDS
    )
    return f"""#!/bin/sh
if [ "$1" = --describe ]; then
  echo '{{"contract":1,"name":"{name}","triggers":[{triggers}]}}'
  exit
fi
cat > /dev/null
echo '{{"contract":1,"function":"{name}","status":"ok","exitCode":0,"result":{{}}}}'
"""


def listeners(stage, kind, field=None, document=CENSUSES["messages"]):
    """Returns the number of functions that listen to a kind of change. If `field` is set, triggers
    for updates of other fields don't count."""
    found = set()
    for function in stage.emulator.ask("/api/functions"):
        for trigger in function["triggers"]:
            if function["name"] in CENSUSES or trigger.get("document") != document:
                continue
            if trigger["eventType"].endswith(f".{kind}"):
                if field is None or field in trigger.get("fields", [field]):
                    found.add(function["name"])
    return len(found)


def changes(stage, of="messages"):
    """Returns the number of changes, by kind."""
    kinds = [each["eventType"].rsplit(".", 1)[1] for each in stage.deliveries(function=of)]
    return {kind: kinds.count(kind) for kind in KINDS}


def invocations(stage, function=None):
    """Returns the number of attempts of functions in the metrics."""
    with urllib.request.urlopen(f"{stage.emulator.services['ui']}/metrics") as page:
        lines = page.read().decode().splitlines()
    return sum(
        int(float(line.rsplit(" ", 1)[1]))
        for line in lines
        if line.startswith("function_attempts_total{")
        and not any(f'function="{name}"' in line for name in CENSUSES)
        and (function is None or f'function="{function}"' in line)
    )


def test_receipts_start_no_translation():
    scripts = {name: census(name, document) for name, document in CENSUSES.items()}
    with playing(scripts=scripts) as stage:
        people = ["sarah", *READERS]
        sarah = stage.join("sarah", "en")
        devices = {uid: stage.join(uid, code, f"{uid}-phone") for uid, code in READERS.items()}
        stage.meet("trip", *people, name="Roma 2026")
        stage.quiet()
        # Each profile and each device may register a token, each new profile's user may be online, and
        # the members are copied.
        registrations = invocations(stage)
        assert invocations(stage, "sendNotification") == len(people) + len(READERS)
        assert invocations(stage, "mirrorPresence") == len(people)
        assert registrations == 2 * len(people) + len(READERS) + 1

        batch = sarah.batch()
        ids = [f"m{number}" for number in range(MESSAGES)]
        for number, id in enumerate(ids):
            batch.set(messages(sarah).document(id), message("sarah", f"See you at {number}:00!", "en"))
        batch.commit()
        stage.quiet()
        # The translations into all languages are one write, and no other function writes to a
        # message.
        own_writes = 1
        assert changes(stage) == {"created": MESSAGES, "updated": own_writes * MESSAGES, "deleted": 0}
        of_creation = listeners(stage, "created")
        assert invocations(stage) == registrations + of_creation * MESSAGES
        translations = invocations(stage, "translateMessage")
        assert translations == MESSAGES

        for uid, device in devices.items():
            batch = device.batch()
            for id in ids:
                receipt = {"readBy": firestore.ArrayUnion([uid])}
                batch.update(messages(device).document(id), receipt)
            batch.commit()
            stage.quiet()
        assert invocations(stage, "translateMessage") == translations
        receipts = len(READERS)
        updates = own_writes + receipts
        assert changes(stage) == {"created": MESSAGES, "updated": updates * MESSAGES, "deleted": 0}

        of_receipts = listeners(stage, "updated", "readBy")
        here = of_creation + receipts * of_receipts
        assert invocations(stage) == registrations + here * MESSAGES
        of_updates = listeners(stage, "updated")
        # If several messages arrive at once, not each becomes the conversation's last message.
        shown = changes(stage, of="conversations")["updated"]
        assert 0 < shown <= MESSAGES
        of_last = listeners(stage, "updated", document=CONVERSATIONS)
        assert of_last == 1 and listeners(stage, "updated", "lastMessageId", CONVERSATIONS) == 0
        cloud = of_creation + of_updates * updates + of_last
        print(
            f"per message with {receipts} readers: {here} invocations in the emulator, {cloud} in the cloud: "
            f"{of_creation} + {of_updates} x ({own_writes} + {receipts}) + {of_last}"
        )
