import Core
import HTTPService

/// Why a fake of Google's says no, in the form of Google's errors.
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

  /// A payload that doesn't fit the message, with the field that is to blame.
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

/// A request's body as Google's front end reads one: members it doesn't know are refused, null is
/// the same as absent, and names may be written with underscores.
struct GoogleMessage {
  /// What can be told of a member's value by those who need it. JSONValue won't do: it loses a byte
  /// order mark at the beginning of a text.
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

  /// - Parameter orString: whether one string stands for an array of it.
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
  /// Refuses what stands in the query and belongs there neither in general nor here.
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
