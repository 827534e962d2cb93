import FunctionRuntime
import JSONCoding
import Platform
import Processes
import RPCStatus

/// A function as a process per event: the event on stdin, the result on stdout, the exit code.
struct FunctionProcess: Sendable {
  /// What stdout may hold.
  static let maximumOutputBytes = 16 << 20
  /// A longer line of stderr is dropped.
  static let maximumLogLineBytes = 256 << 10

  let function: InstalledFunction
  let logs: LogStore
  let processes: RunningProcesses

  /// Always answers: a process that crashes, hangs or prints garbage is a failed result.
  func invoke(_ request: InvocationRequest, timeout: Duration, eventID: String) async
    -> InvocationResult
  {
    var command = function.command
    command.environment.merge(request.environment) { _, new in new }
    let process: ChildProcess
    do throws(StatusError) {
      process = try processes.spawn(command)
    } catch {
      return InvocationResult(error, exitCode: ExitCode.bug.rawValue)
    }
    let watch = ExitWatch(process)
    let logging = Task {
      try? await watch.read { [logs, function] in
        await logs.drain(process.errorOutput, function: function.name, eventID: eventID)
      }
    }
    let result = await withDeadline(after: timeout) { () throws(StatusError) in
      try await converse(with: process, watch, request)
    } onTimeout: {
      await process.terminateGroup(grace: .zero)
    }
    let status = await process.terminateGroup(grace: .zero)
    processes.forget(process)
    await logging.value
    return Self.result(result, status: status, timeout: timeout)
  }

  private func converse(
    with process: ChildProcess,
    _ watch: ExitWatch,
    _ request: InvocationRequest
  ) async throws(StatusError) -> [UInt8] {
    // A function that answers without reading its event is in its right: what can't be written
    // doesn't matter then.
    async let writing: Void = {
      try? await watch.read { () throws(StatusError) in
        try await process.write(request.event + [0x0A])
      }
      process.closeInput()
    }()
    let output = try await watch.collect(limit: Self.maximumOutputBytes)
    await writing
    _ = await process.exitStatus()
    return output
  }

  private static func result(
    _ result: Result<[UInt8], StatusError>?,
    status: ExitStatus,
    timeout: Duration
  ) -> InvocationResult {
    switch result {
    case nil:
      return InvocationResult(
        StatusError(.deadlineExceeded, "the function did not end within \(timeout)"),
        exitCode: ExitCode.tryAgain.rawValue
      )
    case .failure(let error):
      return InvocationResult(error, exitCode: ExitCode.bug.rawValue)
    case .success(let output):
      do throws(StatusError) {
        var result = try InvocationResult(line: output.trimmingLineFeeds)
        guard case .exited(let code) = status else { throw Self.ended(status) }
        if result.status == .error {
          // A script may say what is wrong in its line only.
          if code != 0 { result.setExitCode(code) }
        } else if code == 0 {
          result.setExitCode(0)
        } else if code != result.exitCode {
          throw Self.ended(status)
        }
        return result
      } catch {
        guard status == .exited(0) else {
          // Without a line the code alone says it, unless it is none of ours: then it crashed.
          return InvocationResult(
            Self.ended(status),
            exitCode: status.code,
            isRetryable: ExitCode(rawValue: status.code).map { $0 == .tryAgain } ?? true
          )
        }
        return InvocationResult(error, exitCode: ExitCode.bug.rawValue)
      }
    }
  }

  private static func ended(_ status: ExitStatus) -> StatusError {
    switch status {
    case .exited(let code): StatusError(.internal, "the function ended with code \(code)")
    case .signalled(let signal): StatusError(.internal, "signal \(signal) ended the function")
    }
  }
}

extension [UInt8] {
  fileprivate var trimmingLineFeeds: ArraySlice<UInt8> {
    var slice = self[...]
    while slice.last == 0x0A || slice.last == 0x0D { slice.removeLast() }
    return slice
  }
}
