import CProcess
import Platform
import RPCStatus
import Synchronization

/// Wakes tasks when a pipe can be read or written, so that none blocks a thread for it.
///
/// One thread polls for all pipes of this process. Nothing is read ahead: a pipe nobody waits
/// for fills up in the kernel and stops its writer.
final class Readiness: Sendable {
  private struct Waiter {
    let descriptor: Descriptor
    let events: Int16
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var waiters: [Int: Waiter] = [:]
    var nextKey = 0
    /// Whether the thread waits on a list that a new waiter is not in.
    var isPolling = false
  }

  private static let shared = Result { () throws(StatusError) in try Readiness() }

  private let state = Mutex(State())
  /// A byte in this pipe makes the thread look at its list again.
  private let wakeUp: (reading: Descriptor, writing: Descriptor)

  private init() throws(StatusError) {
    wakeUp = try Descriptor.pipe()
    wakeUp.reading.setNonBlocking()
    wakeUp.writing.setNonBlocking()
    try startThread { self.pollForever() }
  }

  /// Returns when `descriptor` can be read without waiting, or is at its end.
  ///
  /// - Parameter isOver: whether there is nothing to wait for any more; who makes it true then
  ///   calls `wake`.
  /// - Throws: CANCELLED when the task is.
  static func readable(
    _ descriptor: Descriptor,
    unless isOver: @Sendable () -> Bool
  ) async throws(StatusError) {
    try await shared.get().wait(for: Int16(POLLIN), on: descriptor, unless: isOver)
  }

  /// Returns when `descriptor` can be written without waiting, or its reader is gone.
  ///
  /// - Parameter isOver: as above.
  /// - Throws: CANCELLED when the task is.
  static func writable(
    _ descriptor: Descriptor,
    unless isOver: @Sendable () -> Bool
  ) async throws(StatusError) {
    try await shared.get().wait(for: Int16(POLLOUT), on: descriptor, unless: isOver)
  }

  /// Lets everybody who waits for `descriptor` look again.
  static func wake(_ descriptor: Descriptor) {
    // Without the thread nobody waits.
    guard let readiness = try? shared.get() else { return }
    let waiting = readiness.change { waiters in
      let keys = waiters.filter { $0.value.descriptor === descriptor }.keys
      return keys.compactMap { waiters.removeValue(forKey: $0)?.continuation }
    }
    for continuation in waiting { continuation.resume() }
  }

  private func wait(
    for events: Int16,
    on descriptor: Descriptor,
    unless isOver: @Sendable () -> Bool
  ) async throws(StatusError) {
    let key = state.withLock { state in
      state.nextKey += 1
      return state.nextKey
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        change { waiters in
          waiters[key] = Waiter(
            descriptor: descriptor,
            events: events,
            continuation: continuation
          )
        }
        // What came before the waiter was there found nothing to resume.
        if Task.isCancelled || isOver() { cancel(key) }
      }
    } onCancel: {
      cancel(key)
    }
    if Task.isCancelled {
      throw StatusError(.cancelled, "waiting for a process was cancelled")
    }
  }

  private func cancel(_ key: Int) {
    change { $0.removeValue(forKey: key) }?.continuation.resume()
  }

  /// Changes the list and has the thread look at it again. Also when a waiter goes: as long as
  /// the system polls a pipe, closing it doesn't take effect.
  private func change<Value>(_ body: (inout [Int: Waiter]) -> Value) -> Value {
    let (value, mustWake) = state.withLock { state in
      defer { state.isPolling = false }
      return (body(&state.waiters), state.isPolling)
    }
    if mustWake { writeAll(CollectionOfOne(0), to: wakeUp.writing.number) }
    return value
  }

  private func pollForever() {
    var keys: [Int] = []
    var polled: [pollfd] = []
    while true {
      keys.removeAll(keepingCapacity: true)
      polled.removeAll(keepingCapacity: true)
      // Numbers only: a reference here would keep a pipe open after its last waiter.
      state.withLock { state in
        state.isPolling = true
        for (key, waiter) in state.waiters {
          keys.append(key)
          polled.append(pollfd(fd: waiter.descriptor.number, events: waiter.events, revents: 0))
        }
      }
      polled.append(pollfd(fd: wakeUp.reading.number, events: Int16(POLLIN), revents: 0))
      guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
      if polled[keys.count].revents != 0 { emptyWakeUp() }
      resumeReady(zip(keys, polled).filter { $1.revents != 0 }.map { key, _ in key })
    }
  }

  private func resumeReady(_ keys: [Int]) {
    let ready = state.withLock { state in
      state.isPolling = false
      return keys.compactMap { state.waiters.removeValue(forKey: $0)?.continuation }
    }
    for continuation in ready { continuation.resume() }
  }

  private func emptyWakeUp() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
      while read(wakeUp.reading.number, bytes.baseAddress, bytes.count) > 0 {}
    }
  }
}
