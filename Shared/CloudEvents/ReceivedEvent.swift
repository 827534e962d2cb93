package import Core
package import HTTPService

/// An event of any kind over HTTP, in the form it came in: a CloudEvent or one of the first
/// generation. Either becomes the other where a function wants that.
package struct ReceivedEvent: Sendable {
  private enum Form: Sendable {
    case cloudEvent(CloudEvent)
    case firstGeneration(FirstGenerationEvent)
  }

  package let id: String
  package let type: String
  /// The event's own trace, nil if it has none.
  package let traceparent: String?
  private let form: Form

  /// - Throws: `INVALID_ARGUMENT` for what is no event, `UNIMPLEMENTED` for a form that isn't taken.
  package init(_ request: ServiceRequest) throws(StatusError) {
    try request.refuseRepeatedAttributes()
    form = try Self.form(of: request)
    switch form {
    case .cloudEvent(let event):
      id = event["id"] ?? ""
      type = event["type"] ?? ""
      traceparent = event["traceparent"]
    case .firstGeneration(let event):
      id = event.id
      type = event.type
      traceparent = nil
    }
  }

  private static func form(of request: ServiceRequest) throws(StatusError) -> Form {
    let isStructured = try request.isStructuredEvent
    if !isStructured, request.announcesEvent {
      return .cloudEvent(try CloudEvent(binary: request))
    }
    guard request.body.isValidUTF8 else {
      throw StatusError(.invalidArgument, "the event is not valid UTF-8")
    }
    guard let members = try JSONValue(unambiguous: request.body)?.object else {
      throw StatusError(.invalidArgument, "the event is not a JSON object")
    }
    if isStructured || members["specversion"] != nil {
      return .cloudEvent(try CloudEvent(structured: members, in: request.body))
    }
    return .firstGeneration(try FirstGenerationEvent(members))
  }

  /// - Throws: `INVALID_ARGUMENT` for an event of the first generation that there is no CloudEvent of.
  package func cloudEvent() throws(StatusError) -> CloudEvent {
    switch form {
    case .cloudEvent(let event): event
    case .firstGeneration(let event): try CloudEvent(event)
    }
  }

  /// `{"context":…,"data":…}`.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a CloudEvent that the first generation didn't have.
  package func firstGeneration() throws(StatusError) -> Data {
    switch form {
    case .cloudEvent(let event): try FirstGenerationEvent(event).json
    case .firstGeneration(let event): event.json
    }
  }
}
