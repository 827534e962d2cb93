import Core
import GRPC
import HTTPServer
import NIOCore
import Services
import Testing

@testable import echoServer

/// Broken and malicious clients. The server must neither block nor crash, and must serve other
/// clients.
@Suite(.timeLimit(.minutes(10)))
struct HostileConnectionTests {
  private typealias Frame = HTTP2Connection.Frame

  /// Checks that the server answers a normal client.
  private func expectService(on port: Int) async throws {
    let reply = try await HTTP2Connection.with(port: port) { connection in
      try await connection.begin()
      return try await connection.call("Text", stream: 1)
    }
    #expect(reply?.texts == ["hello"])
  }

  @Test func `400 silent connections disturb neither other clients nor the end`() async throws {
    try await withEcho { port in
      try await withThrowingTaskGroup(of: Void.self) { group in
        let (opened, onOpen) = AsyncStream<Void>.makeStream()
        for _ in 0..<400 {
          group.addTask {
            try await HTTP2Connection.with(port: port) { connection in
              onOpen.yield()
              _ = try await connection.readToEnd()
            }
          }
        }
        var count = 0
        for await _ in opened {
          count += 1
          if count == 400 { break }
        }
        try await expectService(on: port)
        group.cancelAll()
      }
    }
  }

  @Test(arguments: ["P", "PRI * HTTP", "PRI * HTTP/2.0\r\n\r\nSM", HTTP2Connection.preface])
  func `a client that stops within the first bytes is disconnected`(beginning: String) async throws
  {
    var limits = RPCLimits()
    limits.handshakeTime = .milliseconds(30)
    var timeouts = HTTPListener.Timeouts()
    timeouts.protocolChoice = .milliseconds(30)
    try await withEcho(limits: limits, timeouts: timeouts) { port in
      try await HTTP2Connection.with(port: port) { connection in
        try await connection.send(beginning)
        _ = try await connection.readToEnd()
      }
      try await expectService(on: port)
    }
  }

  @Test func `an incomplete HTTP 1 request ends its connection`() async throws {
    var timeouts = HTTPListener.Timeouts()
    timeouts.http1 = .milliseconds(30)
    try await withEcho(timeouts: timeouts) { port in
      for half in ["GET / HT", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx"] {
        try await HTTP2Connection.with(port: port) { connection in
          try await connection.send(half)
          _ = try await connection.readToEnd()
        }
      }
      try await expectService(on: port)
    }
  }

  @Test func `a client may send a byte at a time`() async throws {
    let reply = try await withEcho { port in
      try await HTTP2Connection.with(port: port) { connection in
        var bytes = Array(HTTP2Connection.preface.utf8)
        bytes += HTTP2Connection.bytes(of: Frame(kind: .settings))
        let headers = try connection.headers("/test.Echo/Text", stream: 1)
        bytes += HTTP2Connection.bytes(of: headers)
        bytes += HTTP2Connection.bytes(
          of: connection.data(try HTTP2Connection.framed("slow"), stream: 1)
        )
        for byte in bytes { try await connection.send(ByteBuffer(bytes: [byte])) }
        return try await connection.reply(of: 1)
      }
    }
    #expect(reply?.texts == ["slow"])
  }

  @Test func `an incomplete frame doesn't delay the end`() async throws {
    try await withEcho { port in
      try await HTTP2Connection.with(port: port) { connection in
        try await connection.begin()
        _ = try await connection.call("Text", stream: 1)
        try await connection.send(ByteBuffer(bytes: [0, 0, 9, 1, 4, 0]))
        try await expectService(on: port)
      }
    }
  }

