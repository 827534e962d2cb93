import CProcess
import Core
import Synchronization

/// A watcher that resumes tasks when a pipe can be read or written, so that waiting blocks no
/// thread.
///
/// One thread waits for all pipes of this process with epoll or kqueue. It doesn't read from them,
/// so a pipe that no task reads fills up and blocks its writer.
final class Readiness: Sendable {
  private struct Waiter {
    let key: Int
    /// The descriptor, kept so that its number isn't reused while a task waits.
    let descriptor: Descriptor
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    /// The waiting tasks by descriptor number. Each is resumed once.
    var waiters: [Int32: [Waiter]] = [:]
    var nextKey = 0
  }

  private static let instance = Mutex<Readiness?>(nil)

  /// Returns the shared instance, creating it on first use.
  private static func shared() throws(StatusError) -> Readiness {
    try instance.withLock { instance throws(StatusError) in
      if let instance { return instance }
      let readiness = try Readiness()
      instance = readiness
      return readiness
    }
  }

  private let state = Mutex(State())
  private let list: Int32

  private init() throws(StatusError) {
    list = cprocess_make_watch()
    guard list >= 0 else {
      throw StatusError(.resourceExhausted, "can't wait for pipes: \(systemMessage(errno))")
    }
    do throws(StatusError) {
      try startThread { self.watchForever() }
    } catch {
      close(list)
      throw error
    }
  }

  /// Waits until `descriptor` can be read without blocking or is at its end. The function may
  /// return earlier, so check again.
  ///
  /// - Parameter isOver: Returns whether the wait must end. When its result becomes `true`, call
  ///   `wake`.
  /// - Throws: CANCELLED when the task is cancelled; RESOURCE_EXHAUSTED if the system can't wait
  ///   for more descriptors.
  static func readable(
    _ descriptor: Descriptor,
    unless isOver: @Sendable () -> Bool
  ) async throws(StatusError) {
    try await shared().wait(for: descriptor, isWriting: false, unless: isOver)
  }

  /// Waits until `descriptor` can be written without blocking or its reader is closed. The function
  /// may return earlier, so check again.
  ///
  /// - Parameter isOver: Returns whether the wait must end. When its result becomes `true`, call
  ///   `wake`.
  /// - Throws: The same errors as `readable`.
  static func writable(
    _ descriptor: Descriptor,
    unless isOver: @Sendable () -> Bool
  ) async throws(StatusError) {
    try await shared().wait(for: descriptor, isWriting: true, unless: isOver)
  }

  /// Resumes all tasks that wait for `descriptor`, which then check their conditions again.
  static func wake(_ descriptor: Descriptor) {
    // If there is no instance, no task waits.
    guard let readiness = instance.withLock({ $0 }) else { return }
    readiness.resume(CollectionOfOne(descriptor.number))
  }

  private func wait(
    for descriptor: Descriptor,
    isWriting: Bool,
    unless isOver: @Sendable () -> Bool
  ) async throws(StatusError) {
    let number = descriptor.number
    let key = state.withLock { state in
      state.nextKey += 1
      return state.nextKey
    }
    let failure = Mutex<Int32>(0)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter(key: key, descriptor: descriptor, continuation: continuation)
        let error = state.withLock { state in
          state.waiters[number, default: []].append(waiter)
          // Watch under the lock, so that an event that is reported at once finds the waiter.
          return cprocess_watch(list, number, isWriting)
        }
        failure.withLock { $0 = error }
        // If the task was cancelled or `wake` was called before the waiter was added, nothing would
        // resume the waiter.
        if error != 0 || Task.isCancelled || isOver() { cancel(key, number) }
      }
    } onCancel: {
      cancel(key, number)
    }
    if Task.isCancelled {
      throw StatusError(.cancelled, "waiting for a process was cancelled")
    }
    switch failure.withLock({ $0 }) {
    // EPERM: the descriptor never blocks. EPIPE (macOS): the reader is closed.
    case 0, EPERM, EPIPE: return
    case let error:
      throw StatusError(.resourceExhausted, "can't wait for a pipe: \(systemMessage(error))")
    }
  }

  private func cancel(_ key: Int, _ number: Int32) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiters[number]?.firstIndex(where: { $0.key == key }) else {
        return nil
      }
      defer { if state.waiters[number]?.isEmpty == true { state.waiters[number] = nil } }
      return state.waiters[number]?.remove(at: index)
    }
    waiter?.continuation.resume()
  }

  private func watchForever() {
    var numbers = [Int32](repeating: 0, count: 64)
    while true {
      let count = cprocess_wait_watched(list, &numbers, Int32(numbers.count))
      precondition(count >= 0, "waiting for pipes failed: \(systemMessage(errno))")
      resume(numbers.prefix(Int(count)))
    }
  }

  private func resume(_ numbers: some Collection<Int32>) {
    let waiters = state.withLock { state in
      numbers.flatMap { state.waiters.removeValue(forKey: $0) ?? [] }
    }
    for waiter in waiters { waiter.continuation.resume() }
  }
}
