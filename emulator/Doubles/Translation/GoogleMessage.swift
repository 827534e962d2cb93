import HTTPService
import JSONCoding
import Platform
import RPCStatus

/// Why a double of Google's says no, in the form of Google's errors.
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
  private let members: [String: JSONValue]

  init(_ body: Data, members known: Set<String>) throws(GoogleRefusal) {
    guard body.isValidUTF8, let object = (try? JSONValue(parsing: body))?.object
    else { throw .payload("Unexpected token.") }
    try self.init(object, members: known)
  }

  private init(
    _ object: [String: JSONValue],
    members known: Set<String>
  ) throws(GoogleRefusal) {
    var members: [String: JSONValue] = [:]
    for (name, value) in object.sorted(by: { $0.key < $1.key }) {
      let member = name.camelCased
      guard known.contains(member) else {
        throw .payload("Unknown name \"\(name)\": Cannot find field.", field: name)
      }
      if value != .null { members[member] = value }
    }
    self.members = members
  }

  func string(_ name: String) throws(GoogleRefusal) -> String? {
    guard let value = members[name] else { return nil }
    guard let string = value.string else {
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
    if orString, let string = value.string { return [string] }
    let strings = value.array?.compactMap(\.string)
    guard let strings, strings.count == value.array?.count else {
      throw .payload("Invalid value at '\(name)' (TYPE_STRING)", field: name)
    }
    return strings
  }

  func message(_ name: String, members: Set<String>) throws(GoogleRefusal) -> GoogleMessage? {
    guard let value = self.members[name] else { return nil }
    guard let object = value.object else {
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

extension String {
  /// JSON of protobuf takes `mime_type` as well as `mimeType`.
  fileprivate var camelCased: String {
    let words = split(separator: "_", omittingEmptySubsequences: false)
    return (words.first.map(String.init) ?? "")
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
