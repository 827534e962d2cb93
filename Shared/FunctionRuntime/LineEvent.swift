import Core

/// A line of a worker's stdin: `{"event":…,"invocation":…}`, or only an event.
struct LineEvent {
  /// The event, without the object around it.
  let event: JSONValue
  private let member: JSONValue?

  /// Parses a line.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the line isn't JSON.
  init(_ line: Data) throws(StatusError) {
    let json = try JSON.parse(line, what: "the event")
    // With `invocation`, ignore further fields, which a newer dispatcher may send. Without it,
    // `event` must be the only field: otherwise the object may be a call's bare data.
    if let members = json.object, let event = members["event"],
      members["invocation"] != nil || members.count == 1
    {
      self.event = event
      member = members["invocation"]
    } else {
      event = json
      member = nil
    }
  }

  /// The invocation's ID, available even if the event or the rest of the invocation is invalid.
  var invocationID: String? { member?["id"]?.string }

  /// Decodes the invocation.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the invalid field.
  func invocation() throws(StatusError) -> Invocation {
    guard let member, member != .null else { return Invocation() }
    return try JSON.decode(Invocation.self, from: member, what: "the invocation")
  }
}
