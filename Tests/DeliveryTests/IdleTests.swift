import Core
import Delivery
import FunctionHost
import FunctionRuntime
import Synchronization
import TestKit
import Testing

/// Idle workers and standby processes, which wait for an event.
@Suite(.timeLimit(.minutes(10)))
struct IdleTests {
  /// A clock that the test sets.
  private final class Time: Sendable {
    private let offset = Mutex(Duration.zero)
    private let start = ContinuousClock.now

    var now: ContinuousClock.Instant { start + offset.withLock(\.self) }

    func stand(at seconds: Int) { offset.withLock { $0 = .seconds(seconds) } }
  }

  private func settings(_ time: Time, _ isolation: Isolation = .worker) -> FunctionPool.Settings {
    var settings = FunctionPool.Settings(isolation: isolation)
    settings.now = { time.now }
    return settings
  }

  /// A function that answers only after eight events have begun. So eight events need eight
  /// processes.
  private let together = """
    \(Mode.worker.ready)
    while read -r line; do
      echo >>"$FOLDER/begun"
      while [ "$(wc -l <"$FOLDER/begun")" -lt 8 ]; do sleep 0.01; done
      echo "{\\"status\\":\\"skipped\\",\\"reason\\":\\"$$\\"}"
    done
    """

  private func burst(_ test: TestPool) async {
    await withTaskGroup(of: Void.self) { group in
      for number in 1...8 { group.addTask { _ = await test.invoke("i\(number)") } }
    }
  }

  @Test func `after a burst the unused workers are reaped`() async throws {
    let time = Time()
    try await withPool(probe(Mode.worker.members, together), settings(time)) { test in
      await burst(test)
      #expect(test.pool.idleCount == 8)
      time.stand(at: 50)
      let kept = await test.invoke().reason
      await test.pool.reap()
      #expect(test.pool.idleCount == 8)
      time.stand(at: 61)
      await test.pool.reap()
      #expect(test.pool.idleCount == 1)
      try await test.waitForEnds(among: test.lines(of: "groups").filter { $0 != kept })
      #expect(await test.invoke().reason == kept)
      time.stand(at: 200)
      await test.pool.reap()
      #expect(test.pool.idleCount == 0)
      try await test.waitForEnds()
      #expect(await test.invoke().status == .skipped)
    }
  }

  @Test func `a busy worker is not reaped, however long it takes`() async throws {
    let body = """
      \(Mode.worker.ready)
      read -r line; echo >>"$FOLDER/begun"
      while [ ! -e "$FOLDER/go" ]; do sleep 0.01; done
      echo '\(contentLine)'; read -r line
      """
    let time = Time()
    try await withPool(probe(Mode.worker.members, body), settings(time)) { test in
      async let result = test.invoke()
      try await test.waitForLines(1, of: "begun")
      time.stand(at: 1_000)
      await test.pool.reap()
      #expect(FileManager.default.createFile(atPath: "\(test.folder)/go", contents: nil))
      #expect(await result.status == .ok)
    }
  }

  @Test func `idle workers are reaped by themselves`() async throws {
    var settings = FunctionPool.Settings()
    settings.idleLimit = .milliseconds(1)
    try await withPool(probe(Mode.worker.members, Mode.worker.good), settings) { test in
      for _ in 1...2 {
        #expect(await test.invoke().status == .ok)
        while test.pool.idleCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
        try await test.waitForEnds()
      }
    }
  }

  @Test func `an event gets the standby process, and a new one is started`() async throws {
    let body = """
      \(Mode.standby.ready)
      read -r line
      case "$line" in *'"attempt":2,'*) known=attempt ;; esac
      echo "{\\"status\\":\\"skipped\\",\\"reason\\":\\"$$ $known\\"}"
      read -r line
      """
    try await withPool(probe(Mode.standby.members, body), .init(isolation: .process)) { test in
      #expect(test.pool.idleCount == 0)
      var used: Set<String> = []
      for number in 1...3 {
        let standing = Set(test.lines(of: "groups")).subtracting(used)
        let result = await test.invoke(attempt: 2)
        #expect(test.pool.idleCount == 1)
        try await test.waitForLines(number + 1, of: "groups")
        let words = result.reason?.split(separator: " ").map(String.init) ?? []
        // The first event starts its process and the standby process at the same time, so either
        // may get it.
        #expect(number == 1 || standing == Set(words.prefix(1)))
        // A standby process learns the attempt's number from the event's line.
        #expect(words.last == "attempt")
        used.formUnion(words.prefix(1))
      }
    }
  }

  @Test func `the number of standby processes is the recent maximum of events`() async throws {
    let time = Time()
    let script = probe(#""worker":true,"concurrency":8,"#, together)
    try await withPool(script, settings(time, .process)) { test in
      await burst(test)
      #expect(test.pool.idleCount == 8)
      time.stand(at: 50)
      _ = await test.invoke()
      time.stand(at: 61)
      await test.pool.reap()
      #expect(test.pool.idleCount == 1)
    }
  }

  @Test func `a standby process that ended is replaced without a failure`() async throws {
    let body = """
      \(Mode.standby.ready)
      read -r line; echo "{\\"status\\":\\"skipped\\",\\"reason\\":\\"$$\\"}"
      """
    try await withPool(probe(Mode.standby.members, body), .init(isolation: .process)) { test in
      let used = await test.invoke().reason
      // Either of the first two processes may have handled the event. The other is the standby
      // process.
      try await test.waitForLines(2, of: "groups")
      let standing = test.lines(of: "groups").filter { $0 != used }
      #expect(standing.count == 1)
      for process in standing.compactMap({ pid_t($0) }) { #expect(kill(process, SIGKILL) == 0) }
      try await test.waitForEnds(among: standing)
      #expect(await test.invoke().status == .skipped)
    }
  }

  @Test func `a worker's output between two events is no answer`() async throws {
    let body = """
      \(Mode.worker.ready)
      read -r line; echo '\(contentLine)'
      if [ "$(wc -l <"$FOLDER/groups")" -eq 1 ]; then
        exec 3>"$FOLDER/printing"
        echo '{"status":"skipped","reason":"unasked"}'
        exec 3>&-
      fi
      read -r line
      """
    try await withPool(probe(Mode.worker.members, body)) { test in
      try test.makePipe("printing")
      #expect(await test.invoke("i1").status == .ok)
      // The pool may end the worker because of its output. That closes the pipe, too.
      try await test.readToEnd("printing")
      #expect(await test.invoke("i2").status == .ok)
      #expect(test.lines(of: "groups").count == 2)
    }
  }

  @Test func `a function without worker mode has no standby process`() async throws {
    try await withPool(probe("", Mode.oneShot.good), .init(isolation: .process)) { test in
      #expect(await test.invoke().status == .ok)
      #expect(test.pool.idleCount == 0)
    }
  }
}
