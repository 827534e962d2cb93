"""The actions of people while fixtures are recorded. Run it from the project's folder by

    emulator exec -- emulator record Tests/Recordings -- python3 Tests/Recordings/scenario.py

which overwrites nothing: every run gives its files new names. Tests/Recordings/failures.py derives
the failures of providers from these fixtures.
"""

import json
import os
import urllib.error
import urllib.parse
import urllib.request

PROJECT = os.environ["GOOGLE_CLOUD_PROJECT"]
DOCUMENTS = (
    f"http://{os.environ['FIRESTORE_EMULATOR_HOST']}/v1/projects/{PROJECT}"
    "/databases/(default)/documents"
)
ACCOUNTS = (
    f"http://{os.environ['FIREBASE_AUTH_EMULATOR_HOST']}/identitytoolkit.googleapis.com"
    f"/v1/projects/{PROJECT}/accounts"
)
DATABASE = f"http://{os.environ['FIREBASE_DATABASE_EMULATOR_HOST']}"
STORAGE = os.environ["STORAGE_EMULATOR_HOST"]
BUCKET = f"{PROJECT}.appspot.com"
FUNCTIONS = f"http://{os.environ['FUNCTIONS_EMULATOR_HOST']}"
UI = f"http://{os.environ['EMULATOR_UI_HOST']}/api"
# Security rules don't hold for the owner.
OWNER = {"Authorization": "Bearer owner", "Content-Type": "application/json"}


def send(method, url, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=method, headers=headers or {})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)


def value(plain):
    if isinstance(plain, bool):
        return {"booleanValue": plain}
    if isinstance(plain, int):
        return {"integerValue": str(plain)}
    if isinstance(plain, list):
        return {"arrayValue": {"values": [value(element) for element in plain]}}
    if isinstance(plain, dict):
        return {"mapValue": {"fields": fields(plain)}}
    if plain.endswith("Z") and plain.startswith("2026-"):
        return {"timestampValue": plain}
    return {"stringValue": plain}


def fields(plain):
    return {name: value(inner) for name, inner in plain.items()}


def put(path, **plain):
    mask = "&".join(f"updateMask.fieldPaths={name}" for name in plain)
    send("PATCH", f"{DOCUMENTS}/{path}?{mask}", {"fields": fields(plain)}, OWNER)


def remove(path):
    send("DELETE", f"{DOCUMENTS}/{path}", headers=OWNER)


def create_account(uid):
    account = {"localId": uid, "email": f"{uid}@mail.example.org"}
    send("POST", ACCOUNTS, account, OWNER)


def status(uid, state, **more):
    """Writes a user's node in the Realtime Database, as the user's phone does."""
    node = {"state": state, "last_changed": {".sv": "timestamp"}, **more}
    send("PUT", f"{DATABASE}/status/{uid}.json?ns={PROJECT}-default-rtdb", node, OWNER)
    quiet()


def upload(name, uploader):
    """Uploads an object, and sets the custom metadata that WorldChat's rules require."""
    query = urllib.parse.urlencode({"uploadType": "media", "name": name})
    send("POST", f"{STORAGE}/upload/storage/v1/b/{BUCKET}/o?{query}", {}, {"Content-Type": "image/png"})
    path = urllib.parse.quote(name, safe="")
    send("PATCH", f"{STORAGE}/storage/v1/b/{BUCKET}/o/{path}", {"metadata": {"uploader": uploader}})


def quiet():
    send("GET", f"{UI}/quiet")


def say(conversation, message, sender, language, text, second, **more):
    put(
        f"conversations/{conversation}/messages/{message}",
        senderId=sender,
        text=text,
        language=language,
        status="sent",
        timestamp=f"2026-03-01T18:00:{second:02}Z",
        **more,
    )
    quiet()


def token(uid):
    import base64

    def part(content):
        return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")

    claims = {
        "sub": uid,
        "user_id": uid,
        "aud": PROJECT,
        "email": f"{uid}@mail.example.org",
        "phone_number": "+39 347 5551234",
    }
    return f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims)}."


def call(function, uid=None, /, **data):
    headers = {"Content-Type": "application/json"}
    if uid:
        headers["Authorization"] = f"Bearer {token(uid)}"
    url = f"{FUNCTIONS}/{PROJECT}/us-central1/{function}"
    answer = send("POST", url, {"data": data}, headers)
    print(function, uid, json.dumps(answer, ensure_ascii=False)[:120])


for uid, name, language in [
    ("sarah", "Sarah Miller", "en"),
    ("marco", "Marco", "it"),
    ("lea", "Léa Dupont", "fr"),
    ("jonas", "Jonas", "de"),
]:
    put(f"users/{uid}", displayName=name, primaryLanguage=language, email=f"{uid}@mail.example.org")
    create_account(uid)
    put(f"users/{uid}/devices/{uid}-phone", fcmToken=f"{uid}-phone-token", platform="ios")
put("users/rosa", displayName="Rosa", primaryLanguage="es", aiOptOut=True)
put("users/rosa/devices/tablet", fcmToken="rosa-tablet", platform="android")
put("conversations/duo", type="one-on-one", participants=["sarah", "marco"])
put("conversations/trip", type="group", name="Roma 2026", participants=["sarah", "marco", "lea", "jonas"])
put("conversations/shy", type="one-on-one", participants=["sarah", "rosa"])
put("conversations/off", type="one-on-one", participants=["marco", "lea"], settings={"ai": False, "translation": False})
put("conversations/alone", type="group", name="Notes", participants=["sarah"])

