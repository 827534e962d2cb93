import Core

/// One line of a worker's stdin: `{"event":…,"invocation":…}`, or an event as it is.
struct LineEvent {
  /// What the event is, is another's to read: it knows nothing of the line around it.
  let event: JSONValue
  private let member: JSONValue?

  /// - Throws: `INVALID_ARGUMENT` for what is no JSON.
  init(_ line: Data) throws(StatusError) {
    let json = try JSON.parse(line, what: "the event")
    // Beside both, a newer dispatcher may say more; an event alone could be a call's own member.
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

  /// Whose line it is, even where the event or the rest of the invocation can't be read.
  var invocationID: String? { member?["id"]?.string }

  /// - Throws: `INVALID_ARGUMENT`, naming the member that is wrong.
  func invocation() throws(StatusError) -> Invocation {
    guard let member, member != .null else { return Invocation() }
    return try JSON.decode(Invocation.self, from: member, what: "the invocation")
  }
}
