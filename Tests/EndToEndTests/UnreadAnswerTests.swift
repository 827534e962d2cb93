import Foundation
import FunctionHost
import TestKit
import Testing

/// Clients that request large responses and don't read them.
@Suite(.timeLimit(.minutes(10)))
struct UnreadAnswerTests {
  private static let documents = 64
  private static let clients = 24

  /// The requests for all documents, and the service that gets each.
  private static let requests: [(service: String, request: String)] = [
    ("ui", "GET /api/export HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ("firestore", query(#"{"structuredQuery":{"from":[{"collectionId":"large"}]}}"#)),
    (
      "firestore",
      "GET /v1/projects/PROJECT/databases/(default)/documents/large?pageSize=300"
        + " HTTP/1.1\r\nHost: localhost\r\n\r\n"
    ),
  ]

  private static func query(_ body: String) -> String {
    "POST /v1/projects/PROJECT/databases/(default)/documents:runQuery HTTP/1.1\r\n"
      + "Host: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  /// The test runs only on Linux, which reports a process's peak memory.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")),
    arguments: requests.indices
  )
  func `unread responses aren't built in memory, and other ports answer`(index: Int) async throws {
    try await withEmulator { emulator in
      // All documents together have 6 MiB. If responses were built in memory, each client would
      // need several times as much.
      let text = String(repeating: "x", count: 100 << 10)
      let writes = (0..<Self.documents).map {
        let name = emulator.name("large/\($0)")
        return #"{"update":{"name":"\#(name)","fields":{"text":{"stringValue":"\#(text)"}}}}"#
      }
      let answer = try await emulator.request(
        "POST",
        "firestore",
        emulator.documents(":commit"),
        json: #"{"writes":[\#(writes.joined(separator: ","))]}"#
      )
      #expect(answer.status == 200)
      let before = try residentPeak(of: emulator)
      let (service, request) = Self.requests[index]
      let port = try #require(emulator.ports[service])
      var connections: [RawConnection] = []
      for _ in 0..<Self.clients {
        let connection = try RawConnection(port: port)
        connection.send(request.replacing("PROJECT", with: emulator.project))
        connections.append(connection)
      }
      for connection in connections {
        let head = String(decoding: try connection.read(upTo: "xxx"), as: UTF8.self)
        #expect(head.hasPrefix("HTTP/1.1 200 "))
      }
      let other = service == "ui" ? "firestore" : "ui"
      #expect(try await emulator.request("GET", other, "/").status == 200)
      #expect(try await emulator.request("GET", service, "/api/status").status < 500)
      let growth = try residentPeak(of: emulator) - before
      #expect(growth < 128 << 10, "\(growth) KiB")
    }
  }

  /// Returns the emulator's peak memory in KiB.
  private func residentPeak(of emulator: EmulatorProcess) throws -> Int {
    let path = "/proc/\(emulator.process.processIdentifier)/status"
    let line = try String(contentsOfFile: path, encoding: .utf8)
      .split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return try #require(line?.split(separator: " ").dropLast().last.flatMap { Int($0) })
  }
}
