import Core

/// A debugging session that delays a function's events until a debugger is attached.
package struct Inspection: Sendable {
  /// The timeout that a function under a debugger is given: in effect none.
  static let timeout = Duration.seconds(7 * 86_400)
  /// The polling interval: no system reports that a debugger attached.
  private static let pause = Duration.milliseconds(50)

  private let announce: @Sendable (_ processIdentifier: Int32) -> Void

  /// Creates a debugging session.
  ///
  /// - Parameter announce: Called with the process ID to attach to, each time a process waits.
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
