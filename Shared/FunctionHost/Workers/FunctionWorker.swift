import Core
import FunctionRuntime
import Synchronization

/// A function as a worker: a process that answers events line by line, one at a time.
final class FunctionWorker: Sendable {
  /// What the process was started from.
  let file: FileIdentity?
  private let process: ChildProcess
  private let processes: RunningProcesses
  private let inspection: Inspection?
  private let watchdog: Watchdog
  private let errors: StderrCollector
  private let logging: Task<Void, Never>
  private let name: String
  private let isReady = Atomic(false)

  /// Starts the process; it need not be ready yet.
  init(
    _ function: InstalledFunction,
    logs: any FunctionLog,
    processes: RunningProcesses,
    inspection: Inspection?
  ) throws(StatusError) {
    var command = function.command
    command.arguments = ["--worker"]
    let process = try processes.spawn(command)
    self.process = process
    self.processes = processes
    self.inspection = inspection
    name = function.name
    file = function.file
    _ = ExitWatch(process)
    watchdog = Watchdog(process)
    let errors = StderrCollector(process.errorOutput, function: function.name, logs: logs)
    self.errors = errors
    logging = Task { await errors.run() }
  }

  /// What an invocation leaves behind: its result, and whether the worker can take another.
  struct Answer {
    var result: InvocationResult
    var isUsable: Bool
    /// Whether the worker was not fit for any event, or ended before it read anything of this one.
    var isUnbegun = false
  }

  /// What the worker did with an event.
  private enum Reading {
    case answer(InvocationResult)
    case unfit(StatusError)
    case end(hasBegun: Bool)
    case failure(StatusError)
  }

  /// Always answers; a worker that crashed, hung or broke the protocol is not usable any more.
  ///
  /// - Parameter limit: nil if it may take as long as it likes.
  func invoke(
    _ request: InvocationRequest,
    attempt: LoggedAttempt,
    limit: TimeLimit?
  ) async -> Answer {
    errors.begin(attempt)
    if let limit { watchdog.start(until: limit.end) }
    let reading = await withTaskCancellationHandler {
      await converse(request)
    } onCancel: {
      process.signal(SIGKILL)
    }
    let isTimeUp = watchdog.stop()
    var isUnbegun = false
    do throws(StatusError) {
      if isTimeUp, let limit {
        let missed =
          isReady.load(ordering: .relaxed)
          ? "the function did not answer" : "\(name) --worker did not say that it is ready"
        throw StatusError(.deadlineExceeded, "\(missed) within \(limit.duration)")
      }
      switch reading {
      case .answer(let result):
        try check(result, of: request)
        errors.end()
        return Answer(result: result, isUsable: true)
      case .unfit(let error):
        isUnbegun = true
        throw error
      case .end(let hasBegun):
        isUnbegun = !hasBegun
        let status = await process.terminateGroup(grace: .zero)
        throw StatusError(
          .internal,
          "\(name) ended or closed its output (code \(status.code)) before it answered"
        )
      case .failure(let error): throw error
      }
    } catch {
      await process.terminateGroup(grace: .zero)
      errors.end()
      let exitCode = error.code == .deadlineExceeded ? ExitCode.tryAgain : .bug
      return Answer(
        result: InvocationResult(error, exitCode: exitCode.rawValue),
        isUsable: false,
        isUnbegun: isUnbegun
      )
    }
  }

  /// Returns once it can be given an event.
  ///
  /// - Throws: INTERNAL if it didn't become ready in time.
  func prepare(within limit: TimeLimit) async throws(StatusError) {
    watchdog.start(until: limit.end)
    defer { _ = watchdog.stop() }
    try await becomeReady()
  }

  /// - Throws: INTERNAL if the worker broke the protocol.
  private func check(
    _ result: InvocationResult,
    of request: InvocationRequest
  ) throws(StatusError) {
    guard result.invocationID == nil || result.invocationID == request.invocation.id else {
      throw StatusError(.internal, "\(name) answered another event than the one it was given")
    }
    guard !process.output.hasUntaken else {
      throw StatusError(.internal, "\(name) printed more than its answer")
    }
  }

