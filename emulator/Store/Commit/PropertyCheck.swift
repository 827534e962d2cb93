import Core
import FirestoreModel

/// A check of a field's value, including all values nested in it.
struct PropertyCheck {
  /// The name of the document's field, used in errors.
  let name: String
  /// A Boolean value that indicates whether the limits of length and depth apply. They apply to
  /// stored values.
  let includesLimits: Bool
  /// A Boolean value that indicates whether the additional types of Enterprise databases are
  /// allowed.
  let allowsBSON: Bool

  /// Checks a value and everything in it.
  ///
  /// - Parameters:
  ///   - depth: The number of maps and arrays around the value.
  ///   - isElement: A Boolean value that indicates whether the value is an array's direct element.
  /// - Throws: `INVALID_ARGUMENT` with Firestore's text for the first value that Firestore refuses.
  func check(_ value: Value, depth: Int, isElement: Bool) throws(StatusError) {
    switch value {
    case .null, .boolean, .integer, .double: break
    case .timestamp(let time):
      guard time.isInFirestoreRange else {
        throw StatusError(
          .invalidArgument,
          "A timestamp is outside of the years 0001 to 9999."
        )
      }
    case .string(let string): try checkLength(string.utf8.count, isNested: depth > 0)
    case .bytes(let data): try checkLength(data.count, isNested: depth > 0)
    case .reference(let name): _ = try DocumentName(name)
    case .geoPoint(let latitude, let longitude):
      try check(latitude, "latitude", within: 90)
      try check(longitude, "longitude", within: 180)
    case .array(let elements):
      if isElement {
        throw StatusError(.invalidArgument, "Cannot convert an array value in an array value.")
      }
      try require(isWithinLimits: depth < DocumentLimits.maximumDepth)
      for element in elements { try check(element, depth: depth + 1, isElement: true) }
    case .map(let fields): try check(fields, depth: depth, isElement: isElement)
    }
  }

  private func check(_ fields: Fields, depth: Int, isElement: Bool) throws(StatusError) {
    if fields["__type__"]?.stringValue == "__vector__" {
      if isElement {
        throw StatusError(.invalidArgument, "Cannot convert a vector value in an array value.")
      }
      try DocumentLimits.checkVector(fields)
      if includesLimits, fields["value"]?.arrayValue?.contains(where: \.isNaN) == true {
        throw StatusError(.invalidArgument, "Vector cannot contain NaN values.")
      }
      return
    }
    if allowsBSON, fields.count == 1, let member = fields.keys.first,
      BSONValue.members.contains(member)
    {
      return try checkBSON(fields, member.string)
    }
    try require(isWithinLimits: depth < DocumentLimits.maximumDepth)
    for (name, value) in fields {
      let isLong = name.utf8.count > DocumentLimits.maximumNameBytes
      try require(isWithinLimits: !name.utf8.isEmpty && !isLong)
      if name.string.isReservedName {
        throw StatusError(.invalidArgument, "field name '\(name)' is reserved.")
      }
      try check(value, depth: depth + 1, isElement: false)
    }
  }

  /// Checks a limit, if the limits apply.
  ///
  /// - Throws: `INVALID_ARGUMENT` with Firestore's text if the value exceeds the limit.
  private func require(isWithinLimits: Bool) throws(StatusError) {
    guard isWithinLimits || !includesLimits else {
      throw StatusError(
        .invalidArgument,
        "Property \(name) contains an invalid nested entity."
      )
    }
  }

  private func checkLength(_ count: Int, isNested: Bool) throws(StatusError) {
    guard count > DocumentLimits.maximumValueBytes, includesLimits else { return }
    try require(isWithinLimits: !isNested)
    throw StatusError(
      .invalidArgument,
      "The value of property \"\(name)\" is longer than \(DocumentLimits.maximumValueBytes) bytes."
    )
  }

  private func checkBSON(_ fields: Fields, _ member: String) throws(StatusError) {
    guard let value = BSONValue(fields) else {
      throw StatusError(.invalidArgument, "The value of \(member) is malformed.")
    }
    if case .regularExpression(_, let options) = value,
      let unknown = options.first(where: { !"imsux".contains($0) })
    {
      throw StatusError(
        .invalidArgument,
        "Invalid regex option '\(unknown)'. Supported options are 'i', 'm', 's', 'u', and 'x'."
      )
    }
  }

  private func check(
    _ degrees: Double,
    _ what: String,
    within limit: Double
  ) throws(StatusError) {
    guard abs(degrees) <= limit else {
      let name = degrees.isNaN ? "NaN" : "\(degrees)"
      throw StatusError(
        .invalidArgument,
        "Geo point \(what) '\(name)' outside permitted range -\(limit) to \(limit)."
      )
    }
  }
}
