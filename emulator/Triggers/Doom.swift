import RPCStatus
import Synchronization
import Workers

/// The end of one invocation that chaos has in store: its process is killed at one of its requests.
package final class Doom: Sendable {
  /// Whether the request at which it happens is still carried out.
  package enum Moment: Sendable, Equatable {
    case beforeRequest, afterRequest
  }

  private struct State {
    var requestsLeft: Int
    var isStruck = false
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
    guard state.withLock(\.isStruck) else { return result }
    return InvocationResult(
      StatusError(.internal, "chaos killed the function"),
      exitCode: Self.exitCode
    )
  }

  /// What a shell makes of SIGKILL.
  static let exitCode: Int32 = 128 + 9

  var isStruck: Bool { state.withLock(\.isStruck) }

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
      state.isStruck = true
      return state.kill
    }
    kill?()
  }
}

extension Dispatcher {
  /// To be asked for every request that a service gets.
  ///
  /// - Returns: what is in store for the invocation behind it, if this is the moment.
  package func doom(atRequestOf traceparent: String?) -> Doom? {
    guard let traceparent,
      let doom = state.withLock({ state in
        state.doomed.isEmpty ? nil : state.doomed[SpanTable.span(of: traceparent)]
      }), doom.isDue()
    else { return nil }
    return doom
  }
}
