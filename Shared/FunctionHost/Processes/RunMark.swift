package import Core

/// The environment variable that marks the functions' processes of one emulator's run.
package enum RunMark {
  package static let variable = "INVOCATION_RUN"

  /// Kills the processes of a run whose emulator has ended, and waits until they have ended.
  ///
  /// Functions end with their emulator, but one that handles an event goes on for a while.
  ///
  /// - Returns: `false` on systems where the processes can't be found, such as macOS.
  /// - Throws: `RESOURCE_EXHAUSTED` if the system can't create a thread.
  package static func killAll(of run: String) async throws(StatusError) -> Bool {
    #if os(Linux)
      let (ends, end) = AsyncStream<Never>.makeStream()
      // Waiting for the processes blocks the thread.
      try startThread {
        DescendantMark.killAll(with: "\(variable)=\(run)", below: 0)
        end.finish()
      }
      for await _ in ends {}
      return true
    #else
      return false
    #endif
  }
}
