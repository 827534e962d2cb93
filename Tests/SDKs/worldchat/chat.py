"""The chat that every row of the table begins with.

Sarah and Marco have a conversation of two. Sarah, Marco and Léa are in the group `trip`. Léa
joined later; Jonas was a member and left. Nora has an account, but neither a profile nor a
conversation.
"""

from firestore.values import Instant

BEFORE = Instant("2026-01-01T10:00:00Z")
LATER = Instant("2026-01-02T10:00:00Z")


def profile(name, language, **other):
    return {
        "displayName": name, "email": f"{name.lower()}@example.com", "primaryLanguage": language,
        "createdAt": BEFORE, **other,
    }


def message(sender, text, status, **other):
    return {"senderId": sender, "text": text, "status": status, "readBy": [], "timestamp": LATER, **other}


DOCUMENTS = {
    "users/sarah": profile("Sarah", "en", fcmToken="old-token", fcmTokens=["older-token"]),
    "users/marco": profile("Marco", "it"),
    # Written by an older app.
    "users/anna": {"language": "fr"},
    "conversations/old": {"participants": ["anna", "sarah"], "name": "Old", "lastMessage": "Hi"},
    "users/sarah/devices/phone": {"fcmToken": "sarah-phone", "platform": "ios", "updatedAt": BEFORE},
    "users/sarah/inbox/pair": {"unread": 1, "lastMessageId": "ciao"},
    "conversations/pair": {
        "type": "one-on-one", "participants": ["sarah", "marco"], "createdAt": BEFORE,
        "participantLanguages": {"sarah": "en", "marco": "it"}, "lastMessage": "Ciao!", "lastMessageAt": LATER,
        "lastMessageId": "ciao",
    },
    "conversations/pair/messages/hello": message("sarah", "Hello", "sent", translations={"it": "Ciao"}),
    "conversations/pair/messages/ciao": message("marco", "Ciao!", "delivered", readBy=["marco"]),
    "conversations/pair/messages/seen": message("sarah", "Seen?", "read", readBy=["marco"]),
    "conversations/pair/messages/queued": message("sarah", "Later", "sending"),
    "conversations/pair/messages/guessed": message(
        "sarah", "Hej", "sent", language="sv", languageSource="detected"
    ),
    "conversations/trip": {
        "type": "group", "name": "Trip", "participants": ["sarah", "marco", "lea"], "createdAt": BEFORE,
        "participantLanguages": {"sarah": "en", "marco": "it", "lea": "fr", "jonas": "de"},
        "languageOverrides": {"lea": "en"}, "joinedAt": {"lea": LATER, "jonas": BEFORE},
        "settings": {"muted": ["lea"], "ai": True}, "lastMessage": "Rome!", "lastMessageAt": LATER,
    },
    "conversations/trip/messages/rome": message("sarah", "Rome!", "sent", readBy=["lea"]),
    "conversations/trip/messages/milan": message("jonas", "Milan?", "sent"),
    "conversations/map": {
        "type": "group", "participants": ["sarah", "marco"], "createdAt": BEFORE,
        "settings": {"muted": {"sarah": True}},
    },
    "translations/0a1b": {"sourceText": "Hello", "translatedText": "Ciao", "usageCount": 1},
    "aiAnalysis/hello": {"messageId": "hello", "conversationId": "pair", "explanation": "…", "timestamp": LATER},
    "aiChats/sarah/queries/q1": {"userQuery": "Where?", "aiResponse": "Rome", "conversationId": "trip"},
    "smartReplies/pair_sarah": {"uid": "sarah", "suggestions": []},
    "leases/l1": {"holder": "x"},
    "limits/sarah": {"count": 1},
    "config/functions": {"paused": []},
    "functionEvents/e1": {"at": LATER},
    "deviceTokens/d1": {"uid": "sarah"},
    "translationFailures/f1": {"count": 1},
}
