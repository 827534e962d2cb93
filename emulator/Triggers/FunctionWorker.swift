import FunctionRuntime
import JSONCoding
import Platform
import Processes
import RPCStatus

/// A function as a worker: a process that answers events line by line, one at a time.
final class FunctionWorker: Sendable {
  private let process: ChildProcess
  private let processes: RunningProcesses
  private let watch: ExitWatch
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
    let watch = ExitWatch(process)
    self.watch = watch
    logging = Task {
      try? await watch.read {
        await logs.drain(process.errorOutput, function: name, eventID: nil)
      }
    }
    let line = await withDeadline(after: timeout) { () throws(StatusError) in
      try await watch.read { () throws(StatusError) in
        try await process.output.nextLine(maximumLength: FunctionProcess.maximumOutputBytes)
      }
    } onTimeout: {
      await process.terminateGroup(grace: .zero)
    }
    do throws(StatusError) {
      guard let bytes = try line?.get(),
        let ready = try? JSON.decode(WorkerReady.self, from: Data(bytes), what: "the line"),
        ready.ready
      else { throw Self.notReady(name) }
    } catch {
      await end()
      throw error.code == .cancelled ? Self.notReady(name) : error
    }
  }

  private static func notReady(_ name: String) -> StatusError {
    StatusError(.internal, "\(name) --worker did not say that it is ready")
  }

  /// What an invocation leaves behind: its result, and whether the worker can take another.
  struct Answer {
    var result: InvocationResult
    var isUsable: Bool
    /// Whether the worker ended, or didn't read, before it printed anything of an answer.
    var isUnbegun = false
  }

  /// What the worker printed for an event.
  private enum Reading: Sendable {
    case line([UInt8])
    case end(hasBegun: Bool)
  }

  /// Always answers; a worker that crashed, hung or broke the protocol is not usable any more.
  func invoke(_ request: InvocationRequest, timeout: Duration) async -> Answer {
    let (process, name, watch) = (process, name, watch)
    let reading = await withDeadline(after: timeout) { () throws(StatusError) in
      let line = try request.workerLine()
      return try await watch.read { () throws(StatusError) in
        try await Self.converse(with: process, line)
      }
    } onTimeout: {
      await process.terminateGroup(grace: .zero)
    }
    var isUnbegun = false
    do throws(StatusError) {
      guard let reading else {
        throw StatusError(.deadlineExceeded, "the function did not answer within \(timeout)")
      }
      switch try reading.get() {
      case .line(let line):
        let result = try InvocationResult(line: line)
        guard result.invocationID == nil || result.invocationID == request.invocation.id else {
          throw StatusError(.internal, "\(name) answered another event than the one it was given")
        }
        return Answer(result: result, isUsable: true)
      case .end(let hasBegun):
        isUnbegun = !hasBegun
        let status = await process.terminateGroup(grace: .zero)
        throw StatusError(.internal, "\(name) ended (code \(status.code)) before it answered")
      }
    } catch {
      await process.terminateGroup(grace: .zero)
      let exitCode = error.code == .deadlineExceeded ? ExitCode.tryAgain : .bug
      return Answer(
        result: InvocationResult(error, exitCode: exitCode.rawValue),
        isUsable: false,
        isUnbegun: isUnbegun
      )
    }
  }

  private static func converse(
    with process: ChildProcess,
    _ request: Data
  ) async throws(StatusError) -> Reading {
    var hasBegun = false
    do throws(StatusError) {
      try await process.write(request)
    } catch {
      // It won't answer what it didn't read; what it has printed all the same is still there.
      process.signal(SIGKILL)
    }
    do throws(StatusError) {
      while let line = try await process.output.nextLine(
        maximumLength: FunctionProcess.maximumOutputBytes
      ) {
        if !line.isPartial { return .line(line) }
        hasBegun = true
      }
      return .end(hasBegun: hasBegun)
    } catch {
      // The worker has ended, and something it left behind keeps its output open.
      guard error.code == .cancelled else { throw error }
      return .end(hasBegun: hasBegun || !process.output.takeAll().isEmpty)
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
