import Core
import Delivery
import FunctionHost
import FunctionRuntime
import TestKit
import Testing

/// The lines that a function writes to stderr, and the attempts to which they are assigned.
@Suite(.timeLimit(.minutes(10)))
struct StderrCollectorTests {
  private func settings(_ mode: Mode) -> FunctionPool.Settings {
    .init(isolation: mode == .worker ? .worker : .process)
  }

  /// Returns the script for a mode.
  ///
  /// - Parameter event: the shell commands for an event.
  private func body(_ mode: Mode, _ event: String) -> String {
    mode == .oneShot
      ? "read -r line; \(event)" : "\(mode.ready)\nwhile read -r line; do \(event); done"
  }

  @Test(arguments: Mode.allCases)
  func `a line belongs to its invocation and attempt`(mode: Mode) async throws {
    let body = body(mode, "echo one >&2; echo two >&2; echo '\(contentLine)'")
    try await withPool(probe(mode.members, body), settings(mode)) { test in
      for attempt in 1...3 {
        #expect(await test.invoke("i1", attempt: attempt).status == .ok)
        #expect(await test.invoke("i2", attempt: attempt).status == .ok)
        // The lines must be available when the invocation ends.
        #expect(
          test.logs.entries(invocationID: "i1").map(\.attempt)
            == (1...attempt).flatMap { [$0, $0] }
        )
      }
      for id in ["i1", "i2"] {
        let entries = test.logs.entries(invocationID: id)
        #expect(entries.map(\.message) == ["one", "two", "one", "two", "one", "two"])
        #expect(entries.allSatisfy { $0.eventId == "event-\(id)" && $0.function == "probe" })
        #expect(test.logs.entries(eventID: "event-\(id)").count == 6)
      }
    }
  }

  @Test func `a long line is also there as soon as the invocation has ended`() async throws {
    let event = "printf '%3000s\\n' x >&2; echo '\(contentLine)'"
    try await withPool(probe(Mode.worker.members, body(.worker, event))) { test in
      for number in 1...20 {
        #expect(await test.invoke("i\(number)").status == .ok)
        let entries = test.logs.entries(invocationID: "i\(number)")
        #expect(entries.map(\.message.count) == [3_000])
      }
    }
  }

  @Test(arguments: Mode.allCases)
  func `the last output of a function that crashes is kept`(mode: Mode) async throws {
    let body = body(mode, "printf 'no line feed' >&2; kill -9 $$")
    try await withPool(probe(mode.members, body), settings(mode)) { test in
      #expect(await test.invoke("i1", attempt: 4).status == .error)
      let entry = try #require(test.logs.entries(invocationID: "i1").first)
      #expect(entry.message == "no line feed")
      #expect(entry.attempt == 4)
    }
  }

  @Test func `a worker's output after its answer belongs to the answered event`() async throws {
    let event = "echo '\(contentLine)'; echo late >&2; echo >>\"$FOLDER/said\""
    try await withPool(probe(Mode.worker.members, body(.worker, event))) { test in
      for number in 1...3 {
        #expect(await test.invoke("i\(number)").status == .ok)
        try await test.waitForLines(number, of: "said")
      }
      // When the pool is closed, all output of its processes has been read.
      await test.pool.close()
      #expect(test.logs.entries().map(\.invocationId) == ["i1", "i2", "i3"])
    }
  }

  @Test func `a line that names its event belongs to that event's invocation`() async throws {
    let event = #"""
      case "$line" in *'"id":"i2"'*)
        echo '{"eventId":"event-i1","message":"of the first"}' >&2
        echo '{"eventId":"elsewhere","message":"of none"}' >&2
      esac
      echo '{"message":"of this one","severity":"ERROR"}' >&2
      echo '\#(contentLine)'
      """#
    try await withPool(probe(Mode.worker.members, body(.worker, event))) { test in
      #expect(await test.invoke("i1").status == .ok)
      #expect(await test.invoke("i2").status == .ok)
      let messages = { (id: String) in test.logs.entries(invocationID: id).map(\.message) }
      #expect(messages("i1") == ["of this one", "of the first"])
      #expect(messages("i2") == ["of this one"])
      let stray = try #require(test.logs.entries(eventID: "elsewhere").first)
      #expect(stray.message == "of none")
      #expect(stray.invocationId == nil)
    }
  }

  @Test(arguments: Mode.allCases)
  func `stderr beyond the limit is dropped and counted, and blocks nothing`(mode: Mode) async throws
  {
    let flood = "head -c 3000000 /dev/zero | tr '\\0' x | fold -w 999 >&2; echo >&2"
    let body = body(mode, "\(flood); echo '\(contentLine)'")
    try await withPool(probe(mode.members, body), settings(mode)) { test in
      for id in ["i1", "i2"] {
        #expect(await test.invoke(id).status == .ok)
        let entries = test.logs.entries(invocationID: id)
        let last = try #require(entries.last)
        #expect(last.severity == "WARNING")
        let kept = entries.dropLast().reduce(0) { $0 + $1.message.utf8.count + 1 }
        #expect(kept <= 1 << 20)
        #expect(kept > (1 << 20) - 1_001)
        // The flood is 3,003 full lines and one line of 3 bytes, with a line feed each.
        let all = 3_000_000 + 3_003 + 1
        #expect(
          last.message == "\(all - kept) bytes of stderr were dropped: the limit is 1048576"
        )
      }
    }
  }

  @Test(arguments: Mode.allCases)
  func `a line over the limit is reported, and the next one is kept`(mode: Mode) async throws {
    let flood = "head -c 1000000 /dev/zero | tr '\\0' x >&2; echo >&2; echo short >&2"
    let body = body(mode, "\(flood); echo '\(contentLine)'")
    try await withPool(probe(mode.members, body), settings(mode)) { test in
      #expect(await test.invoke("i1").status == .ok)
      let messages = test.logs.entries(invocationID: "i1").map(\.message)
      #expect(messages == ["a line of stderr was dropped: the limit is 262144 bytes", "short"])
    }
  }

  @Test func `the oldest lines are dropped when there are too many bytes`() async throws {
    try await withTemporaryFolder { folder in
      let logs = LogStore(byteCapacity: 1_000)
      let text = String(repeating: "x", count: 100)
      let (catalog, _) = try await discover(
        ["probe": script("probe", "", "echo $INVOCATION_ID \(text) >&2; echo '\(contentLine)'")],
        in: folder
      )
      let function = try #require(catalog.functions["probe"])
      let pool = FunctionPool(function, logs: logs)
      for number in 1...20 {
        _ = await TestPool(pool: pool, logs: logs, folder: folder).invoke("i\(number)")
      }
      await pool.close()
      let entries = logs.entries()
      #expect((5...11).contains(entries.count))
      #expect(entries.last?.invocationId == "i20", "\(entries)")
    }
  }
}
