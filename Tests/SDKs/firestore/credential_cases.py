"""Who asks: every kind of credential that Google's services take, and those that none of them takes."""

import os

from firestore.case import Case, get
from firestore.tokens import SERVICE_ACCOUNT, jwt, service_account, unsigned

FIRESTORE = "https://firestore.googleapis.com"
SCOPES = "https://www.googleapis.com/auth"
# The emulator's: only its own users may ask.
PROJECT = os.environ.get("GOOGLE_CLOUD_PROJECT", "demo-test")


def tokens():
    for owner in ("owner", "Owner", "OWNER", "owners"):
        yield owner, owner
    for access in ("ya29.a0Af-x_1", "ya29.c.a.b", "YA29.x", "ya29.", "ya29"):
        yield f"access token {access}", access
    yield "service account", service_account()
    for audience in (
        FIRESTORE,
        f"{FIRESTORE}/google.firestore.v1.Firestore",
        f"{FIRESTORE}.evil.example/",
        "https://pubsub.googleapis.com/",
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
        PROJECT,
        "",
    ):
        yield f"service account for {audience or 'nobody'}", service_account(aud=audience)
    for scope in (
        f"{SCOPES}/datastore",
        f"{SCOPES}/cloud-platform",
        f"{SCOPES}/pubsub {SCOPES}/datastore",
        f"{SCOPES}/pubsub",
        f"{SCOPES}/datastore.readonly",
        "",
    ):
        yield f"service account with scope {scope}", service_account(aud=None, scope=scope)
    yield "service account for no audience", service_account(aud=None)
    yield "service account expired", service_account(exp=1_600_000_000)
    yield "service account without an end", service_account(exp=None)
    yield "service account with an end in words", service_account(exp="tomorrow")
    yield "service account with a fraction of a second", service_account(exp=4_000_000_000.5)
    yield "service account with a far end", service_account(exp=1e19)
    yield "service account with an end that is true", service_account(exp=True)
    yield "service account with a number as scope", service_account(aud=None, scope=5)
    yield "service account without a signature", service_account(signature=b"")
    yield "service account unsigned", service_account(header={"alg": "none"}, signature=b"")
    yield "service account signed otherwise", service_account(header={"alg": "HS256"})
    yield "service account for two audiences", service_account(aud=[FIRESTORE, PROJECT])
    yield "service account of another issuer", service_account(iss="someone@example.com")
    yield "service account as another", service_account(sub="sarah")
    yield "service account of another domain", service_account(
        iss="x@evil.example", sub="x@evil.example"
    )
    yield "service account in two parts", service_account().rpartition(".")[0]
    yield "service account in four parts", service_account() + ".x"
    yield "user", unsigned("sarah", PROJECT)
    yield "user of another project", unsigned("sarah", "demo-another")
    yield "user of a long name", unsigned("s" * 129, PROJECT)
    yield "nobody", jwt({"aud": PROJECT})
    yield "signed by Google", jwt(
        {"iss": "https://accounts.google.com", "sub": "1", "email": SERVICE_ACCOUNT, "aud": "x"}
    )
    for part in ("garbage", "a.b", "a.b.c", "a.b.c.d.e", "1//04refresh", "e30.e30.", "...", "é"):
        yield f"malformed {part}", part
    yield "malformed claims", jwt([1])
    yield "malformed header", service_account(header="RS256")


def cases():
    for title, token in tokens():
        # What metadata may hold, and HTTP's headers, is ASCII.
        if token.isascii():
            yield Case(f"credential {title}", [get("c/a")], authorization=f"Bearer {token}")
    for scheme in ("bearer", "BEARER"):
        yield Case(f"credential by {scheme}", [get("c/a")], authorization=f"{scheme} owner")