  /// What comes late is another's.
  ///
  /// - Throws: INTERNAL if the worker broke the protocol.
  private func check(
    _ partial: PartialLine,
    of request: InvocationRequest
  ) throws(StatusError) {
    guard let id = partial.eventID else { return }
    guard id == request.document?.id ?? request.invocation.id else {
      throw StatusError(.internal, "\(name) told of another event than the one it was given")
    }
  }

  private func converse(_ request: InvocationRequest) async -> Reading {
    do throws(StatusError) {
      try await becomeReady()
      try await inspection?.attached(to: process)
    } catch {
      return .unfit(error)
    }
    let line: Data
    do throws(StatusError) {
      line = try request.workerLine()
    } catch {
      return .failure(error)
    }
    var hasBegun = false
    var isWritten = true
    /// Whether it has read any of the event, and so may have done anything.
    var hasTaken: Bool { isWritten && process.unreadInput < line.count }
    do throws(StatusError) {
      do throws(StatusError) {
        try await process.write(line)
        // If others want this thread meanwhile, the answer is often there by the time it is free
        // again: then nobody need be woken for it.
        await Task.yield()
      } catch {
        // It won't answer what it didn't read; what it has printed all the same is still there.
        isWritten = false
        process.signal(SIGKILL)
      }
      var left = FunctionProcess.maximumOutputBytes
      while let line = try await process.output.nextLine(maximumLength: left) {
        // A line that is no result may be one of those before it.
        do throws(StatusError) {
          return .answer(try InvocationResult(line: line))
        } catch {
          guard let partial = PartialLine(line) else { return .failure(error) }
          try check(partial, of: request)
          // Without an id nobody knows whose it is.
          if partial.eventID != nil { request.onPartial?(Data(line)) }
        }
        hasBegun = true
        // Who prints without end leaves the thread to others. An event loop looks at no connection as
        // long as it has work of its own, and a yield is such: so the next turn comes from elsewhere.
        await withTaskExecutorPreference(globalConcurrentExecutor) { await Task.yield() }
        left -= line.count
        guard left > 0 else { throw FunctionProcess.tooMuchOutput }
      }
      return .end(hasBegun: hasBegun || hasTaken)
    } catch {
      switch error.code {
      case .resourceExhausted: return .failure(FunctionProcess.tooMuchOutput)
      case .cancelled where !Task.isCancelled:
        // The worker has ended, and something it left behind keeps its output open.
        return .end(hasBegun: hasBegun || hasTaken || process.output.hasUntaken)
      default: return .failure(error)
      }
    }
  }

  /// Returns once it can be given an event.
  ///
  /// - Throws: INTERNAL if it ended, or printed what nobody asked for.
  private func becomeReady() async throws(StatusError) {
    guard !isReady.load(ordering: .relaxed) else {
      guard process.output.isQuiet() else {
        throw StatusError(.internal, "\(name) ended, or printed what nobody asked for")
      }
      return
    }
    let line = try? await process.output.nextLine(
      maximumLength: FunctionProcess.maximumOutputBytes
    )
    guard let line, !Task.isCancelled,
      let ready = try? JSON.decode(WorkerReady.self, from: Data(line), what: "the line"),
      ready.ready
    else { throw StatusError(.internal, "\(name) --worker did not say that it is ready") }
    isReady.store(true, ordering: .relaxed)
  }

  /// Ends the process: by EOF if it listens, else by signal.
  func end() async {
    process.closeInput()
    await process.terminateGroup(grace: RunningProcesses.grace)
    processes.forget(process)
    watchdog.dismiss()
    await logging.value
    errors.end()
  }
}

/// A line with a streaming function's next piece rather than its result.
private struct PartialLine: Decodable {
  var eventID: String?

  /// - Returns: nil if it is another line.
  init?(_ line: [UInt8]) {
    guard let partial = try? JSON.decode(Self.self, from: Data(line), what: "the line") else {
      return nil
    }
    self = partial
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Member.self)
    guard members.contains(.partial), !members.contains(.status) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "it is no partial result")
      )
    }
    eventID = try members.decodeIfPresent(String.self, forKey: .eventId)
  }

  private enum Member: CodingKey { case eventId, partial, status }
}
