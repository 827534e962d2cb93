package import Core
package import HTTPService

/// An event received over HTTP: a CloudEvent or a first-generation event.
///
/// Each kind can be converted to the other, because a function may expect either.
package struct ReceivedEvent: Sendable {
  private enum Form: Sendable {
    case cloudEvent(CloudEvent)
    case firstGeneration(FirstGenerationEvent)
  }

  package let id: String
  package let type: String
  /// The event's trace context, or `nil` if it has none.
  package let traceparent: String?
  private let form: Form

  /// Creates an event from a request.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the request isn't an event, `UNIMPLEMENTED` for an unsupported
  ///   format.
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

  /// Returns the event as a CloudEvent.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a first-generation event that has no equivalent.
  package func cloudEvent() throws(StatusError) -> CloudEvent {
    switch form {
    case .cloudEvent(let event): event
    case .firstGeneration(let event): try CloudEvent(event)
    }
  }

  /// Returns the event in the first-generation format, `{"context":…,"data":…}`.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a CloudEvent that has no first-generation equivalent.
  package func firstGeneration() throws(StatusError) -> Data {
    switch form {
    case .cloudEvent(let event): try FirstGenerationEvent(event).json
    case .firstGeneration(let event): event.json
    }
  }
}
