import Core
import FunctionRuntime
import Synchronization

/// The running processes of one function, which are ended together at shutdown.
final class RunningProcesses: Sendable {
  /// The time between SIGTERM and SIGKILL.
  static let grace = Duration.seconds(2)

  private struct State {
    var processes: [ObjectIdentifier: ChildProcess] = [:]
    var isEnding = false
  }

  private let state = Mutex(State())

  /// Starts a process and adds it to the running ones.
  ///
  /// - Throws: The errors of `ChildProcess.spawn`; `CANCELLED` after `end` was called.
  func spawn(_ command: Command) throws(StatusError) -> ChildProcess {
    guard !state.withLock(\.isEnding) else { throw .shuttingDown }
    let process = try ChildProcess.spawn(command, endsDescendants: true)
    let isKept = state.withLock { state in
      if !state.isEnding { state.processes[ObjectIdentifier(process)] = process }
      return !state.isEnding
    }
    guard isKept else {
      process.signal(SIGKILL)
      throw .shuttingDown
    }
    return process
  }

  /// Removes a process that has ended.
  func forget(_ process: ChildProcess) {
    state.withLock { _ = $0.processes.removeValue(forKey: ObjectIdentifier(process)) }
  }

  var count: Int { state.withLock(\.processes.count) }

  /// Sends SIGTERM to all processes, and after the time `grace` SIGKILL to those still running.
  /// Waits until all have ended.
  func end(grace: Duration) async {
    let processes = state.withLock { state in
      state.isEnding = true
      return Array(state.processes.values)
    }
    await withDiscardingTaskGroup { group in
      for process in processes {
        group.addTask { await process.terminateGroup(grace: grace) }
      }
    }
  }
}

extension StatusError {
  fileprivate static var shuttingDown: StatusError {
    StatusError(.cancelled, "the server is shutting down")
  }
}

extension InvocationResult {
  /// The result of an invocation that the shutdown of the server interrupted.
  package static var shuttingDown: InvocationResult {
    InvocationResult(.shuttingDown, exitCode: ExitCode.tryAgain.rawValue)
  }

  /// The result of an invocation that its caller cancelled.
  package static var cancelled: InvocationResult {
    InvocationResult(
      StatusError(.cancelled, "the invocation was cancelled"),
      exitCode: ExitCode.tryAgain.rawValue
    )
  }
}
