package import Core
import FirestoreModel
package import FunctionRuntime

/// What a function is asked: an event or a call, already as JSON, and what goes with it.
package struct InvocationRequest: Sendable {
  /// One line of JSON, without a line feed.
  package var event: Data
  package var invocation: Invocation
  /// The same event, for who doesn't send it as JSON; nil for a call.
  package var document: DocumentEvent?
  /// Gets the lines with partial results that a worker prints before its result; nil if nobody
  /// wants to know.
  package var onPartial: (@Sendable (_ line: Data) -> Void)?

  /// - Parameter event: JSON that has been read without error. It may span lines: a line feed
  ///   stands only between JSON's tokens, never inside a string, so a space does as well.
  package init(event: Data, invocation: Invocation, document: DocumentEvent? = nil) {
    // What may stand before a text doesn't belong into a line.
    let event = event.withoutByteOrderMark
    let spansLines = event.withUnsafeBytes { $0.contains(0x0A) || $0.contains(0x0D) }
    self.event =
      spansLines ? Data(event.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }) : Data(event)
    self.invocation = invocation
    self.document = document
  }

  /// The line for a worker's stdin.
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

  /// The same for a process of its own.
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
