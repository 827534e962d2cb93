import Core
import FunctionHost
import Synchronization

/// A crash that chaos has scheduled for one invocation: its process is killed at one of its requests.
package final class ScheduledCrash: Sendable {
  /// Whether the request at which it happens is still carried out.
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

  /// - Parameter request: at which it happens, 1 being the first.
  init(atRequest request: Int, _ moment: Moment) {
    self.moment = moment
    state = Mutex(State(requestsLeft: request))
  }

  /// Runs the invocation, so that it can be killed.
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
      StatusError(.internal, "chaos killed the function"),
      exitCode: Self.exitCode
    )
  }

  /// What a shell makes of SIGKILL.
  static let exitCode: Int32 = 128 + 9

  var hasStruck: Bool { state.withLock(\.hasStruck) }

  /// Counts a request of the invocation.
  ///
  /// - Returns: whether this is the one.
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
  /// Counts a request that a service got.
  ///
  /// - Returns: the crash of the invocation behind it, if it is due at this request.
  package func crash(atRequestOf traceparent: String?) -> ScheduledCrash? {
    guard let traceparent,
      let crash = state.withLock({ state in
        state.crashes.isEmpty ? nil : state.crashes[SpanTable.span(of: traceparent)]
      }), crash.isDue()
    else { return nil }
    return crash
  }
}
