package import Core
import Synchronization

extension Dispatcher {
  /// A Boolean value that indicates whether all deliveries are paused. During a pause, events are
  /// recorded. While `isEnabled` is false, they are lost.
  package var isPaused: Bool {
    get { state.withLock(\.isPaused) }
    set {
      state.withLock { $0.isPaused = newValue }
      releaseHeldDeliveries()
    }
  }

  /// Pauses or resumes the deliveries of one function. Calls of the function aren't paused.
  ///
  /// - Throws: `NOT_FOUND` if there is no such function.
  package func setPaused(_ isPaused: Bool, function: String) throws(StatusError) {
    try state.withLock { state throws(StatusError) in
      guard state.manifests[function] != nil else {
        throw StatusError(.notFound, "there is no function \(quoted(function))")
      }
      if isPaused {
        state.pausedFunctions.insert(function)
      } else {
        state.pausedFunctions.remove(function)
      }
    }
    releaseHeldDeliveries()
  }

  /// The functions that are paused individually.
  package var pausedFunctions: Set<String> { state.withLock(\.pausedFunctions) }

  /// Returns a Boolean value that indicates whether deliveries to a function are paused.
  func isHeldBack(_ function: String) -> Bool { state.withLock { $0.holdsBack(function) } }

  /// Waits until deliveries to a function aren't paused.
  func untilResumed(_ function: String) async {
    await withCheckedContinuation { continuation in
      let isHeldBack = state.withLock { state in
        guard state.holdsBack(function) else { return false }
        state.heldBack[function, default: []].append(continuation)
        return true
      }
      if !isHeldBack { continuation.resume() }
    }
  }

  /// Resumes the waiting deliveries whose functions are no longer paused.
  func releaseHeldDeliveries() {
    let waiters = state.withLock { state in
      let functions = state.heldBack.keys.filter { !state.holdsBack($0) }
      return functions.flatMap { state.heldBack.removeValue(forKey: $0) ?? [] }
    }
    for waiter in waiters { waiter.resume() }
  }
}

extension Dispatcher.State {
  /// Returns a Boolean value that indicates whether deliveries to a function are paused.
  ///
  /// During shutdown nothing is paused. Paused deliveries are then released, and the next emulator
  /// with the same data folder attempts them.
  fileprivate func holdsBack(_ function: String) -> Bool {
    !isFinished && (isPaused || pausedFunctions.contains(function))
  }
}
