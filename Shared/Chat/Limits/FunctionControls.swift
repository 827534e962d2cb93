import Core
import FirestoreModel

/// What the document `config/functions` says of one function: a switch and caps for who must stop
/// it, or bound it, without a deployment.
///
/// `{"askAI": {"paused": false, "perUserPerMinute": 10, "perUserPerDay": 200, "perMinute": 100,
/// "perDay": 5000, "dailyCostMicros": 5000000}, …}`, every member optional.
struct FunctionControls: Sendable, Hashable {
  /// Nothing is done: events come again later.
  var isPaused = false
  /// How often one user may have a provider asked in a minute, and in a day; nil: as often as they
  /// like. What a cache answers doesn't count.
  var perUserPerMinute: Int64?
  var perUserPerDay: Int64?
  /// The same of all users together. Each answer is then a write to one document, which bears about
  /// one a second: it is for what is rare and dear.
  var perMinute: Int64?
  var perDay: Int64?
  /// What providers may charge for all users in a day, in millionths of a US dollar; nil: no cap.
  var dailyCostMicros: Int64?

  /// The path of the document.
  static let path = "config/functions"

  /// What holds for a function that the document says nothing about: more than a person does, and
  /// less than a program that runs away.
  private static let standard = [
    "translateMessage": FunctionControls(perUserPerMinute: 1_000, perUserPerDay: 20_000),
    "analyzeMessage": FunctionControls(perUserPerMinute: 60, perUserPerDay: 2_000),
    "smartReplies": FunctionControls(perUserPerMinute: 30, perUserPerDay: 1_000),
    "askAI": FunctionControls(perUserPerMinute: 10, perUserPerDay: 200),
  ]

  /// The functions whose users have limits.
  static let limited = standard.keys.sorted()

  private init(perUserPerMinute: Int64, perUserPerDay: Int64) {
    self.perUserPerMinute = perUserPerMinute
    self.perUserPerDay = perUserPerDay
  }

  /// - Parameter document: `config/functions`, nil if there is none.
  /// - Throws: a configuration error that names the member which isn't what it must be. A switch
  ///   that was mistyped isn't one that is off.
  init(of function: String, in document: Document?) throws(StatusError) {
    self = Self.standard[function] ?? FunctionControls()
    for name in (document?.fields ?? [:]).keys.sorted().map(\.string)
    where name != function && name.lowercased() == function.lowercased() {
      throw Self.malformed(quoted(name), "is not \(function)")
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
        throw Self.malformed("\(function).\(quoted(name.string))", "is not known")
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
      throw malformed("\(function).\(name)", "is not a whole number from 0 up")
    }
    return number
  }

  private static func malformed(_ member: String, _ problem: String) -> StatusError {
    .configuration(.failedPrecondition, "\(path): \(member) \(problem)")
  }
}
