import Core

/// A debugging session that delays a function's events until a debugger is attached.
package struct Inspection: Sendable {
  /// The time limit that a function under a debugger is given: seven days, so in effect none.
  static let timeout = Duration.seconds(7 * 86_400)
  /// The polling interval. Polling is necessary because the system doesn't report when a debugger
  /// attaches.
  private static let pause = Duration.milliseconds(50)

  private let announce: @Sendable (_ processIdentifier: Int32) -> Void

  /// - Parameter announce: Called with the ID of each process that waits for a debugger.
  package init(announce: @escaping @Sendable (_ processIdentifier: Int32) -> Void) {
    self.announce = announce
  }

  /// Waits until a debugger is attached to the process.
  ///
  /// - Throws: INTERNAL if the process ended first, CANCELLED if the task was cancelled.
  func attached(to process: ChildProcess) async throws(StatusError) {
    guard !process.isTraced else { return }
    announce(process.processIdentifier)
    while !process.isTraced {
      guard !process.hasEnded else {
        throw StatusError(.internal, "the function ended before a debugger was attached")
      }
      do {
        try await Task.sleep(for: Self.pause)
      } catch {
        throw StatusError(.cancelled, "waiting for a debugger was cancelled")
      }
    }
  }
}
