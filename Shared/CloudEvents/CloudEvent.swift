package import Core
import FirestoreModel
import FirestoreProtos
package import FunctionRuntime
import HTTPService

/// A CloudEvent of any type.
///
/// Source: CloudEvents 1.0, its HTTP protocol binding and its JSON format.
package struct CloudEvent: Sendable {
  enum Payload: Sendable {
    case none
    /// JSON as received, so that numbers keep every digit.
    case json(Data)
    case value(JSONValue)
    case binary(Data)
    /// The whole event as received in structured mode, including its field `data`.
    case enclosed(Data)
  }

  /// The event's attributes by name: all its fields except the data.
  private var attributes: JSONObject
  private var payload: Payload

  /// Creates an event from its attributes and payload, after checking the attributes.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the attribute that is missing or invalid.
  init(attributes: JSONObject, payload: Payload) throws(StatusError) {
    self.attributes = attributes
    self.payload = payload
    for (name, value) in attributes {
      guard let text = value.string else { continue }
      let maximumBytes = EventAttribute.maximumBytes(of: name.string)
      try Self.check(text, of: name.string, maximumBytes: maximumBytes)
    }
    for name in ["specversion", "id", "source", "type"] {
      guard let value = attributes[name] else {
        throw StatusError(.invalidArgument, "the event has no \(name): it is not a CloudEvent")
      }
      guard let text = value.string, !text.isEmpty else {
        throw StatusError(.invalidArgument, "the event's \(name) is empty or not a string")
      }
    }
    guard attributes["specversion"] == .string("1.0") else {
      throw StatusError(.invalidArgument, "the event's specversion is not 1.0")
    }
    guard let time = attributes["time"], time != .null else { return }
    do throws(StatusError) {
      _ = try Timestamp(time.string ?? "")
    } catch {
      throw StatusError(.invalidArgument, "the event's time is \(error.message)")
    }
  }

  /// Checks the length and the characters of an attribute's value.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the attribute, if it is too long or has control
  ///   characters.
  static func check(
    _ text: String,
    of name: String,
    maximumBytes: Int = EventAttribute.maximumBytes
  ) throws(StatusError) {
    guard text.utf8.count <= maximumBytes else {
      throw StatusError(
        .invalidArgument,
        "the event's \(quoted(name)) is longer than \(maximumBytes) bytes"
      )
    }
    guard !text.hasControlCharacters else {
      throw StatusError(.invalidArgument, "the event's \(quoted(name)) has control characters")
    }
  }

  package subscript(name: String) -> String? { attributes[name]?.string }

  // MARK: Reading

  /// Creates an event from a request in binary mode.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the invalid part; `UNIMPLEMENTED` for a document event
  ///   whose data is neither JSON nor protobuf.
  init(binary request: ServiceRequest) throws(StatusError) {
    var attributes: JSONObject = [:]
    for (header, value) in request.headers where header.hasPrefix("ce-") {
      let name = String(header.dropFirst(3))
      guard Self.isName(name) else {
        throw StatusError(
          .invalidArgument,
          "the header \(quoted(header)) is not a valid attribute name"
        )
      }
      // The HTTP server has replaced bytes that aren't UTF-8 by U+FFFD.
      guard !value.unicodeScalars.contains("\u{FFFD}") else {
        throw StatusError(.invalidArgument, "the header \(quoted(header)) is not UTF-8")
      }
      attributes[name] = .string(try HeaderValue.decode(value, of: header))
    }
    // HTTP allows tabs in header fields, but CloudEvents doesn't allow them in attributes.
    attributes["datacontenttype"] = request.headers["content-type"].map {
      .string($0.replacing("\t", with: " "))
    }
    if attributes["traceparent"] == nil, let trace = request.headers["traceparent"],
      !trace.hasControlCharacters
    {
      attributes["traceparent"] = .string(trace)
    }
    try self.init(attributes: attributes, payload: .none)
    try setPayload(request.body)
  }

  /// Creates an event from a body in structured mode.
  ///
  /// - Parameters:
  ///   - members: The fields of the body.
  ///   - body: The body, one JSON object.
  /// - Throws: The errors of `init(binary:)`.
  init(structured members: JSONObject, in body: Data) throws(StatusError) {
    var attributes = members
    let data = attributes.removeValue(forKey: "data")
    let base64 = attributes.removeValue(forKey: "data_base64")
    if let name = attributes.keys.map(\.string).first(where: { !Self.isName($0) }) {
      throw StatusError(
        .invalidArgument,
        "the event's field \(quoted(name)) is not a valid attribute name"
      )
    }
    try self.init(attributes: attributes, payload: .enclosed(body))
    guard let base64, base64 != .null else {
      try checkDocumentIsJSON()
      return
    }
    guard data == nil else {
      throw StatusError(.invalidArgument, "the event has both data and data_base64")
    }
    guard let bytes = base64.string.flatMap({ Data(base64Encoded: $0) }) else {
      throw StatusError(.invalidArgument, "the event's data_base64 is not base64")
    }
    try setPayload(bytes)
  }

  /// Returns whether a text can be an attribute's name. `data` can't: it is the name of the
  /// payload's field.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
      && name != "data"
  }

  /// The format of the data according to `datacontenttype`.
  private enum DataFormat {
    case unsaid, json, protobuf
    case other(String)
  }

  private var dataFormat: DataFormat {
    switch self["datacontenttype"]?.mediaType ?? "" {
    case "": .unsaid
    case "application/json": .json
    case "application/protobuf", "application/x-protobuf": .protobuf
    case let type where type.hasSuffix("+json"): .json
    case let type: .other(type)
    }
  }

  /// Checks that a document event in structured mode declares its field `data` as JSON, or declares
  /// no format.
  private func checkDocumentIsJSON() throws(StatusError) {
    guard isOfDocument else { return }
    switch dataFormat {
    case .unsaid, .json: return
    case .protobuf:
      throw StatusError(
        .invalidArgument,
        "the event's data can't be protobuf: send protobuf as data_base64"
      )
    case .other(let type): throw Self.noDocument(type)
    }
  }

  /// Sets the payload in the format that `datacontenttype` names. Without that attribute, the
  /// payload is JSON if it can be parsed as JSON, and otherwise binary.
  private mutating func setPayload(_ bytes: Data) throws(StatusError) {
    let format = dataFormat
    switch (format, isOfDocument) {
    case (.protobuf, true):
      // Functions read documents as JSON.
      do throws(StatusError) {
        payload = .json(try ProtoDocumentEventData(protobuf: bytes).json)
      } catch  where error.code != .invalidArgument {
        throw StatusError(.invalidArgument, "the event's data has an invalid time")
      }
      attributes["datacontenttype"] = .string("application/json")
    case _ where bytes.isEmpty: payload = .none
    case (.other(let type), true): throw Self.noDocument(type)
    case (.unsaid, let isOfDocument), (.json, let isOfDocument):
      if try JSONValue(unambiguous: bytes) != nil {
        payload = .json(bytes.withoutByteOrderMark)
      } else if case .unsaid = format, !isOfDocument {
        payload = .binary(bytes)
      } else {
        throw StatusError(.invalidArgument, "the event's data is not valid JSON")
      }
    case (.other(let type), false):
      let text = type.hasPrefix("text/") ? String(validating: bytes, as: UTF8.self) : nil
      payload = text.map { .value(.string($0)) } ?? .binary(bytes)
    case (.protobuf, false): payload = .binary(bytes)
    }
  }

  private static func noDocument(_ type: String) -> StatusError {
    StatusError(
      .unimplemented,
      "a document's data must be application/json or application/protobuf, not \(quoted(type))"
    )
  }

  // MARK: Writing

  /// The event in structured mode, one JSON object.
  package var json: Data {
    var members = attributes
    switch payload {
    case .enclosed(let event): return event
    case .none, .json: break
    case .value(let value): members["data"] = value
    case .binary(let bytes): members["data_base64"] = .string(bytes.base64EncodedString())
    }
    guard let object = try? JSON.encode(JSONValue.object(members)) else { return Data() }
    guard case .json(let data) = payload else { return object }
    return object.dropLast() + Data(#","data":"#.utf8) + data + Data("}".utf8)
  }

  /// The event's data as a JSON value, or null if the event has no data or the data isn't JSON.
  var value: JSONValue {
    switch payload {
    case .json(let data): (try? JSONValue(parsing: data)) ?? .null
    case .value(let value): value
    case .none, .binary: .null
    case .enclosed(let event): (try? JSONValue(parsing: event))?["data"] ?? .null
    }
  }

  // MARK: Changes

  private var isOfDocument: Bool { EventType(self["type"] ?? "")?.subject == .document }

  /// A Boolean value that indicates whether the event has no document. Google's emulator sends such
  /// events for commits that changed nothing.
  package var tellsOfNothing: Bool {
    guard isOfDocument, let data = value.object else { return false }
    return data["value"] == nil && data["oldValue"] == nil
  }

  /// Returns the event as a change that triggers functions, or `nil` if its type isn't of one.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the data doesn't describe the change.
  package func changeEvent() throws(StatusError) -> ChangeEvent? {
    guard EventType(self["type"] ?? "") != nil else { return nil }
    return try JSON.decode(ChangeEvent.self, from: json, what: "the event")
  }
}
