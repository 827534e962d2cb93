package import Core
import FirestoreModel
package import FunctionRuntime

/// A request to a function: an event or a call as JSON, and its metadata.
package struct InvocationRequest: Sendable {
  /// The event as one line of JSON, without a line feed.
  package var event: Data
  package var invocation: Invocation
  /// The event before it was encoded, for targets that need another format than JSON; `nil` for a
  /// call.
  package var change: ChangeEvent?
  /// A closure for partial results, or `nil` if they aren't needed. It is called with each line
  /// that a worker prints before its result line.
  package var onPartial: (@Sendable (_ line: Data) -> Void)?

  /// - Parameter event: Valid JSON. It may span several lines: valid JSON has line breaks only
  ///   between tokens, so they are replaced by spaces.
  package init(event: Data, invocation: Invocation, change: ChangeEvent? = nil) {
    // A byte order mark is allowed only at the start of JSON, but the worker's line has the event
    // in the middle.
    let event = event.withoutByteOrderMark
    let spansLines = event.withUnsafeBytes { $0.contains(0x0A) || $0.contains(0x0D) }
    self.event =
      spansLines ? Data(event.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }) : Data(event)
    self.invocation = invocation
    self.change = change
  }

  /// Returns the line that is written to a worker's stdin.
  func workerLine() throws(StatusError) -> Data {
    guard let invocation = try? JSON.encode(invocation) else {
      throw StatusError(.internal, "the invocation can't be encoded")
    }
    var line = Data(#"{"event":"#.utf8)
    line.append(event)
    line.append(Data(#","invocation":"#.utf8))
    line.append(invocation)
    line.append(Data("}\n".utf8))
    return line
  }

  /// The invocation's metadata as environment variables, for a process that handles one event.
  var environment: [String: String] {
    var variables: [String: String] = [:]
    variables["INVOCATION_ID"] = invocation.id
    variables["INVOCATION_ATTEMPT"] = invocation.attempt.map(String.init)
    variables["INVOCATION_DEADLINE"] = invocation.deadline?.description
    variables["INVOCATION_TIME"] = invocation.time?.description
    variables["TRACEPARENT"] = invocation.traceparent
    return variables
  }
}
