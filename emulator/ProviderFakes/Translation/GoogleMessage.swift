import Core
import HTTPService

/// An error of a Google API's fake, in the format of Google's errors.
struct GoogleRefusal: Error {
  var response: ServiceResponse

  init(
    _ status: StatusCode,
    _ message: String,
    reason: String? = nil,
    details: [JSONValue] = []
  ) {
    response = googleError(status, message, reason: reason, details: details)
  }

  static let invalidToken = GoogleRefusal(
    .unauthenticated,
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login "
      + "cookie or other valid authentication credential."
  )

  static func invalid(_ message: String) -> GoogleRefusal {
    GoogleRefusal(.invalidArgument, message, reason: "invalid")
  }

  /// Returns the error for a payload that doesn't match its protobuf message.
  ///
  /// - Parameter field: the name of the invalid field; empty if there is none.
  fileprivate static func payload(_ message: String, field: String = "") -> GoogleRefusal {
    let description = "Invalid JSON payload received. \(message)"
    return GoogleRefusal(
      .invalidArgument,
      description,
      reason: "badRequest",
      details: [
        .object([
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          "fieldViolations": .array([
            .object(["field": .string(field), "description": .string(description)])
          ]),
        ])
      ]
    )
  }
}

/// A request body, parsed as Google's front end parses it: unknown fields are errors, null is the
/// same as absent, and names may be in snake case.
struct GoogleMessage {
  /// The type and value of a field. `JSONValue` isn't used because it drops a byte order mark at
  /// the beginning of a text.
  private indirect enum Member: Decodable {
    case null
    case string(String)
    case strings([String])
    case boolean(Bool)
    case message([String: Member])
    case other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let string = try? container.decode(String.self) {
        self = .string(string)
      } else if let strings = try? container.decode([String].self) {
        self = .strings(strings)
      } else if let boolean = try? container.decode(Bool.self) {
        self = .boolean(boolean)
      } else if let message = try? container.decode([String: Member].self) {
        self = .message(message)
      } else {
        self = .other
      }
    }
  }

  private let members: [String: Member]

  init(_ body: Data, members known: Set<String>) throws(GoogleRefusal) {
    guard let object = try? JSON.decode([String: Member].self, from: body, what: "the request")
    else { throw .payload("Unexpected token.") }
    try self.init(object, members: known)
  }

  private init(
    _ object: [String: Member],
    members known: Set<String>
  ) throws(GoogleRefusal) {
    var members: [String: Member] = [:]
    for (name, value) in object.sorted(by: { $0.key < $1.key }) {
      let member = name.camelCased
      guard known.contains(member) else {
        throw .payload("Unknown name \"\(name)\": Cannot find field.", field: name)
      }
      if case .null = value { continue }
      members[member] = value
    }
    self.members = members
  }

  func string(_ name: String) throws(GoogleRefusal) -> String? {
    guard let value = members[name] else { return nil }
    guard case .string(let string) = value else {
      throw .payload("Invalid value at '\(name)' (TYPE_STRING)", field: name)
    }
    return string
  }

  func boolean(_ name: String) throws(GoogleRefusal) -> Bool {
    guard let value = members[name] else { return false }
    guard case .boolean(let boolean) = value else {
      throw .payload("Invalid value at '\(name)' (TYPE_BOOL)", field: name)
    }
    return boolean
  }

  /// Returns an array of strings, or `nil` if the field is absent.
  ///
  /// - Parameter orString: a Boolean value that indicates whether a single string is accepted, too.
  func strings(_ name: String, orString: Bool = false) throws(GoogleRefusal) -> [String]? {
    guard let value = members[name] else { return nil }
    if orString, case .string(let string) = value { return [string] }
    guard case .strings(let strings) = value else {
      throw .payload("Invalid value at '\(name)' (TYPE_STRING)", field: name)
    }
    return strings
  }

  func message(_ name: String, members: Set<String>) throws(GoogleRefusal) -> GoogleMessage? {
    guard let value = self.members[name] else { return nil }
    guard case .message(let object) = value else {
      throw .payload("Invalid value at '\(name)' (MESSAGE)", field: name)
    }
    return try GoogleMessage(object, members: members)
  }
}

extension ServiceRequest {
  /// Throws an error for the first query parameter that is neither standard nor in `known`.
  func refuseParameters(besides known: Set<String>) throws(GoogleRefusal) {
    let standard: Set<String> = ["key", "prettyPrint", "alt", "$alt", "fields", "quotaUser"]
    for (name, _) in query where !known.contains(name) && !standard.contains(name) {
      throw .payload(
        "Unknown name \"\(name)\": Cannot bind query parameter. Field '\(name)' could not be "
          + "found in request message.",
        field: name
      )
    }
  }
}
