package import Core
import FirestoreModel
package import FunctionRuntime

extension FunctionManifest {
  /// Checks that the function could receive an input in production: a call, if the function is
  /// callable, or an event that matches one of the function's triggers.
  ///
  /// A call's data isn't checked; the function does that.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the input isn't JSON or is an unreadable event;
  ///   `FAILED_PRECONDITION`, with the reason, if the function couldn't receive it.
  package func check(input: Data) throws(StatusError) {
    let json: JSONValue
    do throws(StatusError) {
      json = try JSONValue(parsing: input)
    } catch {
      throw StatusError(.invalidArgument, "the event is \(error.message)")
    }
    guard let members = json.object else {
      throw StatusError(.invalidArgument, "the event is not a JSON object")
    }
    typealias Incoming = IncomingEvent<JSONValue>
    guard Incoming.isEvent(members) else {
      guard callable else {
        throw StatusError(
          .failedPrecondition,
          "\(name) is not callable, and the input is not an event: send an event that a trigger takes"
        )
      }
      return
    }
    switch try JSON.decode(Incoming.self, from: input, what: "the event") {
    case .change(let event):
      switch event {
      case .document(let event):
        try checkNames(in: members, of: event.document)
        try checkDocuments(of: event)
      case .reference(let event): try checkData(of: event)
      case .object(let event): try checkNames(in: members, of: event)
      }
      try check(event)
    case .other(_, let type): throw untaken("none takes events of type \(quoted(type))")
    case .call: break
    }
  }

  /// Checks that an event's attributes name the document in its data.
  private func checkNames(in members: JSONObject, of document: DocumentName) throws(StatusError) {
    let path = document.path.description
    try checkAttributes(
      in: members,
      [
        ("document", path), ("subject", "documents/\(path)"),
        ("database", document.database.database), ("project", document.database.project),
      ]
    )
  }

  /// Checks that an event's attributes name the object in its data.
  private func checkNames(in members: JSONObject, of event: ObjectEvent) throws(StatusError) {
    try checkAttributes(
      in: members,
      [("bucket", event.bucket), ("subject", event.subject), ("source", event.source)]
    )
  }

  /// Checks that the attributes that an event has are those of its data.
  private func checkAttributes(
    in members: JSONObject,
    _ attributes: [(name: ByteKey, value: String)]
  ) throws(StatusError) {
    for (name, own) in attributes {
      guard let given = members[name]?.string, !given.hasSameBytes(as: own) else { continue }
      throw StatusError(
        .failedPrecondition,
        "the event's \(name) is \(quoted(given)), but its data has \(quoted(own))"
      )
    }
  }

  /// Checks that an event has the documents that its type requires.
  private func checkDocuments(of event: DocumentEvent) throws(StatusError) {
    let isWhole =
      switch event.change {
      case .created: event.value != nil && event.oldValue == nil
      case .updated: event.value != nil && event.oldValue != nil
      case .written: event.value != nil
      case .deleted: event.value == nil
      case .finalized, .metadataUpdated: false
      }
    guard isWhole else {
      throw untaken(
        "a \(event.change.rawValue) document has "
          + (event.change == .deleted ? "no value" : "a value")
          + (event.change == .created ? " and no oldValue" : "")
          + (event.change == .updated ? " and an oldValue" : "")
      )
    }
    if let value = event.value, let oldValue = event.oldValue, value.fields == oldValue.fields {
      throw untaken("an update that changes nothing fires no trigger")
    }
  }

  /// Checks that an event has the data that its type requires.
  private func checkData(of event: ReferenceEvent) throws(StatusError) {
    let (before, after) = (event.data.isNull, event.value.isNull)
    let isWhole =
      switch event.change {
      case .created: before && !after
      case .updated: !before && !after
      case .written: !before || !after
      case .deleted: !before && after
      case .finalized, .metadataUpdated: false
      }
    guard isWhole else {
      throw untaken(
        "of a \(event.change.rawValue) node data is what was there before and delta the change; "
          + "these don't fit"
      )
    }
    guard event.data != event.value else {
      throw untaken("a write that changes nothing fires no trigger")
    }
  }

  /// Checks that one of the function's triggers matches an event.
  ///
  /// - Throws: `FAILED_PRECONDITION`, with the reason, if none does.
  func check(_ event: ChangeEvent) throws(StatusError) {
    guard case .refused(let reason) = try bound(to: event).match(event) else { return }
    let isElsewhere = if case .taken = try match(event) { true } else { false }
    let place =
      switch event {
      case .document(let event): event.document.database.description
      case .reference(let event): "the Realtime Database \(event.instance)"
      case .object(let event): "the bucket \(event.bucket)"
      }
    throw untaken(isElsewhere ? "none is for \(place)" : reason)
  }

  private func untaken(_ reason: String) -> StatusError {
    StatusError(
      .failedPrecondition,
      "no trigger of \(name) takes this event: \(reason); change the event or the trigger"
    )
  }
}
