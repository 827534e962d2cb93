import Core
import NIOCore
import NIOHPACK
import SwiftProtobuf
import Testing

@testable import GRPC
@testable import echoServer

/// Valid and invalid calls, and the responses to them.
@Suite(.timeLimit(.minutes(10)))
struct RPCCallTests {
  @Test func `a unary call is answered with headers, a message and trailers`() async throws {
    let reply = try #require(
      try await withEchoConnection { try await $0.call("Text", "ciao", stream: 1) }
    )
    #expect(reply.headers.first(name: ":status") == "200")
    #expect(reply.headers.first(name: "content-type") == "application/grpc")
    #expect(reply.headers.first(name: "grpc-accept-encoding") == "identity,gzip")
    #expect(reply.texts == ["ciao"])
    #expect(reply.trailers.first(name: "grpc-status") == "0")
  }

  @Test func `several calls in one packet are all answered`() async throws {
    let texts = try await withEchoConnection { connection in
      let streams = (0..<100).map { UInt32(2 * $0 + 1) }
      var frames: [HTTP2Connection.Frame] = []
      for stream in streams {
        frames.append(try connection.headers("/test.Echo/Text", stream: stream))
        frames.append(connection.data(try HTTP2Connection.framed("\(stream)"), stream: stream))
      }
      try await connection.send(frames)
      var texts: [String] = []
      for stream in streams { texts += try await connection.reply(of: stream)?.texts ?? [] }
      return texts
    }
    #expect(texts == (0..<100).map { "\(2 * $0 + 1)" })
  }

  @Test func `a message may arrive a byte at a time`() async throws {
    let reply = try await withEchoConnection { connection in
      try await connection.send(connection.headers("/test.Echo/Text", stream: 1))
      for byte in try HTTP2Connection.framed("slow") {
        try await connection.send(connection.data([byte], stream: 1, isEnd: false))
      }
      try await connection.send(connection.data([], stream: 1))
      return try await connection.reply(of: 1)
    }
    #expect(reply?.texts == ["slow"])
  }

  @Test func `metadata reaches the method, the first of several values`() async throws {
    let reply = try await withEchoConnection {
      try await $0.call(
        "Metadata",
        "authorization",
        stream: 1,
        [("authorization", "Bearer owner"), ("authorization", "Bearer other")]
      )
    }
    #expect(reply?.texts == ["Bearer owner"])
  }

  @Test(arguments: StatusCode.allCases.filter { $0 != .ok })
  func `an error has its number, its message and its details`(code: StatusCode) async throws {
    let reply = try #require(
      try await withEchoConnection {
        try await $0.call("Fail", "\(code.rawValue) 100% schön\n", stream: 1)
      }
    )
    #expect(reply.status == code.number)
    #expect(reply.message == "100%25 sch%C3%B6n%0A")
    // The response consists of trailers only.
    #expect(reply.trailers.isEmpty && reply.data.readableBytes == 0)
    let encoded = try #require(reply.field("grpc-status-details-bin"))
    let padding = String(repeating: "=", count: (4 - encoded.count % 4) % 4)
    let details = try #require(Data(base64Encoded: encoded + padding))
    #expect(details.suffix(11) == Data("100% schön\n".utf8).suffix(11))
    #expect(details.prefix(3) == Data([8, UInt8(code.number), 0x12]))
  }

  @Test func `a long error message is cut to a length that clients accept`() async throws {
    let reply = try await withEchoConnection {
      try await $0.call("Fail", "ABORTED \(String(repeating: "x", count: 10_000))", stream: 1)
    }
    #expect(reply?.status == 10)
    #expect(reply?.message.count == 2_000)
  }

  /// An invalid call, the expected status, and a part of the expected message.
  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var path = "/test.Echo/Text"
    var headers: [(String, String)] = []
    var data: [UInt8]
    var status: Int
    var message: String
  }

  static let refusals = [
    Refusal(
      testDescription: "an unknown method",
      path: "/test.Echo/Nothing",
      data: HTTP2Connection.framed([]),
      status: 12,
      message: "/test.Echo/Nothing"
    ),
    Refusal(
      testDescription: "a method that isn't built",
      path: "/test.Echo/Refused",
      data: HTTP2Connection.framed([]),
      status: 12,
      message: "not built yet"
    ),
    Refusal(
      testDescription: "malformed protobuf",
      data: HTTP2Connection.framed([0x0A, 0x05, 0x41]),
      status: 3,
      message: "not a valid google.protobuf.StringValue"
    ),
    Refusal(
      testDescription: "a string that isn't UTF-8",
      data: HTTP2Connection.framed([0x0A, 0x02, 0xC3, 0x28]),
      status: 3,
      message: "not a valid google.protobuf.StringValue"
    ),
    Refusal(testDescription: "no message", data: [], status: 3, message: "none came"),
    Refusal(
      testDescription: "two messages",
      data: HTTP2Connection.framed([]) + HTTP2Connection.framed([]),
      status: 3,
      message: "one message"
    ),
    Refusal(
      testDescription: "half a message",
      data: [0, 0, 0, 0, 9, 1],
      status: 3,
      message: "within a message"
    ),
    Refusal(
      testDescription: "half a length",
      data: [0, 0, 0],
      status: 3,
      message: "within a message"
    ),
    Refusal(
      testDescription: "a flag there isn't",
      data: HTTP2Connection.framed([], flag: 7),
      status: 3,
      message: "first byte is 7"
    ),
    Refusal(
      testDescription: "compression that wasn't announced",
      data: HTTP2Connection.framed([], flag: 1),
      status: 3,
      message: "no header grpc-encoding"
    ),
    Refusal(
      testDescription: "a message beyond the limit",
      data: [0, 0x7F, 0xFF, 0xFF, 0xFF],
      status: 8,
      message: "2147483647 bytes, but the limit is 11534336"
    ),
    Refusal(
      testDescription: "an encoding there isn't",
      headers: [("grpc-encoding", "snappy")],
      data: HTTP2Connection.framed([]),
      status: 12,
      message: "snappy"
    ),
    Refusal(
      testDescription: "a time-out that is none",
      headers: [("grpc-timeout", "soon")],
      data: HTTP2Connection.framed([]),
      status: 3,
      message: "grpc-timeout"
    ),
    Refusal(
      testDescription: "what says gzip and isn't",
      headers: [("grpc-encoding", "gzip")],
      data: HTTP2Connection.framed([1, 2, 3], flag: 1),
      status: 3,
      message: "isn't gzip"
    ),
  ]

  @Test(arguments: refusals)
  func `an invalid call is refused by name`(_ refusal: Refusal) async throws {
    let (reply, next) = try await withEchoConnection { connection in
      try await connection.send([
        connection.headers(refusal.path, stream: 1, refusal.headers),
        connection.data(refusal.data, stream: 1),
      ])
      return (try await connection.reply(of: 1), try await connection.call("Text", stream: 3))
    }
    #expect(reply?.status == refusal.status)
    #expect(reply?.message.contains(refusal.message) == true, "\(reply?.message ?? "")")
    // The connection can still be used.
    #expect(next?.texts == ["hello"])
  }

  @Test func `a refused upload is stopped by a reset`() async throws {
    let kinds = try await withEchoConnection { connection in
      try await connection.send([
        connection.headers("/test.Echo/Nothing", stream: 1),
        connection.data([0, 0], stream: 1, isEnd: false),
      ])
      var kinds: [HTTP2Connection.Frame.Kind] = []
      while let frame = try await connection.next() {
        if frame.stream == 1 { kinds.append(frame.kind) }
        if kinds.last == .reset { break }
      }
      return kinds
    }
    #expect(kinds == [.headers, .reset])
  }

  @Test func `HTTP 2 that isn't gRPC is answered as HTTP`() async throws {
    let (reply, next) = try await withEchoConnection { connection in
      try await connection.send(
        connection.headers(
          "/v1/projects",
          stream: 1,
          contentType: "application/json",
          isEnd: true
        )
      )
      return (try await connection.reply(of: 1), try await connection.call("Text", stream: 3))
    }
    #expect(reply?.headers.first(name: ":status") == "415")
    #expect(reply?.headers.first(name: "content-type")?.hasPrefix("text/plain") == true)
    #expect(next?.texts == ["hello"])
  }

  @Test(arguments: [
    ("localhost:8080", 0), ("127.0.0.1", 0), ("[::1]:99", 0), ("EMULATOR.test", 0),
    ("evil.example", 7), ("", 7),
  ])
  func `only hosts of this machine are let in`(authority: String, status: Int) async throws {
    let reply = try await withEcho(allowedHosts: ["emulator.test"]) { port in
      try await HTTP2Connection.with(port: port) { connection in
        try await connection.begin()
        try await connection.send([
          connection.headers("/test.Echo/Text", stream: 1, authority: authority),
          connection.data(HTTP2Connection.framed("x"), stream: 1),
        ])
        return try await connection.reply(of: 1)
      }
    }
    #expect(reply?.status == status)
  }

  @Test(arguments: [
    ("1H", Duration.seconds(3_600)), ("2M", .seconds(120)), ("99999999S", .seconds(99_999_999)),
    ("30m", .milliseconds(30)), ("4u", .microseconds(4)), ("5n", .nanoseconds(5)),
  ])
  func `a timeout is digits and a unit`(text: String, duration: Duration) throws {
    #expect(try RPCTimeout.parse(text) == duration)
  }

  @Test(arguments: ["", "S", "5", "5s", "123456789S", "-1S", " 1S", "1.5S"])
  func `an invalid timeout is refused`(text: String) {
    #expect(throws: StatusError.self) { try RPCTimeout.parse(text) }
  }
}
