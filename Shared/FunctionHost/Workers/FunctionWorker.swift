import Core
import FunctionRuntime
import Synchronization

/// A worker: a function's process that handles one event after another, each as one line on stdin
/// and one on stdout.
final class FunctionWorker: Sendable {
  /// The identity of the executable file that the process runs, or `nil` if it is unknown.
  let file: FileIdentity?
  private let process: ChildProcess
  private let processes: RunningProcesses
  private let inspection: Inspection?
  private let watchdog: Watchdog
  private let errors: StderrCollector
  private let logging: Task<Void, Never>
  private let name: String
  private let isReady = Atomic(false)

  /// Creates a worker and starts its process, without waiting until it is ready.
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

  /// The outcome of one invocation: its result, and whether the worker can handle another event.
  struct Answer {
    var result: InvocationResult
    var isUsable: Bool
    /// A Boolean value that indicates whether the worker ended before it began the event, so that
    /// another worker can take it.
    var isUnbegun = false
  }

  /// The worker's reaction to an event.
  private enum Reading {
    case answer(InvocationResult)
    case unfit(StatusError)
    case end(hasBegun: Bool)
    case failure(StatusError)
  }

  /// Runs the function on one event. If the worker crashes, exceeds the time limit or breaks the
  /// protocol, the result is a failure and the worker can't be used again.
  ///
  /// - Parameter limit: The time limit, or `nil` for none.
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
    var hasEnded = false
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
        hasEnded = true
        throw error
      case .end(let hasBegun):
        isUnbegun = !hasBegun
        hasEnded = true
        let status = await process.terminateGroup(grace: .zero)
        // A worker that has closed its output, but runs on, ends by this signal.
        let closed = status == .signalled(SIGKILL) ? "closed its output, or " : ""
        throw StatusError(.internal, "\(name) \(closed)\(status), before it answered")
      case .failure(let error): throw error
      }
    } catch {
      await process.terminateGroup(grace: .zero)
      errors.end()
      let error = hasEnded ? error.withComplaint(errors.complaint) : error
      let exitCode = error.code == .deadlineExceeded ? ExitCode.tryAgain : .bug
      return Answer(
        result: InvocationResult(error, exitCode: exitCode.rawValue),
        isUsable: false,
        isUnbegun: isUnbegun
      )
    }
  }

  /// Waits until the worker is ready for an event.
  ///
  /// - Throws: INTERNAL if it didn't become ready in time.
  func prepare(within limit: TimeLimit) async throws(StatusError) {
    watchdog.start(until: limit.end)
    defer { _ = watchdog.stop() }
    try await becomeReady()
  }

  /// Checks that the result belongs to the request, and that the worker printed nothing after it.
  ///
  /// - Throws: INTERNAL if the worker broke the protocol.
  private func check(
    _ result: InvocationResult,
    of request: InvocationRequest
  ) throws(StatusError) {
    guard result.invocationID == nil || result.invocationID == request.invocation.id else {
      throw StatusError(
        .internal,
        "\(name) printed the result of another event"
      )
    }
    guard !process.output.hasUntaken else {
      throw StatusError(.internal, "\(name) printed more than its answer")
    }
  }

  /// Checks that a partial result belongs to the request.
  ///
  /// - Throws: INTERNAL if the worker broke the protocol.
  private func check(
    _ partial: PartialLine,
    of request: InvocationRequest
  ) throws(StatusError) {
    guard let id = partial.eventID else { return }
    guard id == request.change?.id ?? request.invocation.id else {
      throw StatusError(.internal, "\(name) printed a partial result of another event")
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
    /// A Boolean value that indicates whether the worker has read part of the event, so that it may
    /// have begun to handle it.
    var hasTaken: Bool { isWritten && process.unreadInput < line.count }
    do throws(StatusError) {
      do throws(StatusError) {
        try await process.write(line)
        // Let other tasks run on this thread first. Often the answer has arrived when they are
        // done, and then no other thread has to be woken.
        await Task.yield()
      } catch {
        // The worker didn't read the event, so it won't answer. Its earlier output can still be
        // read.
        isWritten = false
        process.signal(SIGKILL)
      }
      var left = FunctionProcess.maximumOutputBytes
      while let line = try await process.output.nextLine(maximumLength: left) {
        // A line that isn't a result may be a partial result.
        do throws(StatusError) {
          return .answer(try InvocationResult(line: line))
        } catch {
          guard let partial = PartialLine(line) else { return .failure(error) }
          try check(partial, of: request)
          // A partial result without an event ID isn't passed on.
          if partial.eventID != nil { request.onPartial?(Data(line)) }
        }
        hasBegun = true
        // A worker that prints endlessly must not block this thread. An event loop doesn't serve
        // its connections while it has tasks to run, such as this one, so yield on another
        // executor.
        await withTaskExecutorPreference(globalConcurrentExecutor) { await Task.yield() }
        left -= line.count
        guard left > 0 else { throw FunctionProcess.tooMuchOutput }
      }
      return .end(hasBegun: hasBegun || hasTaken)
    } catch {
      switch error.code {
      case .resourceExhausted: return .failure(FunctionProcess.tooMuchOutput)
      case .cancelled where !Task.isCancelled:
        // The worker has ended, and a process that it left running keeps its output open.
        return .end(hasBegun: hasBegun || hasTaken || process.output.hasUntaken)
      default: return .failure(error)
      }
    }
  }

  /// Waits for the line with which the worker reports that it is ready. If the worker has been
  /// ready before, checks that it still is.
  ///
  /// - Throws: INTERNAL if the worker ended or printed an unexpected line.
  private func becomeReady() async throws(StatusError) {
    guard !isReady.load(ordering: .relaxed) else {
      guard process.output.isQuiet() else {
        throw StatusError(
          .internal,
          "\(name) ended while it was idle, or printed a line without having an event"
        )
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

  /// Ends the process: closes its input and sends SIGTERM, and after `RunningProcesses.grace`
  /// SIGKILL.
  func end() async {
    process.closeInput()
    await process.terminateGroup(grace: RunningProcesses.grace)
    processes.forget(process)
    watchdog.dismiss()
    await logging.value
    errors.end()
  }
}

/// A line with a partial result of a streaming function.
private struct PartialLine: Decodable {
  var eventID: String?

  /// Creates a partial result from a worker's line, or returns `nil` if the line isn't a partial
  /// result.
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
        .init(codingPath: [], debugDescription: "not a partial result")
      )
    }
    eventID = try members.decodeIfPresent(String.self, forKey: .eventId)
  }

  private enum Member: CodingKey { case eventId, partial, status }
}
