import Core
import FunctionHost
import TestKit
import Testing

/// The server's resources, which must not grow with the number of requests.
@Suite(.timeLimit(.minutes(10)))
struct SteadyStateTests {
  /// The test detects a leak of two kilobytes per request.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/statm")))
  func `memory stays constant`() async throws {
    try await withServe { serve in
      /// Sends calls, events and invalid requests.
      func work(_ count: Int) async throws {
        try await withThrowingTaskGroup(of: [Int].self) { group in
          for _ in 0..<4 {
            group.addTask {
              var statuses: Set<Int> = []
              for _ in 0..<count / 12 {
                statuses.insert(try await serve.post(#"{"data":{"text":"a call"}}"#).status)
                statuses.insert(try await serve.deliver(#"{"text":"an event"}"#).status)
                statuses.insert(try await serve.deliver("{").status)
              }
              return statuses.sorted()
            }
          }
          for try await statuses in group { #expect(statuses == [200, 400]) }
        }
      }
      try await work(1_200)
      let before = try await serve.metric("process_resident_memory_bytes")
      try await work(1_200)
      let after = try await serve.metric("process_resident_memory_bytes")
      #expect(after - before < 1_200 * 2_048, "\(before) bytes became \(after)")
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
  func `a replaced worker leaves no open file and no process`() async throws {
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
  /// Returns the value of a metric without labels.
  func metric(_ name: String) async throws -> Int {
    let lines = try await send("GET", "/metrics").text.split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("\(name) ") })
    return try #require(Int(line.dropFirst(name.count + 1)))
  }
}
