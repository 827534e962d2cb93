import Core
import FirestoreModel

extension RulesValue {
  /// Returns the value in the form of Google's coverage reports, or `nil` if it has more bytes than
  /// `room`.
  func coverageJSON(room: inout Int) -> JSONValue? {
    room -= 8
    guard room >= 0 else { return nil }
    switch self {
    case .null: return .object(["nullValue": .null])
    case .boolean(let value): return .object(["boolValue": .boolean(value)])
    case .integer(let value): return .object(["intValue": .string(String(value))])
    case .float(let value): return .object(["floatValue": JSONValue(float: value)])
    case .string(let text):
      guard Self.take(text.utf8.count, from: &room) else { return nil }
      return .object(["stringValue": .string(text)])
    case .bytes(let bytes):
      guard Self.take(bytes.count, from: &room) else { return nil }
      return .object(["bytesValue": .string(bytes.base64EncodedString())])
    case .timestamp(let time): return .object(["timestampValue": .string(time.description)])
    case .duration(let duration):
      return .object(["durationValue": .string(duration.shownText)])
    case .latLng(let latitude, let longitude):
      return .object([
        "latlngValue": .object(
          JSONObject(
            [("latitude", latitude), ("longitude", longitude)].filter { $0.1 != 0 }
              .map { ($0.0, JSONValue(float: $0.1)) }
          )
        )
      ])
    case .path(let path):
      var segments: [JSONValue] = []
      for segment in path.segments {
        guard Self.take(8 + segment.utf8.count, from: &room) else { return nil }
        segments.append(.object(["simple": .string(segment)]))
      }
      return .list("pathValue", segments, of: "segments")
    case .list(let elements):
      return Self.json(elements, room: &room).map { .list("listValue", $0) }
    case .set(let set):
      return Self.json(set.elements, room: &room).map { .list("setValue", $0) }
    case .vector(let numbers):
      guard Self.take(8 * numbers.count, from: &room) else { return nil }
      return .list("vectorValue", numbers.map { .object(["floatValue": JSONValue(float: $0)]) })
    case .map(let map): return map.coverageJSON(room: &room)
    case .mapDiff(let difference): return difference.coverageJSON(room: &room)
    case .constraint: return .object(["constraintValue": .object([:])])
    }
  }

  private static func json(_ values: [RulesValue], room: inout Int) -> [JSONValue]? {
    var array: [JSONValue] = []
    for value in values {
      guard let json = value.coverageJSON(room: &room) else { return nil }
      array.append(json)
    }
    return array
  }

  fileprivate static func take(_ count: Int, from room: inout Int) -> Bool {
    guard count <= room else { return false }
    room -= count
    return true
  }
}

extension RulesMap {
  fileprivate func coverageJSON(room: inout Int) -> JSONValue? {
    guard count <= room / 8 else { return nil }
    var members: JSONObject = [:]
    for (name, value) in values {
      guard RulesValue.take(name.utf8.count, from: &room),
        let json = value.coverageJSON(room: &room)
      else { return nil }
      members[name] = json
    }
    return .object(["mapValue": .object(members.isEmpty ? [:] : ["fields": .object(members)])])
  }
}

extension MapDiff {
  fileprivate func coverageJSON(room: inout Int) -> JSONValue? {
    var statuses: JSONObject = [:]
    let keys = [
      ("ADDED", added), ("REMOVED", removed), ("CHANGED", changed), ("UNCHANGED", unchanged),
    ]
    for (status, keys) in keys {
      for key in keys {
        guard RulesValue.take(8 + key.utf8.count, from: &room) else { return nil }
        statuses[key] = .string(status)
      }
    }
    return .object([
      "mapDiffValue": .object(statuses.isEmpty ? [:] : ["keyStatuses": .object(statuses)])
    ])
  }
}

extension RulesDuration {
  /// The duration in protobuf's JSON, such as `-1.500s`.
  var shownText: String {
    let isNegative = seconds < 0 || nanoseconds < 0
    let (whole, fraction) = (seconds.magnitude, nanoseconds.magnitude)
    var text = "\(isNegative ? "-" : "")\(whole)"
    if fraction != 0 {
      let digits = String(fraction)
      let padded = String(repeating: "0", count: 9 - digits.count) + digits
      let kept = padded.hasSuffix("000000") ? 3 : padded.hasSuffix("000") ? 6 : 9
      text += "." + padded.prefix(kept)
    }
    return text + "s"
  }
}

extension JSONValue {
  /// A number, or the text by which protobuf's JSON writes one that JSON doesn't have.
  init(float value: Double) {
    self =
      if value.isNaN {
        .string("NaN")
      } else if value.isInfinite {
        .string(value < 0 ? "-Infinity" : "Infinity")
      } else {
        .number(value)
      }
  }

  fileprivate static func list(
    _ kind: ByteKey,
    _ values: [JSONValue],
    of member: ByteKey = "values"
  ) -> JSONValue {
    .object([kind: .object(values.isEmpty ? [:] : [member: .array(values)])])
  }
}
