"""Tests as a signed-in user: with `TEST_USER=alice`, all clients send a token of that user.

The emulator then enforces rules/signed_in.rules, which allow a user everything. The methods that no
user may call keep the owner's token. Without the variable all requests come from the owner, as with
all server SDKs.
"""

import os
import pathlib
import re

import grpc
from firestore.tokens import unsigned

USER = os.environ.get("TEST_USER")
RULES = str(pathlib.Path(__file__).parents[1] / "rules" / "signed_in.rules")
OWNER = "Bearer owner"
PROJECT = os.environ.get("GOOGLE_CLOUD_PROJECT", "demo-test")
# The methods that are refused to users under all rules. Lists with missing documents are, too.
FOR_ADMINISTRATORS = ("ListCollectionIds", "BatchWrite", "PartitionQuery")


def authorization(request, method="", shows_missing=False):
    """Returns the Authorization header of a request.

    The user is of the project of the first database that the request's text names."""
    if not USER or method in FOR_ADMINISTRATORS or shows_missing:
        return OWNER
    named = re.search(r"projects/([^/\s]+)/databases", request)
    project = named[1] if named else PROJECT
    # Only these projects accept unsigned tokens.
    return f"Bearer {unsigned(USER, project)}" if project.startswith("demo-") else OWNER


def rules_options():
    """Returns the emulator's options for a test that starts its own."""
    return ["--rules", RULES] if USER else ["--no-rules"]


def sign_in():
    """Makes all channels of this process send the user's token."""
    if not USER:
        return
    make, make_asynchronous = grpc.insecure_channel, grpc.aio.insecure_channel

    def signed_in(*arguments, **options):
        return grpc.intercept_channel(make(*arguments, **options), SignedIn())

    def signed_in_asynchronous(*arguments, interceptors=None, **options):
        mine = [kind() for kind in ASYNCHRONOUS]
        return make_asynchronous(*arguments, interceptors=[*(interceptors or []), *mine], **options)

    grpc.insecure_channel = signed_in
    grpc.aio.insecure_channel = signed_in_asynchronous


def with_token(call, request):
    """Returns a call's metadata with the user's token in place of the owner's."""
    metadata = [(key, each) for key, each in call.metadata or [] if each != OWNER]
    if not any(key == "authorization" for key, _ in metadata):
        method = call.method.decode() if isinstance(call.method, bytes) else call.method
        shows_missing = getattr(request, "show_missing", False)
        text = f"{request} {call.metadata}"
        header = authorization(text, method.rpartition("/")[2], shows_missing)
        metadata.append(("authorization", header))
    return metadata


class SignedIn(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
):
    def intercept(self, proceed, call, request):
        return proceed(call._replace(metadata=with_token(call, request)), request)

    intercept_unary_unary = intercept_unary_stream = intercept
    intercept_stream_unary = intercept_stream_stream = intercept


async def intercept_asynchronous(self, proceed, call, request):
    metadata = grpc.aio.Metadata(*with_token(call, request))
    return await proceed(call._replace(metadata=metadata), request)


# A channel takes an asynchronous interceptor for one kind of calls only.
ASYNCHRONOUS = [
    type("SignedIn", (kind,), {f"intercept_{name}": intercept_asynchronous})
    for name, kind in {
        "unary_unary": grpc.aio.UnaryUnaryClientInterceptor,
        "unary_stream": grpc.aio.UnaryStreamClientInterceptor,
        "stream_unary": grpc.aio.StreamUnaryClientInterceptor,
        "stream_stream": grpc.aio.StreamStreamClientInterceptor,
    }.items()
]
