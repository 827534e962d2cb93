import Core
import FirestoreModel

/// The pause switch and the limits of one function in the document `config/functions`.
///
/// With them, an operator can pause or limit a function without a deployment. Every field is
/// optional:
///
/// ```
/// {"askAI": {"paused": false, "perUserPerMinute": 10, "perUserPerDay": 200, "perMinute": 100,
///   "perDay": 5000, "dailyCostMicros": 5000000}, …}
/// ```
struct FunctionControls: Sendable, Hashable {
  /// A Boolean value that indicates whether the function is paused.
  ///
  /// A paused function's events are delivered later.
  var isPaused = false
  /// The maximum number of provider requests for one user in a minute, or `nil` for no maximum.
  ///
  /// Responses from a cache don't count.
  var perUserPerMinute: Int64?
  /// The maximum number of provider requests for one user in a day, or `nil` for no maximum.
  var perUserPerDay: Int64?
  /// The maximum number of provider requests for all users together in a minute, or `nil` for no
  /// maximum.
  ///
  /// With this limit or `perDay`, each request writes to one document, which supports about one
  /// write a second. So the two limits suit rare and expensive requests.
  var perMinute: Int64?
  /// The maximum number of provider requests for all users together in a day, or `nil` for no
  /// maximum.
  var perDay: Int64?
  /// The maximum daily cost of the provider requests for all users, in millionths of a US dollar,
  /// or `nil` for no maximum.
  var dailyCostMicros: Int64?

  /// The path of the document.
  static let path = "config/functions"

  /// The limits of functions that have no entry in the document.
  ///
  /// They are above a person's needs and below a runaway program's.
  private static let standard = [
    "translateMessage": FunctionControls(perUserPerMinute: 1_000, perUserPerDay: 20_000),
    "analyzeMessage": FunctionControls(perUserPerMinute: 60, perUserPerDay: 2_000),
    "smartReplies": FunctionControls(perUserPerMinute: 30, perUserPerDay: 1_000),
    "askAI": FunctionControls(perUserPerMinute: 10, perUserPerDay: 200),
  ]

  /// The functions that have limits per user by default.
  static let limited = standard.keys.sorted()

  private init(perUserPerMinute: Int64, perUserPerDay: Int64) {
    self.perUserPerMinute = perUserPerMinute
    self.perUserPerDay = perUserPerDay
  }

  /// Creates the controls of a function from the document.
  ///
  /// - Parameter document: `config/functions`, or `nil` if it doesn't exist.
  /// - Throws: a configuration error that names the invalid field. Unknown fields are
  ///   errors, since a misspelled `paused` would have no effect.
  init(of function: String, in document: Document?) throws(StatusError) {
    self = Self.standard[function] ?? FunctionControls()
    for name in (document?.fields ?? [:]).keys.sorted().map(\.string)
    where name != function && name.lowercased() == function.lowercased() {
      throw Self.malformed(quoted(name), "must be written \(function)")
    }
    guard let entry = document?.fields[function] else { return }
    guard let members = entry.mapValue else { throw Self.malformed(function, "is not a map") }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "paused":
        guard let isPaused = value.booleanValue else {
          throw Self.malformed("\(function).\(name)", "is not a boolean")
        }
        self.isPaused = isPaused
      case "perUserPerMinute": perUserPerMinute = try Self.cap(value, function, name.string)
      case "perUserPerDay": perUserPerDay = try Self.cap(value, function, name.string)
      case "perMinute": perMinute = try Self.cap(value, function, name.string)
      case "perDay": perDay = try Self.cap(value, function, name.string)
      case "dailyCostMicros": dailyCostMicros = try Self.cap(value, function, name.string)
      default:
        throw Self.malformed("\(function).\(quoted(name.string))", "is an unknown field")
      }
    }
  }

  private init() {}

  private static func cap(
    _ value: Value,
    _ function: String,
    _ name: String
  ) throws(StatusError) -> Int64 {
    guard let number = value.integerValue, number >= 0 else {
      throw malformed("\(function).\(name)", "is not a whole number of at least 0")
    }
    return number
  }

  private static func malformed(_ member: String, _ problem: String) -> StatusError {
    .configuration(.failedPrecondition, "\(path): \(member) \(problem)")
  }
}
