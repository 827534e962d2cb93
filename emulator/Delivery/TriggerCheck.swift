package import Core
import FirestoreModel
package import FunctionRuntime

extension FunctionManifest {
  /// Checks that something on a function's stdin is what a platform could bring it: a call of a callable
  /// function, or an event that one of its triggers takes.
  ///
  /// The function itself judges its calls.
  ///
  /// - Throws: `INVALID_ARGUMENT` for what is no JSON, and for an event that can't be read;
  ///   `FAILED_PRECONDITION`, saying why, for what nobody would bring.
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
          "\(name) is not callable and this is no event: send one that a trigger takes"
        )
      }
      return
    }
    switch try JSON.decode(Incoming.self, from: input, what: "the event") {
    case .document(let event):
      try checkNames(in: members, of: event.document)
      try checkDocuments(of: event)
      try check(event)
    case .other(_, let type): throw untaken("none takes events of type \(quoted(type))")
    case .call: break
    }
  }

  /// Checks that an event's attributes name the document that its data is of.
  private func checkNames(in members: JSONObject, of document: DocumentName) throws(StatusError) {
    let path = document.path.description
    for (name, own) in [
      ("document", path), ("subject", "documents/\(path)"),
      ("database", document.database.database), ("project", document.database.project),
    ] {
      guard let given = members[name]?.string, !given.hasSameBytes(as: own) else { continue }
      throw StatusError(
        .failedPrecondition,
        "the event's \(name) is \(quoted(given)), its data is of \(quoted(own))"
      )
    }
  }

  /// Checks that an event has the documents of its change.
  private func checkDocuments(of event: DocumentEvent) throws(StatusError) {
    let isWhole =
      switch event.change {
      case .created: event.value != nil && event.oldValue == nil
      case .updated: event.value != nil && event.oldValue != nil
      case .written: event.value != nil
      case .deleted: event.value == nil
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
      throw untaken("an update that changes nothing fires nothing")
    }
  }

  /// Checks that a trigger takes an event.
  ///
  /// - Throws: `FAILED_PRECONDITION`, saying why none does.
  func check(_ event: DocumentEvent) throws(StatusError) {
    let bound = bound(to: event.document.database)
    guard case .refused(let reason) = try bound.match(event) else { return }
    let isElsewhere = if case .taken = try match(event) { true } else { false }
    throw untaken(isElsewhere ? "none listens to \(event.document.database)" : reason)
  }

  private func untaken(_ reason: String) -> StatusError {
    StatusError(
      .failedPrecondition,
      "no trigger of \(name) takes this event: \(reason); change the event or the trigger"
    )
  }
}