# Messages that each trigger three functions.
say("duo", "hello", "sarah", "en", "Hey Marco, dinner at Da Gino tomorrow at 8? 🍕", 1)
say("duo", "idiom", "sarah", "en", "Break a leg at your interview tomorrow!", 2)
say("duo", "again", "sarah", "en", "Break a leg at your interview tomorrow!", 3)
say("duo", "answer", "marco", "it", "Grazie mille, ci vediamo domani 😊", 4)
say("trip", "train", "jonas", "de", "Der Zug nach Rom fährt um 9:15 von Gleis 4 ab.", 5)
say("trip", "rain", "lea", "fr", "Il pleut des cordes à Lyon, et chez vous ?", 6)
say("duo", "picture", "marco", "it", "", 7, media={"type": "image"})
say("off", "secret", "marco", "it", "Non dirlo a nessuno.", 8)
say("shy", "optout", "rosa", "es", "¡Feliz cumpleaños, Sarah!", 9)
say("alone", "note", "sarah", "en", "Buy milk.", 10)
put("conversations/duo/messages/hello", text="Hey Marco, lunch at Da Gino tomorrow at 1? 🍝")
quiet()
put("conversations/duo/messages/hello", status="read")
quiet()

call("translateMessage", text="See you tomorrow!", sourceLang="en", targetLang="it")
call("translateMessage", text="See you tomorrow!", sourceLang="en", targetLang="it")
call("translateMessage", "marco", messageId="train", conversationId="trip", targetLang="es")
call("translateMessage", "lea", messageIds=["hello", "train"], conversationId="trip", targetLang="es")
call("translateMessage", "lea", messageId="idiom", conversationId="duo", targetLang="fr")
call("translateMessage", messageId="idiom", conversationId="duo", targetLang="fr")
call("translateMessage", text="See you!", sourceLang="en", targetLang="not a language")
call("translateMessage", text="", sourceLang="en", targetLang="it")

call("analyzeMessage", "marco", messageId="idiom", conversationId="duo")
call("analyzeMessage", "marco", messageId="idiom", conversationId="duo", targetLang="fr")
call("analyzeMessage", "jonas", messageId="rain", conversationId="trip")
call("analyzeMessage", "lea", messageId="idiom", conversationId="duo")
call("analyzeMessage", "marco", messageId="gone", conversationId="duo")
call("analyzeMessage", "marco", messageId="secret", conversationId="off")
call("analyzeMessage", messageId="idiom", conversationId="duo")
call("analyzeMessage", "marco", conversationId="duo")

call("smartReplies", "marco", conversationId="duo")
call("smartReplies", "lea", conversationId="trip")
call("smartReplies", "lea", conversationId="duo")
call("smartReplies", "sarah", conversationId="alone")
call("smartReplies", conversationId="duo")
call("smartReplies", "lea", conversationId="off")
call("smartReplies", "marco")

call("askAI", "marco", conversationId="duo", query="A che ora è il pranzo?")
call("askAI", "lea", conversationId="trip", query="Quand part le train de Jonas ?")
call("askAI", "lea", conversationId="duo", query="Qu'est-ce qu'ils disent ?")
call("askAI", conversationId="duo", query="What?")
call("askAI", "marco", conversationId="duo", query="")
call("askAI", "marco", conversationId="off", query="Che cosa?")
call("askAI", "rosa", conversationId="shy", query="¿Qué pasa?")

call("trackOpen", "marco", messageId="idiom", conversationId="duo")
call("trackOpen", "marco", messageId="idiom", conversationId="duo")
call("trackOpen", "sarah", messageId="idiom", conversationId="duo")
call("trackOpen", "lea", messageId="idiom", conversationId="duo")
call("trackOpen", "marco", messageId="gone", conversationId="duo")
call("trackOpen", messageId="idiom", conversationId="duo")
call("trackOpen", "marco", messageId="idiom")

status("marco", "online")
status("marco", "online", open="duo")
status("marco", "offline")
# A user without a profile.
status("nobody", "online")
status("nobody", "offline")

call("mirrorMembership", "marco", conversationId="duo")
call("mirrorMembership", "lea", conversationId="duo")
call("mirrorMembership", conversationId="duo")
call("mirrorMembership", "marco")

remove("conversations/duo/messages/again")
quiet()
put("conversations/trip", participants=["sarah", "marco", "lea"])
quiet()
remove("conversations/shy")
quiet()
upload("avatars/lea/face.png", "lea")
upload("conversations/trip/media/beach.png", "lea")
upload("conversations/trip/media/hotel.png", "marco")
call("forgetUser", "marco", uid="lea")
call("forgetUser", uid="lea")
# The triggers are paused, because sendNotification would run for the first deletions while later
# deletions are made, and forgetUser for the profile's. The event finds neither data nor account.
send("PUT", f"{UI}/triggers", {"paused": True})
call("forgetUser", "lea", uid="lea")
send("PUT", f"{UI}/triggers", {"paused": False})
quiet()
