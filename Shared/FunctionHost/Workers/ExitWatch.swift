import Core

/// Ends the reading of what a process prints soon after the process itself.
///
/// A pipe is at its end when nobody has it open any more, and a child that a function leaves
/// behind may have it open for hours. Such children end with the function; one that isn't found keeps
/// readers waiting no longer than `patience`.
struct ExitWatch: Sendable {
  /// How long after the exit a pipe may take to its end.
  static let patience = Duration.seconds(1)

  private let process: ChildProcess

  init(_ process: ChildProcess) {
    self.process = process
    Task {
      _ = await process.exitStatus()
      try? await Task.sleep(for: Self.patience)
      process.abandonPipes()
    }
  }

  /// All that the process prints, to the end of its output or, if it leaves that open, of its last
  /// line.
  ///
  /// - Throws: as `PipeReader.collect` does; `INTERNAL` if the output was left open within a line.
  func collect(limit: Int) async throws(StatusError) -> [UInt8] {
    do throws(StatusError) {
      return try await process.output.collect(limit: limit)
    } catch {
      guard error.code == .cancelled, !Task.isCancelled else { throw error }
      let printed = process.output.takeAll()
      guard printed.last == UInt8(ascii: "\n") else {
        throw StatusError(
          .internal,
          "a process that was left behind keeps the output open, and no complete line is in it"
        )
      }
      return printed
    }
  }
}
