import Platform

/// Lets only so many through at once; the others wait in turn.
package actor Permits {
  /// For whoever starts an emulator. More at once than there are cores would only make each of
  /// them slow, and the functions miss the time they have to describe themselves.
  package static let starts = Permits(max(2, ProcessInfo.processInfo.activeProcessorCount))

  private var free: Int
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  package func take() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  package func giveBack() {
    if waiters.isEmpty {
      free += 1
    } else {
      waiters.removeFirst().resume()
    }
  }
}
