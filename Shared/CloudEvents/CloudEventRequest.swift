import FirestoreProtos
package import FunctionRuntime
package import HTTPService
import JSONCoding
import Platform
package import RPCStatus

/// A CloudEvent over HTTP, in binary or structured mode, its data JSON or protobuf; a background
/// event of the first generation, too.
///
/// Whatever it was, it becomes structured JSON, and one decoder checks it. Source: CloudEvents HTTP
/// protocol binding 1.0, and what Google's emulator makes of it: headers with raw UTF-8, a
/// `ce-datacontenttype`, protobuf as base64 text.
package struct CloudEventRequest {
  private let json: Data
  /// Whether it speaks of no document, before or after: nothing happened.
  package let isEmpty: Bool

  /// The attributes that mean something here. The others, such as `subject`, repeat the data.
  private static let attributes = [
    "specversion", "id", "source", "type", "time", "authtype", "authid", "traceparent",
  ]

  /// - Throws: `INVALID_ARGUMENT` for what is no event, `UNIMPLEMENTED` for a form that isn't known.
  package init(_ request: ServiceRequest) throws(StatusError) {
    try request.refuseRepeatedAttributes()
    let type = Self.mediaType(request.headers["content-type"])
    if type.hasPrefix("application/cloudevents-batch") {
      throw StatusError(.unimplemented, "a batch of events isn't taken; send them one by one")
    }
    let isStructured = type.hasPrefix("application/cloudevents")
    guard !isStructured || ["+json", ""].contains(type.dropFirst(Self.structuredType.count)) else {
      throw StatusError(.unimplemented, "events as \(quoted(type)) aren't taken; send JSON")
    }
    if isStructured || request.headers["ce-specversion"] == nil {
      try self.init(structured: request.body)
    } else {
      try self.init(binary: request, contentType: type)
    }
  }

  private static let structuredType = "application/cloudevents"

  private init(binary request: ServiceRequest, contentType: String) throws(StatusError) {
    var attributes: [String: String] = [:]
    for name in Self.attributes {
      guard let value = request.headers["ce-\(name)"] else { continue }
      attributes[name] = try HeaderValue.decode(value, of: "ce-\(name)")
    }
    attributes["traceparent"] = attributes["traceparent"] ?? request.headers["traceparent"]
    let payload = try Payload(request.body, contentType: contentType)
    json = try payload.joined(to: attributes.mapValues(JSONValue.string))
    isEmpty = payload.isEmpty
  }

  private init(structured body: Data) throws(StatusError) {
    var event = try JSONValue(unambiguous: body)?.object ?? [:]
    try event.refuseControlCharacters()
    // What isn't an object is the decoder's to refuse, which says where it is wrong.
    guard let member = event.removeValue(forKey: "data_base64") else {
      json = body
      isEmpty = false
      return
    }
    guard event["data"] == nil else {
      throw StatusError(.invalidArgument, "the event has both data and data_base64")
    }
    guard let bytes = member.string.flatMap({ Data(base64Encoded: $0) }) else {
      throw StatusError(.invalidArgument, "the event's data_base64 is not base64")
    }
    let contentType = Self.mediaType(event["datacontenttype"]?.string ?? "application/json")
    event["datacontenttype"] = nil
    let payload = try Payload(bytes, contentType: contentType)
    json = try payload.joined(to: event)
    isEmpty = payload.isEmpty
  }

  /// A content type without its parameters.
  private static func mediaType(_ header: String?) -> String {
    let type = (header ?? "").prefix { $0 != ";" }
    return type.filter { $0 != " " && $0 != "\t" }.lowercased()
  }

  /// - Throws: `INVALID_ARGUMENT` if an attribute is missing or the data isn't a document's.
  package func event() throws(StatusError) -> IncomingEvent<NoCall> {
    let event = try JSON.decode(IncomingEvent<NoCall>.self, from: json, what: "the event")
    if case .call = event {
      throw StatusError(.invalidArgument, "the event has no specversion: it is no CloudEvent")
    }
    return event
  }
}

/// What an event carries, as JSON.
private struct Payload {
  var json: Data
  var isEmpty = false

  init(_ bytes: Data, contentType: String) throws(StatusError) {
    switch contentType {
    case "application/protobuf", "application/x-protobuf":
      let data = try ProtoDocumentEventData(protobuf: bytes)
      isEmpty = data.isEmpty
      do throws(StatusError) {
        json = try data.json
      } catch {
        // Of all that protobuf can hold, JSON has no form for some times.
        throw StatusError(.invalidArgument, "the event's data has a time that there can't be")
      }
    case _ where contentType == "application/json" || contentType.hasSuffix("+json"):
      guard bytes.isValidUTF8, try JSONValue(unambiguous: bytes) != nil else {
        throw StatusError(.invalidArgument, "the event's data is not valid JSON")
      }
      json = bytes.withoutByteOrderMark
    default:
      throw StatusError(
        .unimplemented,
        "an event's data is application/json or application/protobuf, not \(quoted(contentType))"
      )
    }
  }

  /// The event in structured mode. The data's bytes stay as they are: its numbers keep every digit.
  func joined(to attributes: [String: JSONValue]) throws(StatusError) -> Data {
    guard let head = try? JSON.encode(JSONValue.object(attributes)) else {
      throw StatusError(.internal, "the event can't be encoded")
    }
    return head.dropLast() + Data((attributes.isEmpty ? "" : ",").utf8) + Data(#""data":"#.utf8)
      + json + Data("}".utf8)
  }
}
