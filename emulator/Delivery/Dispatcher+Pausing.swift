package import Core
import Synchronization

extension Dispatcher {
  /// Holds deliveries back, and lets them go: unlike `isEnabled`, nothing is lost.
  package var isPaused: Bool {
    get { state.withLock(\.isPaused) }
    set {
      state.withLock { $0.isPaused = newValue }
      releaseHeldDeliveries()
    }
  }

  /// Holds the deliveries of one function back, or lets them go; calls of it are answered all the same.
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

  /// The functions that are held back one by one.
  package var pausedFunctions: Set<String> { state.withLock(\.pausedFunctions) }

  func isHeldBack(_ function: String) -> Bool { state.withLock { $0.holdsBack(function) } }

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

  /// Lets those go on that nothing holds back any more.
  func releaseHeldDeliveries() {
    let waiters = state.withLock { state in
      let functions = state.heldBack.keys.filter { !state.holdsBack($0) }
      return functions.flatMap { state.heldBack.removeValue(forKey: $0) ?? [] }
    }
    for waiter in waiters { waiter.resume() }
  }
}

extension Dispatcher.State {
  /// At its end the emulator holds nothing back: what waits is released to the next one.
  fileprivate func holdsBack(_ function: String) -> Bool {
    !isFinished && (isPaused || pausedFunctions.contains(function))
  }
}
