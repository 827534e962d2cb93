import Core
import FunctionHost
import FunctionRuntime
import TestKit
import Testing

/// Stray processes: those that a function leaves behind in a session of their own.
@Suite(.timeLimit(.minutes(10)))
struct StrayTests {
  /// Starts a process in a session of its own that has only a named pipe open, and waits until it
  /// runs.
  private static let leaving = """
    setsid sh -c 'echo >"$FOLDER/up"; exec sleep 600' >"$FOLDER/stray" </dev/null 2>&1 &
    read -r up <"$FOLDER/up"
    """

  /// Runs `body` with a pool whose function may leave a process behind, and with a task that ends
  /// with that process.
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

  /// Waits until a named pipe was opened and everybody has closed it again.
  private func readToEnd(_ pipe: String, of test: TestPool) async throws {
    _ = try await runProgram("/bin/cat", ["\(test.folder)/\(pipe)"], limit: .seconds(600))
  }

  @Test func `a stray process ends with a function that ends`() async throws {
    let script = probe("", "\(Self.leaving)\nread -r line\n\(Mode.oneShot.good)")
    try await withStray(script) { test, end in
      #expect(await test.invoke().status == .ok)
      try await end.value
    }
  }

  @Test(arguments: Mode.allCases)
  func `a stray process ends with a function that is killed`(mode: Mode) async throws {
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
  func `a stray process ends with its worker`(isolation: Isolation) async throws {
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
        // A child of a worker may be needed for the worker's next event.
        #expect(await test.invoke("i2").status == .ok)
        await test.pool.close()
      }
      try await end.value
    }
  }
}
