import Core
import GRPC
import SwiftProtobuf
import Testing

@testable import echoServer

/// Long calls and streams, and the ways in which they end.
@Suite(.timeLimit(.minutes(10)))
struct StreamTests {
  private static func count(_ number: Int64) throws -> [UInt8] {
    HTTP2Connection.framed(
      try Google_Protobuf_Int64Value.with { $0.value = number }.serializedBytes()
    )
  }

  @Test func `all messages of a stream arrive in order`() async throws {
    let reply = try #require(
      try await withEchoConnection { connection in
        // The response exceeds the client's default windows.
        try await connection.grantWindow(1 << 24, stream: 0)
        try await connection.send([
          connection.headers("/test.Echo/Count", stream: 1),
          connection.data(Self.count(2_000), stream: 1),
        ])
        try await connection.grantWindow(1 << 24, stream: 1)
        return try await connection.reply(of: 1)
      }
    )
    #expect(reply.status == 0)
    let numbers = reply.texts.map { $0.prefix { $0 != " " } }
    #expect(numbers == (0..<2_000).map { "\($0)" })
  }

  @Test func `a handler waits for a client that doesn't read, and others aren't delayed`()
    async throws
  {
    let service = EchoService()
    try await withEchoConnection(service: service) { connection in
      try await connection.grantWindow(1 << 30, stream: 0)
      try await connection.send([
        connection.headers("/test.Echo/Count", stream: 1),
        connection.data(Self.count(1_000_000), stream: 1),
      ])
      for call in 1...200 {
        let reply = try await connection.call("Text", stream: UInt32(2 * call + 1))
        #expect(reply?.texts == ["hello"])
      }
      try await connection.reset(1)
      await service.waitForCancelled()
    }
    // The handler has written at least the client's default window. Beyond it, only a limited
    // number of messages may be buffered.
    #expect((60...1_000).contains(service.written), "\(service.written)")
  }

  @Test func `a chat goes both ways until the client ends it`() async throws {
    let reply = try await withEchoConnection { connection in
      try await connection.send(connection.headers("/test.Echo/Chat", stream: 1))
      for text in ["one", "two"] {
        try await connection.send(
          connection.data(HTTP2Connection.framed(text), stream: 1, isEnd: false)
        )
      }
      try await connection.send(connection.data(HTTP2Connection.framed("three"), stream: 1))
      return try await connection.reply(of: 1)
    }
    #expect(reply?.texts == ["one", "two", "three"])
    #expect(reply?.status == 0)
  }

  @Test func `a malformed message ends a chat with the message's type`() async throws {
    let reply = try await withEchoConnection { connection in
      try await connection.send([
        connection.headers("/test.Echo/Chat", stream: 1),
        connection.data(HTTP2Connection.framed([0xFF]), stream: 1, isEnd: false),
      ])
      return try await connection.reply(of: 1)
    }
    #expect(reply?.status == 3)
    #expect(reply?.message.contains("google.protobuf.StringValue") == true)
  }

  /// The server enlarges the window only by the bytes that the handler has read. It disconnects a
  /// client that exceeds the window.
  @Test func `a handler that doesn't read blocks its client`() async throws {
    var limits = RPCLimits()
    limits.streamWindow = 64 << 10
    let granted = try await withEchoConnection(limits: limits) { connection in
      try await connection.send(connection.headers("/test.Echo/Deaf", stream: 1))
      let text = try HTTP2Connection.framed(String(repeating: "x", count: 8_000))
      for _ in 0..<8 {
        try await connection.send(connection.data(text, stream: 1, isEnd: false))
      }
      // The server would have sent a window update for stream 1 before this response.
      try await connection.send([
        connection.headers("/test.Echo/Text", stream: 3),
        connection.data(HTTP2Connection.framed("x"), stream: 3),
      ])
      var granted = 0
      while let frame = try await connection.next() {
        if frame.kind == .windowUpdate, frame.stream == 1 { granted += 1 }
        if frame.stream == 3, frame.flags & HTTP2Connection.Frame.endStream != 0 { break }
      }
      return granted
    }
    #expect(granted == 0)
  }

  @Test(arguments: ["Wait", "WaitStreaming"])
  func `a deadline ends a call`(method: String) async throws {
    let service = EchoService()
    let reply = try await withEchoConnection(service: service) {
      try await $0.call(method, stream: 1, [("grpc-timeout", "20m")])
    }
    #expect(reply?.status == 4)
    await service.waitForCancelled()
  }

  @Test func `a deadline ends a call without a request message`() async throws {
    let reply = try await withEchoConnection { connection in
      try await connection.send(
        connection.headers("/test.Echo/Text", stream: 1, [("grpc-timeout", "20m")])
      )
      return try await connection.reply(of: 1)
    }
    #expect(reply?.status == 4)
  }

  @Test func `a deadline may be as far in the future as the format allows`() async throws {
    let reply = try await withEchoConnection { connection in
      try await connection.send(
        connection.headers("/test.Echo/Text", stream: 1, [("grpc-timeout", "99999999H")])
      )
      // The response shows that the earlier call's timer has started.
      _ = try await connection.call("Text", stream: 3)
      try await connection.send(connection.data(HTTP2Connection.framed("late"), stream: 1))
      return try await connection.reply(of: 1)
    }
    #expect(reply?.texts == ["late"])
  }

  @Test func `an incomplete request ends without a deadline too`() async throws {
    var limits = RPCLimits()
    limits.requestTime = .milliseconds(20)
    let reply = try await withEchoConnection(limits: limits) { connection in
      try await connection.send([
        connection.headers("/test.Echo/Text", stream: 1),
        connection.data([0, 0, 0], stream: 1, isEnd: false),
      ])
      return try await connection.reply(of: 1)
    }
    #expect(reply?.status == 4)
  }

  @Test(arguments: ["Wait", "WaitStreaming", "Chat", "Deaf"])
  func `a reset cancels the handler`(method: String) async throws {
    let service = EchoService()
    try await withEchoConnection(service: service) { connection in
      try await connection.send([
        connection.headers("/test.Echo/\(method)", stream: 1),
        connection.data(
          HTTP2Connection.framed("x"),
          stream: 1,
          isEnd: method.hasPrefix("Wait")
        ),
      ])
      try await connection.reset(1)
      await service.waitForCancelled()
      #expect(try await connection.call("Text", stream: 3)?.texts == ["hello"])
    }
  }

  @Test(arguments: ["Wait", "WaitStreaming", "Chat", "Deaf"])
  func `a lost connection cancels its handlers`(method: String) async throws {
    let service = EchoService()
    try await withEcho(service: service) { port in
      try await HTTP2Connection.with(port: port) { connection in
        try await connection.begin()
        try await connection.send([
          connection.headers("/test.Echo/\(method)", stream: 1),
          connection.data(
            HTTP2Connection.framed("x"),
            stream: 1,
            isEnd: method.hasPrefix("Wait")
          ),
        ])
        // The response shows that the earlier call has started.
        _ = try await connection.call("Text", stream: 3)
      }
      await service.waitForCancelled()
    }
  }

  @Test func `at the end of the server calls get UNAVAILABLE, after a GOAWAY`() async throws {
    let frames = try await withThrowingTaskGroup(of: [HTTP2Connection.Frame].self) { group in
      let (begun, onBegin) = AsyncStream<Void>.makeStream()
      try await withEcho { port in
        group.addTask {
          try await HTTP2Connection.with(port: port) { connection in
            try await connection.begin()
            try await connection.send(connection.headers("/test.Echo/Chat", stream: 1))
            _ = try await connection.call("Text", stream: 3)
            onBegin.finish()
            return try await connection.readToEnd()
          }
        }
        for await _ in begun {}
      }
      return try await group.next() ?? []
    }
    #expect(frames.contains { $0.kind == .goAway })
    #expect(frames.contains { $0.kind == .headers && $0.stream == 1 })
  }
}
