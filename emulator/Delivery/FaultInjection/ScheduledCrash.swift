import Core
import FunctionHost
import Synchronization

/// A crash that fault injection has scheduled for one invocation: the process is killed at one of
/// its requests.
package final class ScheduledCrash: Sendable {
  /// The moment of the kill: before the request is carried out, or after that but before the
  /// response.
  package enum Moment: Sendable, Equatable {
    case beforeRequest, afterRequest
  }

  private struct State {
    var requestsLeft: Int
    var hasStruck = false
    var kill: (@Sendable () -> Void)?
  }

  package let moment: Moment
  private let state: Mutex<State>

  /// Creates a crash.
  ///
  /// - Parameter request: The number of the request at which the process is killed, from 1 on.
  init(atRequest request: Int, _ moment: Moment) {
    self.moment = moment
    state = Mutex(State(requestsLeft: request))
  }

  /// Runs the invocation in a task that `strike` can cancel.
  func run(
    _ invocation: @escaping @Sendable () async -> InvocationResult
  ) async -> InvocationResult {
    let task = Task { await invocation() }
    state.withLock { $0.kill = { task.cancel() } }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    guard state.withLock(\.hasStruck) else { return result }
    return InvocationResult(
      StatusError(.internal, "fault injection (chaos) killed the function"),
      exitCode: Self.exitCode
    )
  }

  /// The exit code that a shell reports for SIGKILL.
  static let exitCode: Int32 = 128 + 9

  /// A Boolean value that indicates whether the process was killed.
  var hasStruck: Bool { state.withLock(\.hasStruck) }

  /// Counts a request of the invocation.
  ///
  /// - Returns: Whether the crash is due at this request.
  func isDue() -> Bool {
    state.withLock { state in
      state.requestsLeft -= 1
      return state.requestsLeft == 0
    }
  }

  /// Kills the process.
  package func strike() {
    let kill = state.withLock { state in
      state.hasStruck = true
      return state.kill
    }
    kill?()
  }
}

extension Dispatcher {
  /// Counts a request to a service.
  ///
  /// - Returns: The crash of the invocation that sent the request, or `nil` if none is due.
  package func crash(atRequestOf traceparent: String?) -> ScheduledCrash? {
    guard let traceparent,
      let crash = state.withLock({ state in
        state.crashes.isEmpty ? nil : state.crashes[SpanTable.span(of: traceparent)]
      }), crash.isDue()
    else { return nil }
    return crash
  }
}
