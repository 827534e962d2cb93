import CloudEvents
import Core
import FunctionHost
import HTTPService

/// The kind of a POST request, derived from its headers and the fields of its body.
enum RequestKind {
  case event
  case call(CallRequest.Form)

  /// Creates the kind that a request's headers indicate.
  init(announcedBy request: ServiceRequest) {
    let isJSON = request.headers["content-type"]?.mediaType == "application/json"
    self = request.announcesEvent ? .event : .call(isJSON ? .callable : .bare)
  }

  /// Creates the kind that the fields of a body indicate.
  init(ofBody body: Data) {
    let members = (try? JSONValue(parsing: body))?.object ?? [:]
    func has(_ names: ByteKey...) -> Bool { names.allSatisfy { members[$0] != nil } }
    if has("specversion", "id", "source", "type") || has("context", "data")
      || has("eventId", "eventType", "data")
    {
      self = .event
    } else {
      self = .call(CallRequest.Form(ofBody: members))
    }
  }

  /// The name of a request that was refused before its kind was known.
  static let unknown = "request"

  /// The name in logs and metrics.
  var name: String {
    switch self {
    case .event: "event"
    case .call(.callable): "callable"
    case .call(.bare): "bare"
    }
  }
}
