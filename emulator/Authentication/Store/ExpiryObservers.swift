import Synchronization

/// The closures to call when all ID tokens expire at once.
final class ExpiryObservers: Sendable {
  private let actions = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

  func add(_ action: @escaping @Sendable () -> Void) -> ExpiryObservation {
    let observation = ExpiryObservation(of: self)
    actions.withLock { $0[ObjectIdentifier(observation)] = action }
    return observation
  }

  fileprivate func remove(_ observation: ObjectIdentifier) {
    // The closure may own other observations, so it is released outside of the lock.
    _ = actions.withLock { $0.removeValue(forKey: observation) }
  }

  func notify() {
    for action in actions.withLock({ Array($0.values) }) { action() }
  }
}

/// An observation of the expiry of all ID tokens. It lasts as long as this object.
package final class ExpiryObservation: Sendable {
  private let observers: ExpiryObservers

  fileprivate init(of observers: ExpiryObservers) { self.observers = observers }

  deinit { observers.remove(ObjectIdentifier(self)) }
}
