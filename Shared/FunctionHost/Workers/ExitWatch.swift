import Core

/// A watcher that ends waits for a process's output soon after the process has ended.
///
/// A pipe ends only when every process has closed it, and a child that a function left running may
/// keep it open for hours. Such children are killed when the function ends. For a child that isn't
/// found, readers wait at most `timeout` after the function's end.
struct ExitWatch: Sendable {
  /// The maximum time to wait for the end of a pipe after the process has ended.
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

  /// Reads the process's whole output. If another process keeps the pipe open, returns the output
  /// so far, which must end with a complete line.
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
          "the function left a process that keeps its output open, and its last line is incomplete"
        )
      }
      return printed
    }
  }
}
