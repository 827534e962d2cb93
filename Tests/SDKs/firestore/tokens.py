"""Unsigned ID tokens, as Firebase's emulators take them."""

import base64
import json
import time


def unsigned(uid, project):
    def part(content):
        return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")

    now = int(time.time())
    claims = {
        "sub": uid,
        "user_id": uid,
        "aud": project,
        "iss": f"https://securetoken.google.com/{project}",
        "auth_time": now - 60,
        "iat": now - 60,
        "exp": now + 36_000,
    }
    return f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims)}."
