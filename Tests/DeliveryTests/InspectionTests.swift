import Core
import Delivery
import FunctionHost
import FunctionRuntime
import Synchronization
import TestKit
import Testing

/// Tests of debugging: each event waits until a debugger is attached to the function.
@Suite(.timeLimit(.minutes(10)))
struct InspectionTests {
  /// Attaches to a process like a debugger, and lets it continue.
  private static func attach(to processIdentifier: Int32) throws -> ChildProcess {
    // The constants are PTRACE_SEIZE (0x4206), PTRACE_CONT (7) and __WALL (0x40000000), with which
    // `waitpid` waits for any traced process.
    let program = """
      import ctypes, os, sys
      process = \(processIdentifier)
      ptrace = ctypes.CDLL(None).ptrace
      ptrace.argtypes = [ctypes.c_long] * 4
      if ptrace(0x4206, process, 0, 0) != 0: sys.exit(1)
      while True:
          _, status = os.waitpid(process, 0x40000000)
          if not os.WIFSTOPPED(status): break
          ptrace(7, process, 0, os.WSTOPSIG(status))
      """
    return try ChildProcess.spawn(
      Command(
        executable: "/usr/bin/python3",
        arguments: ["-c", program],
        environment: plainEnvironment
      )
    )
  }

  /// Returns a Boolean value that indicates whether a debugger can attach to a running process.
  private static func canAttach() async -> Bool {
    ignoreBrokenPipes()
    let command = Command(
      executable: "/bin/sleep",
      arguments: ["300"],
      environment: plainEnvironment
    )
    guard let process = try? ChildProcess.spawn(command) else { return false }
    var isTraced = false
    if let debugger = try? attach(to: process.processIdentifier) {
      while !process.isTraced, !debugger.hasEnded {
        try? await Task.sleep(for: .milliseconds(5))
      }
      isTraced = process.isTraced
      await debugger.terminateGroup(grace: .zero)
    }
    await process.terminateGroup(grace: .zero)
    return isTraced
  }

  /// The IDs of the processes that have waited for a debugger.
  private final class Waiting: Sendable {
    let all = Mutex<[Int32]>([])

    func next(_ count: Int) async throws -> Int32 {
      while all.withLock({ $0.count < count }) { try await Task.sleep(for: .milliseconds(2)) }
      return all.withLock { $0[count - 1] }
    }

    func settings(_ mode: Mode) -> FunctionPool.Settings {
      var settings = FunctionPool.Settings(isolation: mode == .worker ? .worker : .process)
      settings.inspection = Inspection { process in self.all.withLock { $0.append(process) } }
      return settings
    }
  }

  private func body(_ mode: Mode, _ event: String) -> String {
    mode == .oneShot
      ? "read -r line; \(event)" : "\(mode.ready)\nwhile read -r line; do \(event); done"
  }

  @Test(.enabled("no process can be debugged here") { await canAttach() }, arguments: Mode.allCases)
  func `an event waits for the debugger and then has no time limit`(
    mode: Mode
  ) async throws {
    let members = "\(mode.members)\"timeoutSeconds\":1,"
    let body = body(mode, "echo >>\"$FOLDER/begun\"; sleep 1.2; echo '\(contentLine)'")
    let waiting = Waiting()
    try await withPool(probe(members, body), waiting.settings(mode)) { test in
      async let result = test.invoke()
      let process = try await waiting.next(1)
      // The process may not have written its ID yet.
      try await test.waitForLines(1, of: "groups")
      #expect(test.lines(of: "groups") == ["\(process)"])
      #expect(test.lines(of: "begun").isEmpty)
      let debugger = try Self.attach(to: process)
      #expect(await result.status == .ok)
      #expect(waiting.all.withLock(\.self) == [process])
      await debugger.terminateGroup(grace: .zero)
    }
  }

  @Test(.enabled("no process can be debugged here") { await canAttach() })
  func `there is one process, and each event waits for a debugger`() async throws {
    let members = #""worker":true,"concurrency":8,"#
    let waiting = Waiting()
    let script = probe(members, body(.worker, "echo '\(contentLine)'"))
    try await withPool(script, waiting.settings(.worker)) { test in
      async let results = withTaskGroup(of: InvocationResult.self) { group in
        for number in 1...3 { group.addTask { await test.invoke("i\(number)") } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      while test.pool.waitingCount < 2 { await Task.yield() }
      let process = try await waiting.next(1)
      let debugger = try Self.attach(to: process)
      #expect(await results.map(\.status) == [.ok, .ok, .ok])
      await debugger.terminateGroup(grace: .zero)
      async let later = test.invoke("i4")
      #expect(try await waiting.next(2) == process)
      let second = try Self.attach(to: process)
      #expect(await later.status == .ok)
      await second.terminateGroup(grace: .zero)
      #expect(test.lines(of: "groups").count == 1)
    }
  }

  @Test(arguments: Mode.allCases)
  func `a process that ends before a debugger attaches is a failure`(mode: Mode) async throws {
    let waiting = Waiting()
    let script = probe(mode.members, body(mode, ":"))
    try await withPool(script, waiting.settings(mode)) { test in
      async let result = test.invoke()
      let process = try await waiting.next(1)
      #expect(kill(process, SIGKILL) == 0)
      #expect(await result.status == .error)
      #expect(await result.isRetryable)
    }
  }

  @Test(arguments: Mode.allCases)
  func `closing the pool doesn't wait for a debugger`(mode: Mode) async throws {
    let waiting = Waiting()
    try await withPool(probe(mode.members, body(mode, ":")), waiting.settings(mode)) { test in
      async let result = test.invoke()
      _ = try await waiting.next(1)
      await test.pool.close()
      #expect(await result.error?.code == .cancelled)
    }
  }
}
