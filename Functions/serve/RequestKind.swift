import Calls
import CloudEvents
import HTTPService
import JSONCoding

/// What a POST is, told from its headers and the members of its body.
enum RequestKind {
  case event
  case call(CallRequest.Form)

  init(_ request: ServiceRequest) {
    guard !request.announcesEvent else {
      self = .event
      return
    }
    let members = (try? JSONValue(parsing: request.body))?.object ?? [:]
    func has(_ names: String...) -> Bool { names.allSatisfy { members[$0] != nil } }
    if has("specversion", "id", "source", "type") || has("context", "data")
      || has("eventId", "eventType", "data")
    {
      self = .event
    } else {
      self = .call(has("data") ? .callable : .bare)
    }
  }

  /// The name of a request that was refused before its kind was known.
  static let unknown = "request"

  /// For logs and metrics.
  var name: String {
    switch self {
    case .event: "event"
    case .call(.callable): "callable"
    case .call(.bare): "bare"
    }
  }
}