  /// Invalid bytes that a client sends after valid ones.
  private static let nonsense: [(String, [UInt8])] = [
    ("no preface after all", Array("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n".utf8)),
    ("a frame of 16 MiB", [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1]),
    ("data on no stream", [0, 0, 1, 0, 0, 0, 0, 0, 0, 9]),
    ("headers on a server's stream", [0, 0, 1, 1, 5, 0, 0, 0, 2, 0x82]),
    ("headers that aren't HPACK", [0, 0, 2, 1, 5, 0, 0, 0, 1, 0xFF, 0xFF]),
    ("settings of a wrong length", [0, 0, 5, 4, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5]),
    ("a window of nothing", [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ("a continuation of nothing", [0, 0, 1, 9, 4, 0, 0, 0, 1, 0x82]),
    ("a pushed stream", [0, 0, 5, 5, 4, 0, 0, 0, 1, 0, 0, 0, 2, 0x82]),
  ]

  @Test(arguments: nonsense.indices)
  func `invalid bytes end their own connection only`(index: Int) async throws {
    try await withEcho { port in
      try await HTTP2Connection.with(port: port) { connection in
        if index > 0 { try await connection.begin() }
        try await connection.send(ByteBuffer(bytes: Self.nonsense[index].1))
        _ = try await connection.readToEnd()
      }
      try await expectService(on: port)
    }
  }

  /// A kind of frame that a client sends in large numbers.
  enum Flood: CaseIterable {
    case pings, settings, resets, emptyData, headers, continuations, priorities, windowUpdates
  }

  @Test(arguments: Flood.allCases)
  func `a flood of frames doesn't keep other clients from being served`(flood: Flood) async throws {
    try await withEcho { port in
      try await HTTP2Connection.with(port: port) { connection in
        try await connection.begin()
        if flood == .emptyData {
          try await connection.send(connection.headers("/test.Echo/Text", stream: 1))
        }
        do {
          for round in 0..<100 {
            var frames: [Frame] = []
            for number in 0..<300 {
              let stream = UInt32(2 * (300 * round + number) + 1)
              frames += try Self.frames(flood, stream: stream, &connection)
            }
            try await connection.send(frames)
          }
        } catch is ChannelError {
          // Sending fails because the server has closed the connection, as it may.
        } catch is IOError {}
        try await expectService(on: port)
      }
    }
  }

  private static func frames(
    _ flood: Flood,
    stream: UInt32,
    _ connection: inout HTTP2Connection
  ) throws -> [Frame] {
    let nothing = ByteBuffer(integer: UInt64(0))
    return switch flood {
    case .pings: [Frame(kind: .ping, payload: nothing)]
    case .settings: [Frame(kind: .settings)]
    case .resets:
      [
        try connection.headers("/test.Echo/Chat", stream: stream),
        Frame(kind: .reset, stream: stream, payload: ByteBuffer(integer: UInt32(8))),
      ]
    case .emptyData: [Frame(kind: .data, stream: 1)]
    case .headers: [try connection.headers("/test.Echo/Deaf", stream: stream)]
    case .continuations:
      [
        stream == 1
          ? Frame(kind: .headers, stream: 1, payload: ByteBuffer(integer: UInt8(0x82)))
          : Frame(kind: .continuation, stream: 1, payload: ByteBuffer(integer: UInt8(0x82)))
      ]
    case .priorities:
      [Frame(kind: .priority, stream: stream, payload: ByteBuffer(bytes: [0, 0, 0, 0, 1]))]
    case .windowUpdates:
      [Frame(kind: .windowUpdate, payload: ByteBuffer(integer: UInt32(1)))]
    }
  }

  @Test func `endless uploads are refused before they fill the memory`() async throws {
    var limits = RPCLimits()
    limits.heldRequestBytes = 1 << 20
    let statuses = try await withEchoConnection(limits: limits) { connection in
      let streams = (0..<40).map { UInt32(2 * $0 + 1) }
      let part = [UInt8](repeating: 0, count: 16_000)
      for stream in streams {
        try await connection.send([
          connection.headers("/test.Echo/Bytes", stream: stream),
          connection.data([0, 0, 0x80, 0, 0] + part, stream: stream, isEnd: false),
          connection.data(part, stream: stream, isEnd: false),
        ])
      }
      return try await connection.reply(of: streams[39])?.status
    }
    #expect(statuses == 8)
  }

  /// The server stops reading, so the client's writes block.
  @Test func `a client that sends requests and never reads affects only itself`() async throws {
    try await withEcho { port in
      let client = Task {
        try await HTTP2Connection.with(port: port) { connection in
          try await connection.begin([(id: 4, value: 0x7FFF_FFFF)])
          try await connection.grantWindow(0x7FFF_0000 - 65_535, stream: 0)
          let message = HTTP2Connection.framed([UInt8](repeating: 0, count: 16_000))
          for call in 0..<100_000 {
            let stream = UInt32(2 * call + 1)
            try await connection.send([
              connection.headers("/test.Echo/Refused", stream: stream, isEnd: false),
              connection.data(message, stream: stream),
            ])
          }
        }
      }
      for _ in 0..<50 { try await expectService(on: port) }
      client.cancel()
      _ = await client.result
    }
  }
}
