import FirestoreModel
import FirestoreProtos
import FunctionRuntime
package import HTTPService
import JSONCoding
package import Platform
package import RPCStatus

/// A CloudEvent of any type, read from an HTTP request in binary or structured mode.
///
/// Source: CloudEvents 1.0, its HTTP protocol binding and its JSON format.
package struct CloudEvent: Sendable {
  /// What the event carries, as the JSON format writes it.
  enum Payload: Sendable {
    case none
    /// JSON as it came: its numbers keep every digit.
    case json(Data)
    case text(String)
    case binary(Data)
  }

  /// All but the data, by their names.
  var attributes: [String: JSONValue]
  var payload: Payload

  init(attributes: [String: JSONValue], payload: Payload) {
    self.attributes = attributes
    self.payload = payload
  }

  package subscript(name: String) -> String? { attributes[name]?.string }

  /// Whether a request says that it carries a CloudEvent.
  package static func isForm(of request: ServiceRequest) -> Bool {
    if mediaType(request.headers["content-type"]).hasPrefix(structuredType) { return true }
    if request.headers.keys.contains(where: { $0.hasPrefix("ce-") }) { return true }
    return (try? JSONValue(parsing: request.body))?["specversion"] != nil
  }

  /// - Throws: `INVALID_ARGUMENT`, naming the attribute, for what is no event; `UNIMPLEMENTED` for
  ///   a form that isn't taken.
  package init(_ request: ServiceRequest) throws(StatusError) {
    let type = Self.mediaType(request.headers["content-type"])
    if type.hasPrefix("application/cloudevents-batch") {
      throw StatusError(.unimplemented, "a batch of events isn't taken; send them one by one")
    }
    let isStructured = type.hasPrefix(Self.structuredType)
    guard !isStructured || ["+json", ""].contains(type.dropFirst(Self.structuredType.count)) else {
      throw StatusError(.unimplemented, "events as \(quoted(type)) aren't taken; send JSON")
    }
    let isBinary = request.headers.keys.contains { $0.hasPrefix("ce-") }
    if isStructured || !isBinary {
      try self.init(structured: request.body)
    } else {
      try self.init(binary: request, contentType: type)
    }
    try check()
  }

  private static let structuredType = "application/cloudevents"

  /// A content type without its parameters.
  private static func mediaType(_ header: String?) -> String {
    (header ?? "").prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
  }

  // MARK: Binary mode

  private init(binary request: ServiceRequest, contentType: String) throws(StatusError) {
    var attributes: [String: JSONValue] = [:]
    for (header, value) in request.headers where header.hasPrefix("ce-") {
      let name = String(header.dropFirst(3))
      guard Self.isName(name) else {
        throw StatusError(.invalidArgument, "the header \(quoted(header)) names no attribute")
      }
      // A byte that isn't UTF-8 was replaced before it came here.
      guard !value.unicodeScalars.contains("\u{FFFD}") else {
        throw StatusError(.invalidArgument, "the header \(quoted(header)) is not UTF-8")
      }
      attributes[name] = .string(try HeaderValue.decode(value, of: header))
    }
    attributes["datacontenttype"] = request.headers["content-type"].map(JSONValue.string)
    if attributes["traceparent"] == nil, let trace = request.headers["traceparent"] {
      attributes["traceparent"] = .string(trace)
    }
    self.init(attributes: attributes, payload: .none)
    try setPayload(request.body, contentType: contentType)
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
  }

  private mutating func setPayload(_ bytes: Data, contentType: String) throws(StatusError) {
    guard !bytes.isEmpty else { return }
    if contentType.isEmpty || contentType == "application/json" || contentType.hasSuffix("+json") {
      guard bytes.isValidUTF8, try JSONValue(unambiguous: bytes) != nil else {
        throw StatusError(.invalidArgument, "the event's data is not valid JSON")
      }
      payload = .json(bytes.withoutByteOrderMark)
    } else if ["application/protobuf", "application/x-protobuf"].contains(contentType),
      EventType(self["type"] ?? "") != nil
    {
      // Functions read documents as JSON.
      do throws(StatusError) {
        payload = .json(try ProtoDocumentEventData(protobuf: bytes).json)
      } catch  where error.code != .invalidArgument {
        throw StatusError(.invalidArgument, "the event's data has a time that there can't be")
      }
      attributes["datacontenttype"] = .string("application/json")
    } else if contentType.hasPrefix("text/"), let text = String(validating: bytes, as: UTF8.self) {
      payload = .text(text)
    } else {
      payload = .binary(bytes)
    }
  }

  // MARK: Structured mode

  private init(structured body: Data) throws(StatusError) {
    guard body.isValidUTF8 else {
      throw StatusError(.invalidArgument, "the event is not valid UTF-8")
    }
    guard var members = try JSONValue(unambiguous: body)?.object else {
      throw StatusError(.invalidArgument, "the event is not a JSON object")
    }
    let data = members.removeValue(forKey: "data")
    let base64 = members.removeValue(forKey: "data_base64")
    if let name = members.keys.first(where: { !Self.isName($0) }) {
      throw StatusError(.invalidArgument, "the event's member \(quoted(name)) is no attribute")
    }
    try members.refuseControlCharacters()
    self.init(attributes: members, payload: .none)
    if let base64 {
      guard data == nil else {
        throw StatusError(.invalidArgument, "the event has both data and data_base64")
      }
      guard let bytes = base64.string.flatMap({ Data(base64Encoded: $0) }) else {
        throw StatusError(.invalidArgument, "the event's data_base64 is not base64")
      }
      try setPayload(bytes, contentType: Self.mediaType(self["datacontenttype"]))
    } else if let data {
      whole = body
      payload = .json((try? JSON.encode(data)) ?? Data())
    } else {
      whole = body
    }
  }

  /// The event as it came, where nothing of it had to be rewritten.
  private var whole: Data?

  // MARK: Checking and writing

  private func check() throws(StatusError) {
    for name in ["specversion", "id", "source", "type"] {
      guard let value = attributes[name] else {
        throw StatusError(.invalidArgument, "the event has no \(name): it is no CloudEvent")
      }
      guard let text = value.string, !text.isEmpty else {
        throw StatusError(.invalidArgument, "the event's \(name) is empty or no string")
      }
    }
    guard self["specversion"] == "1.0" else {
      throw StatusError(.invalidArgument, "the event's specversion is not 1.0")
    }
    guard let time = attributes["time"], time != .null else { return }
    do throws(StatusError) {
      _ = try Timestamp(time.string ?? "")
    } catch {
      throw StatusError(.invalidArgument, "the event's time is \(error.message)")
    }
  }

  /// Structured mode, one JSON object.
  package var json: Data {
    if let whole { return whole }
    guard let head = try? JSON.encode(JSONValue.object(attributes)) else { return Data() }
    let data: Data
    switch payload {
    case .none: return head
    case .json(let bytes): data = Data(#""data":"#.utf8) + bytes
    case .text(let text): data = Data(#""data":"#.utf8) + ((try? JSON.encode(text)) ?? Data())
    case .binary(let bytes): data = Data(#""data_base64":"\#(bytes.base64EncodedString())""#.utf8)
    }
    return head.dropLast() + Data(",".utf8) + data + Data("}".utf8)
  }

  /// The data as a value, null if there is none or it isn't JSON.
  var value: JSONValue {
    switch payload {
    case .json(let bytes): (try? JSONValue(parsing: bytes)) ?? .null
    case .text(let text): .string(text)
    case .none, .binary: .null
    }
  }
}
