import Processes
import RPCStatus
import Synchronization

/// Ends the reading of what a process prints soon after the process itself.
///
/// A pipe is at its end when nobody has it open any more, and a child that a function leaves
/// behind may have it open for hours. So once the function has ended, its group is killed, and
/// what is in another group keeps readers waiting no longer than `patience`.
final class ExitWatch: Sendable {
  /// How long after the exit a pipe may take to its end.
  static let patience = Duration.seconds(1)

  private struct State {
    /// By a number that tells them apart.
    var cancellations: [Int: @Sendable () -> Void] = [:]
    var count = 0
    var isOver = false
  }

  private let process: ChildProcess
  private let state = Mutex(State())

  init(_ process: ChildProcess) {
    self.process = process
    Task { [self] in
      _ = await process.exitStatus()
      await process.terminateGroup(grace: .zero)
      try? await Task.sleep(for: Self.patience)
      end()
    }
  }

  /// Runs something that reads the process's pipes.
  ///
  /// - Throws: what it does: CANCELLED if the process ended and its pipes didn't.
  func read<Success: Sendable>(
    _ body: @escaping @Sendable () async throws(StatusError) -> Success
  ) async throws(StatusError) -> Success {
    let reading = Task { () -> Result<Success, StatusError> in
      do throws(StatusError) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    let key = begin { reading.cancel() }
    defer { state.withLock { _ = $0.cancellations.removeValue(forKey: key) } }
    let result = await withTaskCancellationHandler {
      await reading.value
    } onCancel: {
      reading.cancel()
    }
    return try result.get()
  }

  /// All that the process prints, to the end of its output or, if it leaves that open, of its last
  /// line.
  ///
  /// - Throws: as `PipeReader.collect` does; `INTERNAL` if the output was left open within a line.
  func collect(limit: Int) async throws(StatusError) -> [UInt8] {
    do throws(StatusError) {
      return try await read { [process] () throws(StatusError) in
        try await process.output.collect(limit: limit)
      }
    } catch {
      guard error.code == .cancelled else { throw error }
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

  private func begin(_ cancel: @escaping @Sendable () -> Void) -> Int {
    let (key, isOver) = state.withLock { state in
      state.count += 1
      state.cancellations[state.count] = cancel
      return (state.count, state.isOver)
    }
    if isOver { cancel() }
    return key
  }

  private func end() {
    let cancellations = state.withLock { state in
      state.isOver = true
      return state.cancellations.values
    }
    for cancel in cancellations { cancel() }
  }
}
