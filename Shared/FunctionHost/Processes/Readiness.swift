import CProcess
import Core
import Synchronization

/// Wakes tasks when a pipe can be read or written, so that none blocks a thread for it.
///
/// One thread waits for all pipes of this process, on a list that the system keeps. Nothing is read
/// ahead: a pipe nobody waits for fills up in the kernel and stops its writer.
final class Readiness: Sendable {
  private struct Waiter {
    let key: Int
    /// Held, so that its number is no other's while somebody waits.
    let descriptor: Descriptor
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    /// By their descriptor's number. Each is woken once.
    var waiters: [Int32: [Waiter]] = [:]
    var nextKey = 0
  }

  private static let instance = Mutex<Readiness?>(nil)

  /// Made by whoever waits first.
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
      throw StatusError(.resourceExhausted, "no wait for pipes: \(systemMessage(errno))")
    }
    do throws(StatusError) {
      try startThread { self.watchForever() }
    } catch {
      close(list)
      throw error
    }
  }

  /// Returns when `descriptor` can be read without waiting, or is at its end; now and then earlier.
  ///
  /// - Parameter isOver: whether there is nothing to wait for any more; who makes it true then
  ///   calls `wake`.
  /// - Throws: CANCELLED when the task is, RESOURCE_EXHAUSTED if the system can't wait for more.
  static func readable(
    _ descriptor: Descriptor,
    unless isOver: @Sendable () -> Bool
  ) async throws(StatusError) {
    try await shared().wait(for: descriptor, isWriting: false, unless: isOver)
  }

  /// Returns when `descriptor` can be written without waiting, or its reader is gone; now and then
  /// earlier.
  ///
  /// - Parameter isOver: as above.
  /// - Throws: as above.
  static func writable(
    _ descriptor: Descriptor,
    unless isOver: @Sendable () -> Bool
  ) async throws(StatusError) {
    try await shared().wait(for: descriptor, isWriting: true, unless: isOver)
  }

  /// Lets everybody who waits for `descriptor` look again.
  static func wake(_ descriptor: Descriptor) {
    // Without the thread nobody waits.
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
          // Under the lock: what is told at once finds its waiter.
          return cprocess_watch(list, number, isWriting)
        }
        failure.withLock { $0 = error }
        // What came before the waiter was there found nothing to resume.
        if error != 0 || Task.isCancelled || isOver() { cancel(key, number) }
      }
    } onCancel: {
      cancel(key, number)
    }
    if Task.isCancelled {
      throw StatusError(.cancelled, "waiting for a process was cancelled")
    }
    switch failure.withLock({ $0 }) {
    // What never makes anybody wait, and (on macOS) what no reader is left of.
    case 0, EPERM, EPIPE: return
    case let error:
      throw StatusError(.resourceExhausted, "no wait for a pipe: \(systemMessage(error))")
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
      precondition(count >= 0, "the list of pipes is gone: \(systemMessage(errno))")
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
