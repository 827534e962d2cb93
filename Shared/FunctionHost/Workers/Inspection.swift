import Core

/// Holds back the events of a function until a debugger has its process.
package struct Inspection: Sendable {
  /// How long a function under a debugger is told it has: nobody counts the time.
  static let timeout = Duration.seconds(7 * 86_400)
  /// How long to wait between two looks: no system tells when a debugger comes.
  private static let pause = Duration.milliseconds(50)

  private let announce: @Sendable (_ processIdentifier: Int32) -> Void

  /// - Parameter announce: told the process to attach to, each time one waits for that.
  package init(announce: @escaping @Sendable (_ processIdentifier: Int32) -> Void) {
    self.announce = announce
  }

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
