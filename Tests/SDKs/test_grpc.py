"""Google's own gRPC client against the echo server: everything that it expects of a server."""

import subprocess
import threading
from pathlib import Path

import grpc
import pytest
from google.protobuf.wrappers_pb2 import BytesValue, Int64Value, StringValue
from google.rpc import status_pb2

ECHO_SERVER = Path(__file__).parents[2] / ".build/debug/echoServer"
MEBIBYTE = 1 << 20
OPTIONS = [("grpc.max_receive_message_length", 64 * MEBIBYTE)]


@pytest.fixture(scope="session")
def port():
    with subprocess.Popen(
        [ECHO_SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        yield int(server.stdout.readline())
        server.stdin.close()
        assert server.wait(timeout=60) == 0


@pytest.fixture
def channel(port):
    with grpc.insecure_channel(f"localhost:{port}", options=OPTIONS) as channel:
        yield channel


def unary(channel, method, message=StringValue):
    return channel.unary_unary(
        f"/test.Echo/{method}", message.SerializeToString, message.FromString
    )


def cancelled(channel):
    """Returns the number of cancelled handlers so far."""
    call = channel.unary_unary(
        "/test.Echo/Cancelled", StringValue.SerializeToString, Int64Value.FromString
    )
    return call(StringValue()).value


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "dns:///localhost"])
def test_every_name_of_this_machine(port, host):
    with grpc.insecure_channel(f"{host}:{port}") as channel:
        assert unary(channel, "Text")(StringValue(value="ciao"), timeout=60).value == "ciao"


def test_metadata(channel):
    call = unary(channel, "Metadata")
    metadata = [("authorization", "Bearer owner"), ("x-blob-bin", b"\x00\xff")]
    assert call(StringValue(value="authorization"), metadata=metadata).value == "Bearer owner"
    assert call(StringValue(value="x-blob-bin"), metadata=metadata).value.rstrip("=") == "AP8"
    assert call(StringValue(value="x-absent"), metadata=metadata).value == "-"


def test_an_error_with_its_details(channel):
    with pytest.raises(grpc.RpcError) as failure:
        unary(channel, "Fail")(StringValue(value="ABORTED zu spät, 100 %"))
    assert failure.value.code() == grpc.StatusCode.ABORTED
    assert failure.value.details() == "zu spät, 100 %"
    details = dict(failure.value.trailing_metadata())["grpc-status-details-bin"]
    status = status_pb2.Status.FromString(details)
    assert (status.code, status.message) == (10, "zu spät, 100 %")


@pytest.mark.parametrize("method", ["Nothing", "Refused"])
def test_an_unknown_method(channel, method):
    with pytest.raises(grpc.RpcError) as failure:
        unary(channel, method)(StringValue())
    assert failure.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_malformed_messages(channel):
    call = channel.unary_unary("/test.Echo/Text", lambda bytes: bytes, StringValue.FromString)
    for message in [b"\x0a\x05a", b"\x0a\x02\xc3\x28", b"\xff"]:
        with pytest.raises(grpc.RpcError) as failure:
            call(message)
        assert failure.value.code() == grpc.StatusCode.INVALID_ARGUMENT
        assert "google.protobuf.StringValue" in failure.value.details()


@pytest.mark.parametrize("size", [0, 1, 16 * 1024, MEBIBYTE, 10 * MEBIBYTE + 1000])
@pytest.mark.parametrize("compression", [None, grpc.Compression.Gzip])
def test_messages_of_all_sizes(channel, size, compression):
    message = BytesValue(value=bytes(range(256)) * (size // 256 + 1))
    answer = unary(channel, "Bytes", BytesValue)(message, compression=compression, timeout=60)
    assert answer == message


def test_a_message_beyond_the_limit(channel):
    with pytest.raises(grpc.RpcError) as failure:
        unary(channel, "Bytes", BytesValue)(BytesValue(value=bytes(12 * MEBIBYTE)), timeout=60)
    assert failure.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert unary(channel, "Text")(StringValue(value="still here")).value == "still here"


def test_deflate_is_not_supported(channel):
    with pytest.raises(grpc.RpcError) as failure:
        unary(channel, "Text")(StringValue(value="x"), compression=grpc.Compression.Deflate)
    assert failure.value.code() == grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("method", ["Wait", "WaitStreaming"])
def test_a_deadline(channel, method):
    before = cancelled(channel)
    path, arguments = f"/test.Echo/{method}", (StringValue.SerializeToString, StringValue.FromString)
    # On a busy machine the deadline may pass before the server gets the call. Then the test makes
    # another call.
    while cancelled(channel) == before:
        with pytest.raises(grpc.RpcError) as failure:
            if method == "Wait":
                channel.unary_unary(path, *arguments)(StringValue(), timeout=0.1)
            else:
                for _ in channel.unary_stream(path, *arguments)(StringValue(), timeout=0.1):
                    pass
        assert failure.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED


def test_cancellation_reaches_the_handler(channel):
    before = cancelled(channel)
    call = channel.unary_stream(
        "/test.Echo/WaitStreaming", StringValue.SerializeToString, StringValue.FromString
    )(StringValue(value="begun"))
    assert next(call).value == "begun"
    call.cancel()
    while cancelled(channel) == before:
        pass


@pytest.mark.parametrize("compression", [None, grpc.Compression.Gzip])
def test_a_stream_of_20_megabytes(channel, compression):
    call = channel.unary_stream(
        "/test.Echo/Count", Int64Value.SerializeToString, StringValue.FromString
    )
    count = 0
    for message in call(Int64Value(value=20_000), compression=compression, timeout=60):
        assert message.value.startswith(f"{count} xx")
        count += 1
    assert count == 20_000


def test_a_stream_that_is_left_early(channel):
    before = cancelled(channel)
    call = channel.unary_stream(
        "/test.Echo/Count", Int64Value.SerializeToString, StringValue.FromString
    )(Int64Value(value=10_000_000))
    for _ in range(1_000):
        next(call)
    call.cancel()
    while cancelled(channel) == before:
        pass


def test_a_chat(channel):
    turn = threading.Semaphore(0)

    def messages():
        for number in range(100):
            yield StringValue(value=str(number))
            turn.acquire()

    call = channel.stream_stream(
        "/test.Echo/Chat", StringValue.SerializeToString, StringValue.FromString
    )
    received = []
    for message in call(messages(), timeout=60):
        received.append(message.value)
        turn.release()
    assert received == [str(number) for number in range(100)]


def test_a_thousand_calls_at_once(channel):
    call = unary(channel, "Text")
    futures = [call.future(StringValue(value=str(number))) for number in range(1_000)]
    assert [future.result().value for future in futures] == [str(n) for n in range(1_000)]
