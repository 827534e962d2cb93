import Core
import FunctionRuntime
import Synchronization

/// The processes of one function, so that all of them can be made to end.
final class RunningProcesses: Sendable {
  /// How long a process has between SIGTERM and SIGKILL.
  static let grace = Duration.seconds(2)

  private struct State {
    var processes: [ObjectIdentifier: ChildProcess] = [:]
    var isEnding = false
  }

  private let state = Mutex(State())

  /// - Throws: as `ChildProcess.spawn` does; `CANCELLED` once all are made to end.
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

  /// To be called when a process has ended.
  func forget(_ process: ChildProcess) {
    state.withLock { _ = $0.processes.removeValue(forKey: ObjectIdentifier(process)) }
  }

  var count: Int { state.withLock(\.processes.count) }

  /// Sends SIGTERM to all, after the grace SIGKILL to what is left, and returns when they are gone.
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
  /// Of what the end of the server overtook.
  package static var shuttingDown: InvocationResult {
    InvocationResult(.shuttingDown, exitCode: ExitCode.tryAgain.rawValue)
  }

  /// Of what nobody waits for any more.
  package static var cancelled: InvocationResult {
    InvocationResult(
      StatusError(.cancelled, "the invocation was cancelled"),
      exitCode: ExitCode.tryAgain.rawValue
    )
  }
}
