import FunctionRuntime
import HTTPService
import JSONCoding
import Platform
import RPCStatus

/// A CloudEvent over HTTP, in binary or structured mode.
///
/// Source: CloudEvents HTTP protocol binding 1.0.
struct CloudEventRequest {
  private let json: Data

  /// - Throws: `INVALID_ARGUMENT` for what is no event, `UNIMPLEMENTED` for the forms that aren't
  ///   built.
  init(_ request: ServiceRequest) throws(StatusError) {
    let type = request.headers["content-type"]?.lowercased() ?? ""
    if type.hasPrefix("application/cloudevents-batch") {
      throw StatusError(.unimplemented, "batches of events are not built yet")
    }
    guard request.headers["ce-specversion"] != nil, !type.hasPrefix("application/cloudevents")
    else {
      json = request.body
      return
    }
    guard type.hasPrefix("application/json") else {
      throw StatusError(
        .unimplemented,
        "events as \(quoted(type)) are not built yet; send application/json"
      )
    }
    guard request.body.isValidUTF8, let data = try? JSONValue(parsing: request.body) else {
      throw StatusError(.invalidArgument, "the event's data is not valid JSON")
    }
    var event: [String: JSONValue] = ["data": data]
    for (name, value) in request.headers where name.hasPrefix("ce-") {
      // Header values are percent-encoded where they aren't printable ASCII (section 3.1.3.2).
      event[String(name.dropFirst(3))] = .string(try ServiceRequest.decode(value))
    }
    guard let json = try? JSON.encode(JSONValue.object(event)) else {
      throw StatusError(.internal, "the event can't be encoded")
    }
    self.json = json
  }

  /// - Throws: `INVALID_ARGUMENT` if an attribute is missing or the data isn't a document's.
  func event() throws(StatusError) -> IncomingEvent<NoCall> {
    let event = try JSON.decode(IncomingEvent<NoCall>.self, from: json, what: "the event")
    if case .call = event {
      throw StatusError(.invalidArgument, "the event has no specversion: it is no CloudEvent")
    }
    return event
  }
}
