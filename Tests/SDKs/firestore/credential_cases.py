"""Every kind of credential that Google's services accept, and those that none of them accepts."""

from firestore.case import PROJECT, Case, get
from firestore.tokens import SERVICE_ACCOUNT, jwt, service_account, unsigned

FIRESTORE = "https://firestore.googleapis.com"
SCOPES = "https://www.googleapis.com/auth"


def taken():
    """Yields accepted credentials by name."""
    for owner in ("owner", "Owner", "OWNER"):
        yield owner, owner
    for access in ("ya29.a0Af-x_1", "ya29.c.a.b", "YA29.x", "ya29."):
        yield f"access token {access}", access
    yield "service account", service_account()
    for audience in (FIRESTORE, f"{FIRESTORE}/google.firestore.v1.Firestore"):
        yield f"service account for {audience}", service_account(aud=audience)
    for scope in (
        f"{SCOPES}/datastore",
        f"{SCOPES}/cloud-platform",
        f"{SCOPES}/pubsub {SCOPES}/datastore",
    ):
        yield f"service account with scope {scope}", service_account(aud=None, scope=scope)
    yield "service account with a fraction of a second", service_account(exp=4_000_000_000.5)
    yield "service account with a far end", service_account(exp=1e19)
    yield "user", unsigned("sarah", PROJECT)


def service_accounts():
    """Yields tokens of service accounts that are for another service, expired, or unsigned."""
    for audience in (
        f"{FIRESTORE}.evil.example/",
        "https://pubsub.googleapis.com/",
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
        PROJECT,
        "",
    ):
        yield f"for {audience or 'nobody'}", service_account(aud=audience)
    for scope in (f"{SCOPES}/pubsub", f"{SCOPES}/datastore.readonly", ""):
        yield f"with scope {scope}", service_account(aud=None, scope=scope)
    yield "for no audience", service_account(aud=None)
    yield "for two audiences", service_account(aud=[FIRESTORE, PROJECT])
    yield "with a number as scope", service_account(aud=None, scope=5)
    yield "expired", service_account(exp=1_600_000_000)
    yield "without an end", service_account(exp=None)
    yield "with an end in words", service_account(exp="tomorrow", aud=PROJECT)
    yield "with an end that is true", service_account(exp=True)
    yield "without a signature", service_account(signature=b"")
    yield "unsigned", service_account(header={"alg": "none"}, signature=b"")
    yield "signed otherwise", service_account(header={"alg": "HS256"})


def others():
    """Yields tokens of other accounts, or of users of another project."""
    yield "service account of another issuer", service_account(iss="someone@example.com")
    yield "service account as another", service_account(sub="sarah")
    yield "service account of another domain", service_account(
        iss="x@evil.example", sub="x@evil.example"
    )
    yield "user of another project", unsigned("sarah", "demo-another")
    yield "signed by Google", jwt(
        {"iss": "https://accounts.google.com", "sub": "1", "email": SERVICE_ACCOUNT, "aud": "x"}
    )


def malformed():
    """Yields texts that are no token, or that name no user."""
    for part in ("garbage", "a.b", "a.b.c", "a.b.c.d.e", "1//04refresh", "...", "owners", "ya29"):
        yield part, part
    yield "service account in two parts", service_account().rpartition(".")[0]
    yield "service account in four parts", service_account() + ".x"
    yield "claims", jwt([1])
    yield "text as header", service_account(header="RS256")


def nameless():
    """Yields tokens that name no user, or a user whose id is too long."""
    yield "of no claims", "e30.e30."
    yield "of nobody", jwt({"aud": PROJECT})
    yield "of a long name", unsigned("s" * 129, PROJECT)


def cases():
    for verdict, tokens in {
        "taken": taken(),
        "refused, a service account's,": service_accounts(),
        "refused, another's,": others(),
        "refused, malformed,": malformed(),
        "refused, nameless,": nameless(),
    }.items():
        for title, token in tokens:
            name = f"credential {verdict} {title}"
            yield Case(name, [get("c/a")], authorization=f"Bearer {token}")
    for scheme in ("bearer", "BEARER"):
        yield Case(f"credential by {scheme}", [get("c/a")], authorization=f"{scheme} owner")
