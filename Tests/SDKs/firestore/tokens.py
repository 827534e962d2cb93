"""Unsigned tokens: ID tokens that Firebase's emulators accept, and tokens of a service account.
"""

import base64
import json
import time

SERVICE_ACCOUNT = "chat@demo-test.iam.gserviceaccount.com"


def jwt(claims, header=None, signature=b"nobody's"):
    def part(content):
        return base64.urlsafe_b64encode(content).decode().rstrip("=")

    header = {"alg": "RS256", "typ": "JWT", "kid": "1"} if header is None else header
    parts = [json.dumps(header).encode(), json.dumps(claims).encode(), signature]
    return ".".join(map(part, parts))


def unsigned(uid, project, **claims):
    """Returns an ID token of a user of a project, with further claims."""
    now = int(time.time())
    claims = {
        "sub": uid,
        "user_id": uid,
        "aud": project,
        "iss": f"https://securetoken.google.com/{project}",
        "auth_time": now - 60,
        "iat": now - 60,
        "exp": now + 36_000,
        **claims,
    }
    return jwt(claims, header={"alg": "none", "typ": "JWT"}, signature=b"")


def service_account(header=None, signature=b"nobody's", **changes):
    """Returns a token like those that a service account signs for itself, with an invalid
    signature. A change to None leaves a claim out."""
    now = int(time.time())
    claims = {
        "iss": SERVICE_ACCOUNT,
        "sub": SERVICE_ACCOUNT,
        "aud": "https://firestore.googleapis.com/",
        "iat": now - 60,
        "exp": now + 3_600,
        **changes,
    }
    return jwt({key: each for key, each in claims.items() if each is not None}, header, signature)
