import Core
import FunctionRuntime

/// A process that runs a function for one event: it reads the event from stdin, prints the result
/// to stdout, and ends with an exit code.
final class FunctionProcess: Sendable {
  /// The maximum size of the output in bytes.
  static let maximumOutputBytes = 16 << 20

  private let process: ChildProcess
  private let processes: RunningProcesses
  private let request: InvocationRequest
  private let errors: StderrCollector

  /// Starts the process.
  init(
    _ function: InstalledFunction,
    logs: any FunctionLog,
    processes: RunningProcesses,
    request: InvocationRequest,
    attempt: LoggedAttempt
  ) throws(StatusError) {
    var command = function.command
    command.environment.merge(request.environment) { _, new in new }
    process = try processes.spawn(command)
    self.processes = processes
    self.request = request
    errors = StderrCollector(
      process.errorOutput,
      function: function.name,
      logs: logs,
      attempt: attempt
    )
  }

  /// Sends the event and returns the result. If the process crashes, exceeds the time limit or
  /// prints invalid output, the result is a failure.
  ///
  /// - Parameter limit: The time limit, or `nil` for none.
  func invoke(limit: TimeLimit?, inspection: Inspection?) async -> InvocationResult {
    let watch = ExitWatch(process)
    let watchdog = Watchdog(process)
    if let limit { watchdog.start(until: limit.end) }
    async let logging: Void = errors.run()
    let output = await withTaskCancellationHandler {
      await converse(watch, inspection)
    } onCancel: {
      process.signal(SIGKILL)
    }
    let isTimeUp = watchdog.stop()
    watchdog.dismiss()
    let status = await process.terminateGroup(grace: .zero)
    processes.forget(process)
    await logging
    errors.end()
    if isTimeUp, let limit {
      return InvocationResult(
        StatusError(.deadlineExceeded, "the function did not end within \(limit.duration)"),
        exitCode: ExitCode.tryAgain.rawValue
      )
    }
    return Self.result(output, status: status, complaint: errors.complaint)
  }

  private func converse(
    _ watch: ExitWatch,
    _ inspection: Inspection?
  ) async -> Result<[UInt8], StatusError> {
    // A function may print its result without reading its event, so a failed write isn't an error.
    async let writing: Void = write(inspection)
    do throws(StatusError) {
      let output = try await watch.collect(limit: Self.maximumOutputBytes)
      await writing
      _ = await process.exitStatus()
      return .success(output)
    } catch {
      // Killing the process ends the pending write.
      process.signal(SIGKILL)
      return .failure(error.code == .resourceExhausted ? Self.tooMuchOutput : error)
    }
  }

  private func write(_ inspection: Inspection?) async {
    try? await inspection?.attached(to: process)
    try? await process.write(request.event + [0x0A])
    process.closeInput()
  }

  static var tooMuchOutput: StatusError {
    StatusError(
      .internal,
      "the function printed more than \(maximumOutputBytes >> 20) MiB for one event"
    )
  }

  private static func result(
    _ result: Result<[UInt8], StatusError>,
    status: ExitStatus,
    complaint: String?
  ) -> InvocationResult {
    switch result {
    case .failure(let error):
      return InvocationResult(error, exitCode: ExitCode.bug.rawValue)
    case .success(let output):
      let line = output.trimmingLineFeeds
      var result: InvocationResult
      do throws(StatusError) {
        result = try InvocationResult(line: line)
      } catch {
        guard status == .exited(0) else {
          let circumstance = line.isEmpty ? "without a result" : "without a valid result line"
          return ended(status, circumstance, complaint)
        }
        let hint =
          line.contains(0x0A) ? "; print only the result to stdout, and logs to stderr" : ""
        return InvocationResult(
          StatusError(error.code, error.message + hint),
          exitCode: ExitCode.bug.rawValue
        )
      }
      switch status {
      // A script may report the exit code only in its result line, and exit with 0.
      case .exited(0) where result.status == .error: return result
      case .exited(let code)
      where code == 0 || result.status == .error || code == result.exitCode:
        result.setExitCode(code)
        return result
      default: return ended(status, "after the result \(result.status.rawValue)", complaint)
      }
    }
  }

  /// Returns the result of a function that ended without a usable result line.
  ///
  /// The exit code decides whether to retry. An unknown code means a crash, so retry.
  ///
  /// - Parameter complaint: The last line on stderr.
  private static func ended(
    _ status: ExitStatus,
    _ circumstance: String,
    _ complaint: String?
  ) -> InvocationResult {
    InvocationResult(
      StatusError(.internal, "the function \(status) \(circumstance)").withComplaint(complaint),
      exitCode: status.code,
      isRetryable: ExitCode(rawValue: status.code).map { $0 == .tryAgain } ?? true
    )
  }
}

extension StatusError {
  /// Returns the error with the last line that the function printed on stderr.
  func withComplaint(_ line: String?) -> StatusError {
    guard let line else { return self }
    var error = self
    error.message += ": \(quoted(line, atMost: 300))"
    return error
  }
}

extension [UInt8] {
  fileprivate var trimmingLineFeeds: ArraySlice<UInt8> {
    var slice = self[...]
    while slice.last == 0x0A || slice.last == 0x0D { slice.removeLast() }
    return slice
  }
}
