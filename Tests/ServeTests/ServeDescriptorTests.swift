import Core
import TestKit
import Testing

/// A server without a free file descriptor, and a server whose log nobody reads.
@Suite(.timeLimit(.minutes(10)))
struct ServeDescriptorTests {
  private func isExhaustion(_ line: JSONValue) -> Bool {
    line["message"]?.string?.contains("no connection can be accepted") == true
  }

  @Test func `a server out of descriptors accepts connections later, and logs that once`()
    async throws
  {
    try await withServe(fileLimit: 60) { serve in
      var idle: [RawConnection] = []
      for _ in 0..<100 { idle.append(try RawConnection(port: serve.port)) }
      let lines = try await serve.log.wait { isExhaustion($0) }
      #expect(lines.first?["severity"]?.string == "ERROR")
      #expect(lines.first?["limit"]?.string == "60")
      // Like many of the others, this connection waits in the listen queue.
      let waiting = try RawConnection(port: serve.port)
      waiting.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      idle = []
      let answer = String(decoding: try waiting.readToEnd(), as: UTF8.self)
      #expect(answer.hasSuffix("ok\n"))
      #expect(try await serve.post(#"{"data":{}}"#).status == 200)
      #expect(serve.log.all.count { isExhaustion($0) } == 1)
    }
  }

  @Test func `a server continues while its log isn't read`() async throws {
    try await withServe(readsLog: false) { serve in
      // Each request writes a log line. All lines together exceed a pipe's buffer.
      for _ in 0..<600 {
        let refused = try await serve.post("[]")
        #expect(refused.status == 400)
      }
      let healthy = try await serve.send("GET", "/healthz")
      #expect(healthy.status == 200)
    }
  }
}
