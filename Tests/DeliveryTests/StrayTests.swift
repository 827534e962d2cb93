import Core
import FunctionHost
import FunctionRuntime
import TestKit
import Testing

/// Stray processes: children that a function starts in a new session and doesn't end.
@Suite(.timeLimit(.minutes(10)))
struct StrayTests {
  /// Returns the shell commands that start a stray process and wait until it runs.
  ///
  /// The stray process keeps only the named pipe `stray` open.
  ///
  /// - Parameter program: the program that it executes then.
  private static func leaving(_ program: String = "sleep 600") -> String {
    """
    setsid sh -c 'echo >"$FOLDER/up"; exec \(program)' >"$FOLDER/stray" </dev/null 2>&1 &
    read -r up <"$FOLDER/up"
    """
  }

  /// Runs `body` with a pool whose function leaves a stray process.
  ///
  /// The task `end` ends when the stray process ends.
  private func withStray(
    _ script: String,
    _ settings: FunctionPool.Settings = .init(),
    _ body: (_ test: TestPool, _ end: Task<Void, any Error>) async throws -> Void
  ) async throws {
    try await withPool(script, settings) { test in
      for pipe in ["begun", "up", "stray"] { try test.makePipe(pipe) }
      try await body(test, Task { try await test.readToEnd("stray") })
    }
  }

  @Test func `a stray process ends with a function that ends`() async throws {
    let script = probe("", "\(Self.leaving())\nread -r line\n\(Mode.oneShot.good)")
    try await withStray(script) { test, end in
      #expect(await test.invoke().status == .ok)
      try await end.value
    }
  }

  @Test(arguments: Mode.allCases)
  func `a stray process ends with a function that is killed`(mode: Mode) async throws {
    let script = probe(
      mode.members,
      "\(mode.ready)\nread -r line\n\(Self.leaving())\necho >\"$FOLDER/begun\"\nexec sleep 600"
    )
    let settings = FunctionPool.Settings(isolation: mode == .standby ? .process : .worker)
    try await withStray(script, settings) { test, end in
      let invocation = Task { await test.invoke() }
      try await test.readToEnd("begun")
      invocation.cancel()
      #expect(await invocation.value.error?.code == .cancelled)
      try await end.value
    }
  }

  @Test func `stray processes end while they execute other programs`() async throws {
    let leaving = """
      printf '#!/bin/sh\nexec "$0"\n' >"$FOLDER/again"; chmod +x "$FOLDER/again"
      for number in 1 2 3 4 5 6 7 8; do
      \(Self.leaving(#""$FOLDER/again""#))
      done
      """
    let script = probe("", "\(leaving)\nread -r line\n\(Mode.oneShot.good)")
    try await withStray(script) { test, end in
      #expect(await test.invoke().status == .ok)
      try await end.value
    }
  }

  @Test(arguments: Isolation.allCases)
  func `a stray process ends with its worker`(isolation: Isolation) async throws {
    let body = """
      \(Mode.worker.ready)
      while read -r line; do
        if mkdir "$FOLDER/once" 2>/dev/null; then
          \(Self.leaving())
        fi
        echo '\(contentLine)'
      done
      """
    let script = probe(Mode.worker.members, body)
    try await withStray(script, .init(isolation: isolation)) { test, end in
      #expect(await test.invoke().status == .ok)
      if isolation == .worker {
        // The stray process keeps running during the worker's next event, which may need it.
        #expect(await test.invoke("i2").status == .ok)
        await test.pool.close()
      }
      try await end.value
    }
  }
}
