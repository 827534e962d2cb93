package import HTTPService
import JSONCoding
package import Platform
package import RPCStatus

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
    if CloudEvent.isForm(of: request) {
      let event = try CloudEvent(request)
      id = event["id"] ?? ""
      type = event["type"] ?? ""
      traceparent = event["traceparent"]
      form = .cloudEvent(event)
    } else {
      let event = try FirstGenerationEvent(parsing: request.body)
      id = event.id
      type = event.type
      traceparent = nil
      form = .firstGeneration(event)
    }
  }

  /// Structured mode, one JSON object.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an event of the first generation that has no such form.
  package func cloudEvent() throws(StatusError) -> Data {
    switch form {
    case .cloudEvent(let event): event.json
    case .firstGeneration(let event): try CloudEvent(event).json
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
