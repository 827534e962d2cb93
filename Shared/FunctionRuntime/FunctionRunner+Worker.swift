package import Core
import FirestoreModel

extension FunctionRunner {
  /// Handles the events on stdin, one line at a time, until EOF or SIGTERM.
  ///
  /// For each line, even an invalid one, the worker prints exactly one result line, possibly after
  /// lines with partial results. An event's log lines are written to stderr before its result line
  /// is written to stdout, because neither stream is buffered.
  func runWorker(output: StandardOutput) async {
    let input = StandardInput.Lines(limit: Self.maximumEventBytes + 64 * 1024)
    output.print(readyLine)
    while let line = await input.next(on: executor) {
      var reply: FunctionReply
      switch line {
      case .success(let bytes):
        reply = await self.reply(toLine: bytes) { partial in
          // A partial result that can't be encoded is left out; the result line reports the error.
          if let line = partial.line { output.print(line) }
        }
      case .failure(let error): reply = FunctionReply(function: manifest.name, error: error)
      }
      output.print(reply.line)
    }
  }

  private var readyLine: Data {
    (try? JSON.encode(WorkerReady(function: manifest.name))) ?? Data()
  }

  /// Handles one line of a worker's input.
  ///
  /// - Parameter onPartial: Called with partial results if the line asks for them.
  package func reply(
    toLine line: Data,
    onPartial: @escaping @Sendable (PartialReply) -> Void = { _ in }
  ) async -> FunctionReply {
    let clock = ContinuousClock()
    let start = clock.now
    var reply: FunctionReply
    var invocationID: String?
    do throws(StatusError) {
      let line = try LineEvent(line)
      invocationID = line.invocationID
      let event = try JSON.decode(
        IncomingEvent<Handler.Call>.self,
        from: line.event,
        what: "the event"
      )
      let invocation = try line.invocation()
      reply = await self.reply(
        to: event,
        invocation: invocation,
        onPartial: invocation.streaming == true ? onPartial : nil
      )
    } catch {
      reply = FunctionReply(function: manifest.name, error: error)
    }
    reply.invocationID = invocationID
    reply.duration = clock.now - start
    return reply
  }
}

/// The first line of a worker, printed when it is ready for events.
package struct WorkerReady: Codable, Sendable {
  package var contract = FunctionManifest.contract
  package var function: String
  package var ready = true

  package init(function: String) { self.function = function }
}
