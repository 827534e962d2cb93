import Core
import NIOCore
import NIOHPACK
import SwiftProtobuf
import Testing

@testable import GRPC
@testable import echoServer

/// Compression with gzip, for messages of all sizes.
@Suite(.timeLimit(.minutes(10)))
struct CompressionTests {
  private static let gzip = [("grpc-encoding", "gzip"), ("grpc-accept-encoding", "identity, gzip")]

  @Test func `a client that sends gzip gets gzip`() async throws {
    let text = String(repeating: "ciao ", count: 1_000)
    let payload =
      try Google_Protobuf_StringValue.with { $0.value = text }
      .serializedBytes() as [UInt8]
    let deflated = try Gzip.deflate(ByteBuffer(bytes: payload))
    let reply = try #require(
      try await withEchoConnection { connection in
        try await connection.send([
          connection.headers("/test.Echo/Text", stream: 1, Self.gzip),
          connection.data(
            HTTP2Connection.framed(Array(deflated.readableBytesView), flag: 1),
            stream: 1
          ),
        ])
        return try await connection.reply(of: 1)
      }
    )
    #expect(reply.headers.first(name: "grpc-encoding") == "gzip")
    #expect(reply.data.getInteger(at: 0, as: UInt8.self) == 1)
    let inflated = try Gzip.inflate(try #require(reply.messages.first), limit: 10_000)
    #expect(Array(inflated.readableBytesView) == payload)
  }

  @Test func `a client that only accepts gzip gets plain messages`() async throws {
    let reply = try await withEchoConnection {
      try await $0.call("Text", stream: 1, [("grpc-accept-encoding", "identity,deflate,gzip")])
    }
    #expect(reply?.headers.first(name: "grpc-encoding") == nil)
    #expect(reply?.texts == ["hello"])
  }

  @Test func `a gzip bomb is refused`() async throws {
    let zeros = ByteBuffer(repeating: 0, count: 64 << 20)
    let bomb = try Gzip.deflate(zeros)
    let reply = try await withEchoConnection { connection in
      // The response shows that the server's settings are in effect. They include a larger window.
      _ = try await connection.call("Text", stream: 1)
      try await connection.send(connection.headers("/test.Echo/Bytes", stream: 3, Self.gzip))
      let framed = HTTP2Connection.framed(Array(bomb.readableBytesView), flag: 1)
      for start in stride(from: 0, to: framed.count, by: 16_384) {
        let end = min(start + 16_384, framed.count)
        try await connection.send(
          connection.data(Array(framed[start..<end]), stream: 3, isEnd: end == framed.count)
        )
      }
      return try await connection.reply(of: 3)
    }
    #expect(reply?.status == 8)
    #expect(reply?.message.contains("11534336") == true)
  }

  @Test(arguments: [0, 1, 65_536, 1_000_000])
  func `deflated bytes are inflated again`(count: Int) throws {
    let bytes = ByteBuffer(bytes: (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) })
    #expect(try Gzip.inflate(Gzip.deflate(bytes), limit: count) == bytes)
  }

  @Test func `gzip that is truncated or too long is refused`() throws {
    let whole = try Gzip.deflate(ByteBuffer(string: "hello, hello, hello"))
    var cut = whole
    cut.moveWriterIndex(to: whole.writerIndex - 4)
    var long = whole
    long.writeInteger(UInt8(0))
    for bytes in [cut, long, ByteBuffer()] {
      #expect(throws: StatusError.self) { try Gzip.inflate(bytes, limit: 100) }
    }
  }
}
