import FunctionRuntime
import JSONCoding
import Platform
import Processes
import RPCStatus

/// A function as a worker: a process that answers events line by line, one at a time.
final class FunctionWorker: Sendable {
  private let process: ChildProcess
  private let processes: RunningProcesses
  private let logging: Task<Void, Never>
  private let name: String

  /// Starts the process and waits until it says that it is ready.
  init(
    _ function: InstalledFunction,
    logs: LogStore,
    processes: RunningProcesses,
    timeout: Duration
  ) async throws(StatusError) {
    var command = function.command
    command.arguments = ["--worker"]
    let process = try processes.spawn(command)
    self.process = process
    self.processes = processes
    let name = function.name
    self.name = name
    logging = Task { await logs.drain(process.errorOutput, function: name, eventID: nil) }
    let line = await withDeadline(after: timeout) { () throws(StatusError) in
      try await process.output.nextLine(maximumLength: FunctionProcess.maximumOutputBytes)
    } onTimeout: {
      await process.terminateGroup(grace: .zero)
    }
    do throws(StatusError) {
      guard let bytes = try line?.get(),
        let ready = try? JSON.decode(WorkerReady.self, from: Data(bytes), what: "the line"),
        ready.ready
      else { throw StatusError(.internal, "\(name) --worker did not say that it is ready") }
    } catch {
      await end()
      throw error
    }
  }

  /// What an invocation leaves behind: its result, and whether the worker can take another.
  struct Answer {
    var result: InvocationResult
    var isUsable: Bool
  }

  /// Always answers; a worker that crashed, hung or broke the protocol is not usable any more.
  func invoke(_ request: InvocationRequest, timeout: Duration) async -> Answer {
    let (process, name) = (process, name)
    let line = await withDeadline(after: timeout) { () throws(StatusError) in
      try await process.write(request.workerLine())
      while true {
        let line = try await process.output.nextLine(
          maximumLength: FunctionProcess.maximumOutputBytes
        )
        guard let line else { throw StatusError(.internal, "\(name) ended before it answered") }
        if !line.isPartial { return line }
      }
    } onTimeout: {
      await process.terminateGroup(grace: .zero)
    }
    do throws(StatusError) {
      guard let line else {
        throw StatusError(.deadlineExceeded, "the function did not answer within \(timeout)")
      }
      let result = try InvocationResult(line: line.get())
      guard result.invocationID == nil || result.invocationID == request.invocation.id else {
        throw StatusError(.internal, "\(name) answered another event than the one it was given")
      }
      return Answer(result: result, isUsable: true)
    } catch {
      let status = await process.terminateGroup(grace: .zero)
      var error = error
      if error.code == .unavailable || error.message.hasSuffix("before it answered") {
        error = StatusError(.internal, "\(name) ended (code \(status.code)) before it answered")
      }
      let exitCode = error.code == .deadlineExceeded ? ExitCode.tryAgain : .bug
      return Answer(
        result: InvocationResult(error, exitCode: exitCode.rawValue),
        isUsable: false
      )
    }
  }

  /// Ends the process: by EOF if it listens, else by signal.
  func end() async {
    process.closeInput()
    await process.terminateGroup(grace: RunningProcesses.grace)
    processes.forget(process)
    await logging.value
  }
}

/// Whether a line carries a streaming function's next piece rather than its result.
private struct LineKind: Decodable {
  var isPartial: Bool

  init(from decoder: any Decoder) throws {
    let names = try decoder.container(keyedBy: MemberName.self)
    isPartial =
      names.contains(MemberName(stringValue: "partial"))
      && !names.contains(MemberName(stringValue: "status"))
  }
}

extension [UInt8] {
  fileprivate var isPartial: Bool {
    (try? JSON.decode(LineKind.self, from: Data(self), what: "the line"))?.isPartial ?? false
  }
}
