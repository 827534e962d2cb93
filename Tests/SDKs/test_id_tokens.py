"""Firebase's own library and ours accept the same ID tokens.

The tokens are in id_tokens.json; ours reads them in Tests/GoogleAuthTests/IDTokens. `python
test_id_tokens.py` makes new ones, with PyJWT and keys that aren't stored.
"""

import base64
import datetime
import hashlib
import hmac
import json
from pathlib import Path
from types import SimpleNamespace

import firebase_admin
from firebase_admin import auth, credentials
from google.auth.credentials import AnonymousCredentials
import pytest

FILE = Path(__file__).parent / "id_tokens.json"
CONTENT = json.loads(FILE.read_text()) if FILE.exists() else {"tokens": []}
PROJECT = "worldchat-1"
NOW = 1_900_000_000


class Nobody(credentials.Base):
    """Anonymous credentials: the library requires some, but verifying needs none."""

    def get_credential(self):
        return AnonymousCredentials()


@pytest.fixture(scope="module")
def verify():
    """Returns a function that verifies a token with Firebase's library, at the file's time and with
    its keys."""
    patch = pytest.MonkeyPatch()
    patch.delenv("FIREBASE_AUTH_EMULATOR_HOST", raising=False)
    now = datetime.datetime.fromtimestamp(CONTENT["now"], datetime.timezone.utc).replace(tzinfo=None)
    patch.setattr("google.auth._helpers.utcnow", lambda: now)
    app = firebase_admin.initialize_app(Nobody(), {"projectId": CONTENT["project"]}, name="id-tokens")
    answer = SimpleNamespace(status=200, data=json.dumps(CONTENT["certificates"]).encode())
    asked = []

    def request(url, method="GET", **_):
        asked.append(url)
        return answer

    verifier = auth._get_client(app)._token_verifier
    verifier.request = request

    def verify(token):
        try:
            return auth.verify_id_token(token, app, clock_skew_seconds=60)["uid"]
        except (ValueError, auth.InvalidIdTokenError):
            return None

    yield verify
    url = "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
    assert set(asked) == {url}
    firebase_admin.delete_app(app)
    patch.undo()


@pytest.mark.parametrize("case", CONTENT["tokens"], ids=lambda case: case["name"])
def test_same_verdict(verify, case):
    uid = verify(case["token"])
    # The file marks the tokens for which ours is stricter.
    assert (uid is not None) == (case["accepted"] or case.get("onlyOursRefuses", False))
    assert uid in (None, "sarah")


def make():
    import jwt
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    def certificate(key):
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "securetoken")])
        start = datetime.datetime.fromtimestamp(NOW - 86_400, datetime.timezone.utc)
        built = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name)
            .public_key(key.public_key()).serial_number(1)
            .not_valid_before(start).not_valid_after(start + datetime.timedelta(days=14))
            .sign(key, hashes.SHA256())
        )
        return built.public_bytes(serialization.Encoding.PEM).decode()

    first, second, stranger = (rsa.generate_private_key(65537, 2048) for _ in range(3))
    certificates = {"first": certificate(first), "second": certificate(second)}
    claims = {
        "iss": f"https://securetoken.google.com/{PROJECT}", "aud": PROJECT, "sub": "sarah",
        "user_id": "sarah", "auth_time": NOW - 60, "iat": NOW - 10, "exp": NOW + 3_590,
        "name": "Zoë 😀", "firebase": {"identities": {}, "sign_in_provider": "password"},
    }
    tokens = []

    def add(name, accepted, token, **more):
        tokens.append({"name": name, "accepted": accepted, "token": token, **more})

    def signed(changes=(), key=first, kid="first", algorithm="RS256", **headers):
        said = {name: value for name, value in {**claims, **dict(changes)}.items() if value is not None}
        return jwt.encode(said, key, algorithm, headers={**({"kid": kid} if kid else {}), **headers})

    def part(content):
        return base64.urlsafe_b64encode(content).rstrip(b"=").decode()

    good = signed()
    header, payload, signature = good.split(".")
    add("good", True, good)
    add("of the other key", True, signed(key=second, kid="second"))
    add("a stranger's", False, signed(key=stranger))
    add("of the other key's name", False, signed(kid="second"))
    add("of a key nobody has", False, signed(kid="third"))
    add("of a path", False, signed(kid="../../etc/passwd"))
    add("of no key", False, signed(kid=None))
    for algorithm in ("RS384", "RS512", "PS256"):
        add(algorithm, False, signed(algorithm=algorithm))
    add("ES256", False, signed(key=ec.generate_private_key(ec.SECP256R1()), algorithm="ES256"))
    add("unsigned", False, signed(key=None, algorithm="none"))
    for of, secret in {"the certificate": certificates["first"], "a secret": "secret"}.items():
        confused = part(b'{"alg":"HS256","kid":"first","typ":"JWT"}') + "." + payload
        mac = hmac.new(secret.encode(), confused.encode(), hashlib.sha256).digest()
        add(f"HS256 with {of}", False, confused + "." + part(mac))
    add("without its signature", False, f"{header}.{payload}.")
    add("another user's", False, f"{header}.{part(json.dumps({**claims, 'sub': 'marco'}).encode())}.{signature}")
    for name, changes in {
        "another project's": {"aud": "worldchat-2"},
        "another issuer's": {"iss": "https://securetoken.google.com/worldchat-2"},
        "a session cookie": {"iss": f"https://session.firebase.google.com/{PROJECT}"},
        "a custom token": {"aud": "https://identitytoolkit.googleapis.com/"},
        "expired": {"exp": NOW - 100},
        "not yet valid": {"iat": NOW + 100},
        "nobody's": {"sub": None},
        "of an empty user": {"sub": ""},
        "of a long user": {"sub": "u" * 129},
        "without iat": {"iat": None},
        "without exp": {"exp": None},
    }.items():
        add(name, False, signed(changes))
    add("with an hour before", True, signed({"auth_time": 0, "iat": NOW - 3_600}))
    add("without auth_time", False, signed({"auth_time": None}), onlyOursRefuses=True)
    add("not signed in yet", False, signed({"auth_time": NOW + 100}), onlyOursRefuses=True)
    add("of another type", False, signed(typ="at+jwt"), onlyOursRefuses=True)
    add("in two parts", False, f"{header}.{payload}")
    add("in four parts", False, good + "." + signature)
    content = {"project": PROJECT, "now": NOW, "certificates": certificates, "tokens": tokens}
    FILE.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    make()
