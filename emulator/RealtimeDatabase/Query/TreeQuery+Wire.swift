import Core

/// The two forms of queries: the object `q` of a WebSocket message, and the parameters of a URL.
extension TreeQuery {
  /// The texts that Firebase's SDKs send for a key before or after all others.
  private static let firstKey = "[MIN_NAME]"
  private static let lastKey = "[MAX_NAME]"

  /// The names of orders in messages, besides paths.
  private enum Order: String {
    case priority = ".priority"
    case shortPriority = "."
    case key = ".key"
    case value = ".value"
  }

  private static func invalid(_ name: String) -> StatusError {
    StatusError(.invalidArgument, "the query's member \(quoted(name)) is not valid")
  }

  /// Creates a query from the object of a message.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a member with a wrong value.
  init(message: JSONValue?) throws(StatusError) {
    guard let message else { return }
    guard let members = message.object else { throw Self.invalid("q") }
    switch members["i"] {
    case nil, .null?: break
    case .string(let text)?:
      switch Order(ByteKey(text)) {
      case .priority, .shortPriority: break
      case .key: order = .key
      case .value: order = .value
      case nil: order = .child(try TreePath(text))
      }
    default: throw Self.invalid("i")
    }
    start = try bound(members, "sp", "sn", "sin", isStart: true)
    end = try bound(members, "ep", "en", "ein", isStart: false)
    guard let count = members["l"], !count.isNull else { return }
    guard case .integer(let number) = count, number > 0, number <= Int32.max else {
      throw Self.invalid("l")
    }
    let side = members["vf"]
    guard side == nil || side == .string("l") || side == .string("r") else {
      throw Self.invalid("vf")
    }
    let isFromLast = side.map { $0 == .string("r") } ?? (start == nil)
    limit = Limit(count: Int(number), isFromLast: isFromLast)
  }

  private func bound(
    _ members: JSONObject,
    _ valueName: String,
    _ keyName: String,
    _ inclusiveName: String,
    isStart: Bool
  ) throws(StatusError) -> Bound? {
    guard let value = members[valueName] else { return nil }
    let isInclusive: Bool
    switch members[inclusiveName] {
    case nil: isInclusive = true
    case .boolean(let value)?: isInclusive = value
    default: throw Self.invalid(inclusiveName)
    }
    let key: String?
    switch members[keyName] {
    case nil, .null?: key = nil
    case .string(let text)?: key = text
    default: throw Self.invalid(keyName)
    }
    guard value.isNull || Leaf(value) != nil else { throw Self.invalid(valueName) }
    return try bound(Leaf(value), key: key, isInclusive: isInclusive, isStart: isStart)
  }

  private func bound(
    _ value: Leaf?,
    key: String?,
    isInclusive: Bool,
    isStart: Bool
  ) throws(StatusError) -> Bound {
    if order == .key {
      guard case .string(let text)? = value else {
        throw StatusError(.invalidArgument, "a bound of a query by key is not a text")
      }
      return Bound(value: nil, key: Self.key(text), isInclusive: isInclusive)
    }
    // Without a key, a range has all children with the value, or none of them.
    let isBeforeAll = isStart == isInclusive
    let place = key.map { Self.key($0) } ?? (isBeforeAll ? .first : .last)
    return Bound(value: value, key: place, isInclusive: isInclusive)
  }

  private static func key(_ text: String) -> Bound.Key {
    if text.hasSameBytes(as: firstKey) { return .first }
    if text.hasSameBytes(as: lastKey) { return .last }
    return .key(NodeKey(unchecked: text))
  }

  /// The names of the parameters that need `orderBy`.
  static let filters = [
    "startAt", "startAfter", "endAt", "endBefore", "equalTo", "limitToFirst", "limitToLast",
  ]

  /// Creates a query from the parameters of a URL.
  ///
  /// - Parameter parameter: A closure that returns a parameter's value.
  /// - Throws: `INVALID_ARGUMENT`, with production's texts for the common mistakes.
  init(_ parameter: (String) -> String?) throws(StatusError) {
    func value(_ name: String) throws(StatusError) -> JSONValue? {
      guard let text = parameter(name) else { return nil }
      guard let value = try? JSONValue(parsing: Data(text.utf8)) else {
        throw StatusError(.invalidArgument, "Constraint index field must be a JSON primitive")
      }
      return value
    }
    guard let by = try value("orderBy") else {
      guard Self.filters.allSatisfy({ parameter($0) == nil }) else {
        throw StatusError(
          .invalidArgument,
          "orderBy must be defined when other query parameters are defined"
        )
      }
      return
    }
    switch by {
    case .string("$key"): order = .key
    case .string("$value"): order = .value
    case .string("$priority"): order = .priority
    case .string(let path) where !path.isEmpty: order = .child(try TreePath(path))
    default: throw StatusError(.invalidArgument, "orderBy must be a valid JSON encoded path")
    }
    func bound(_ name: String, isInclusive: Bool, isStart: Bool) throws(StatusError) -> Bound? {
      guard let json = try value(name) else { return nil }
      guard json.isNull || Leaf(json) != nil else {
        throw StatusError(.invalidArgument, "\(name) must be a JSON primitive")
      }
      return try self.bound(Leaf(json), key: nil, isInclusive: isInclusive, isStart: isStart)
    }
    let starts = [
      try bound("startAt", isInclusive: true, isStart: true),
      try bound("startAfter", isInclusive: false, isStart: true),
      try bound("equalTo", isInclusive: true, isStart: true),
    ].compactMap { $0 }
    let ends = [
      try bound("endAt", isInclusive: true, isStart: false),
      try bound("endBefore", isInclusive: false, isStart: false),
      try bound("equalTo", isInclusive: true, isStart: false),
    ].compactMap { $0 }
    guard starts.count <= 1, ends.count <= 1 else {
      throw StatusError(.invalidArgument, "only one start and one end can be given")
    }
    (start, end) = (starts.first, ends.first)
    for (name, isFromLast) in [("limitToFirst", false), ("limitToLast", true)] {
      guard let text = parameter(name) else { continue }
      guard limit == nil else {
        throw StatusError(.invalidArgument, "only one of limitToFirst and limitToLast can be given")
      }
      guard let count = Int(text), count > 0 else {
        throw StatusError(.invalidArgument, "\(name) must be an integer greater than 0")
      }
      limit = Limit(count: count, isFromLast: isFromLast)
    }
  }
}
