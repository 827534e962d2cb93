import Core
import FunctionHost
import FunctionRuntime
import TestKit
import Testing

/// Processes that a function leaves in a session of their own.
@Suite(.timeLimit(.minutes(10)))
struct StrayTests {
  /// Starts a process in a session of its own that has a named pipe open and nothing else, and waits
  /// until it is there.
  private static let leaving = """
    setsid sh -c 'echo >"$FOLDER/up"; exec sleep 600' >"$FOLDER/stray" </dev/null 2>&1 &
    read -r up <"$FOLDER/up"
    """

  /// Runs `body` with a pool whose function may leave a process behind, and with what ends when that
  /// has gone.
  private func withStray(
    _ script: String,
    _ settings: FunctionPool.Settings = .init(),
    _ body: (_ test: TestPool, _ end: Task<Void, any Error>) async throws -> Void
  ) async throws {
    try await withPool(script, settings) { test in
      let pipes = ["begun", "up", "stray"].map { "\(test.folder)/\($0)" }
      #expect(try await runProgram("/usr/bin/mkfifo", pipes).exitCode == 0)
      try await body(test, Task { try await readToEnd("stray", of: test) })
    }
  }

  /// Returns when a named pipe was opened and nobody has it open any more.
  private func readToEnd(_ pipe: String, of test: TestPool) async throws {
    _ = try await runProgram("/bin/cat", ["\(test.folder)/\(pipe)"], limit: .seconds(600))
  }

  @Test func `end with a process that ends`() async throws {
    let script = probe("", "\(Self.leaving)\nread -r line\n\(Mode.oneShot.good)")
    try await withStray(script) { test, end in
      #expect(await test.invoke().status == .ok)
      try await end.value
    }
  }

  @Test(arguments: Mode.allCases)
  func `end with a process that is killed`(mode: Mode) async throws {
    let script = probe(
      mode.members,
      "\(mode.ready)\nread -r line\n\(Self.leaving)\necho >\"$FOLDER/begun\"\nexec sleep 600"
    )
    let settings = FunctionPool.Settings(isolation: mode == .standby ? .process : .worker)
    try await withStray(script, settings) { test, end in
      let invocation = Task { await test.invoke() }
      try await readToEnd("begun", of: test)
      invocation.cancel()
      #expect(await invocation.value.error?.code == .cancelled)
      try await end.value
    }
  }

  @Test(arguments: Isolation.allCases)
  func `end with their worker`(isolation: Isolation) async throws {
    let body = """
      \(Mode.worker.ready)
      while read -r line; do
        if mkdir "$FOLDER/once" 2>/dev/null; then
          \(Self.leaving)
        fi
        echo '\(contentLine)'
      done
      """
    let script = probe(Mode.worker.members, body)
    try await withStray(script, .init(isolation: isolation)) { test, end in
      #expect(await test.invoke().status == .ok)
      if isolation == .worker {
        // What a worker started may be of use to its next event.
        #expect(await test.invoke("i2").status == .ok)
        await test.pool.close()
      }
      try await end.value
    }
  }
}
