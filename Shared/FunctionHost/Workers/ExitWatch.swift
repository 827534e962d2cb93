import Core

/// A watcher that stops reading a process's output soon after the process has ended.
///
/// A pipe ends only when every process has closed it, and a child that a function left running may
/// hold it open for hours. Such children are killed with the function; if one isn't found, readers
/// wait at most `timeout` for the pipe's end.
struct ExitWatch: Sendable {
  /// The maximum time between the exit and the end of a pipe.
  static let timeout = Duration.seconds(1)

  private let process: ChildProcess

  init(_ process: ChildProcess) {
    self.process = process
    Task {
      _ = await process.exitStatus()
      try? await Task.sleep(for: Self.timeout)
      process.abandonPipes()
    }
  }

  /// Reads the process's output, to its end or, if another process keeps it open, to the end of its
  /// last line.
  ///
  /// - Throws: The errors of `PipeReader.collect`; `INTERNAL` if the pipe stayed open and its last
  ///   line is incomplete.
  func collect(limit: Int) async throws(StatusError) -> [UInt8] {
    do throws(StatusError) {
      return try await process.output.collect(limit: limit)
    } catch {
      guard error.code == .cancelled, !Task.isCancelled else { throw error }
      let printed = process.output.takeAll()
      guard printed.last == UInt8(ascii: "\n") else {
        throw StatusError(
          .internal,
          "the function ended but left a process that keeps its output open within a line"
        )
      }
      return printed
    }
  }
}
