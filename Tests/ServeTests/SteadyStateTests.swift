import JSONCoding
import Platform
import Processes
import TestKit
import Testing

/// What a server has after much work is what it had after little.
@Suite(.timeLimit(.minutes(10)))
struct SteadyStateTests {
  /// A body that is kept anywhere would be seen: all of them are four times the server's memory.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/statm")))
  func `memory stays flat`() async throws {
    let data = #"{"data":{"text":"\#(String(repeating: "x", count: 128 << 10))"}}"#
    try await withServe { serve in
      func post(_ count: Int) async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<4 {
            group.addTask {
              var answered = 0
              for _ in 0..<count / 4 {
                answered += try await serve.post(data).status == 200 ? 1 : 0
              }
              return answered
            }
          }
          let answered = try await group.reduce(0, +)
          #expect(answered == count)
        }
      }
      try await post(100)
      let before = try await serve.metric("process_resident_memory_bytes")
      try await post(500)
      let after = try await serve.metric("process_resident_memory_bytes")
      #expect(after < before * 3 / 2, "\(before) bytes became \(after)")
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
  func `a worker that is replaced leaves no file open and no process behind`() async throws {
    try await withServe { serve in
      func openFiles() throws -> Int {
        let folder = "/proc/\(serve.process.processIdentifier)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).count
      }
      #expect(try await serve.deliver("{}").status == 200)
      let before = try openFiles()
      for _ in 0..<20 { #expect(try await serve.deliver(#"{"crash":true}"#).status == 500) }
      #expect(try await serve.deliver("{}").status == 200)
      #expect(try openFiles() <= before)
      #expect(try await serve.metric("workers") == 1)
      #expect(try await serve.metric("worker_restarts_total") == 20)
    }
  }
}

extension ServeProcess {
  /// A figure of `/metrics` that has no labels.
  func metric(_ name: String) async throws -> Int {
    let lines = try await send("GET", "/metrics").text.split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("\(name) ") })
    return try #require(Int(line.dropFirst(name.count + 1)))
  }
}
