package import Core

/// Parses a JSON text.
package func json(_ text: String) throws(StatusError) -> JSONValue {
  try JSONValue(parsing: Data(text.utf8))
}

extension JSONValue {
  /// Returns the value at a path of field names and indices, such as `error.details.0.reason`.
  package func at(_ path: String) -> JSONValue? {
    var value: JSONValue? = self
    for step in path.split(separator: ".").map(String.init) {
      if let index = Int(step), let elements = value?.array {
        value = elements.indices.contains(index) ? elements[index] : nil
      } else {
        value = value?[step]
      }
    }
    return value
  }

  package var integer: Int? {
    if case .integer(let integer) = self { Int(integer) } else { nil }
  }

  /// The value as a single line of JSON.
  package var text: String {
    (try? JSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Returns a Boolean value that indicates whether the other value has every field of this one,
  /// with an equal value.
  ///
  /// Objects are compared recursively. Arrays must be equal as a whole.
  package func isPart(of other: JSONValue?) -> Bool {
    guard let members = object, let others = other?.object else { return self == other }
    return members.allSatisfy { $1.isPart(of: others[$0]) }
  }

  /// The Firestore value for plain JSON: `"a"` becomes `{"stringValue":"a"}`.
  ///
  /// A typed value, such as `{"timestampValue":"…"}`, stays as it is.
  package var firestoreValue: JSONValue {
    switch self {
    case .null: .object(["nullValue": .null])
    case .boolean: .object(["booleanValue": self])
    case .integer(let integer): .object(["integerValue": .string(String(integer))])
    case .number: .object(["doubleValue": self])
    case .string: .object(["stringValue": self])
    case .array(let values):
      .object(["arrayValue": .object(["values": .array(values.map(\.firestoreValue))])])
    case .object(let members):
      if members.count == 1, let name = members.keys.first, name.string.hasSuffix("Value") {
        self
      } else {
        .object(["mapValue": .object(["fields": firestoreFields])])
      }
    }
  }

  /// The fields of a Firestore document, made from the fields of a plain JSON object.
  package var firestoreFields: JSONValue {
    .object((object ?? [:]).mapValues(\.firestoreValue))
  }

  /// The plain JSON for a Firestore value. Times become strings.
  package var plainValue: JSONValue {
    guard let (name, value) = object?.first else { return .null }
    switch name {
    case "integerValue": return .integer(value.string.flatMap(Int64.init) ?? 0)
    case "arrayValue": return .array((value["values"]?.array ?? []).map(\.plainValue))
    case "mapValue": return (value["fields"] ?? .object([:])).plainFields
    default: return value
    }
  }

  /// The plain JSON object for the fields of a Firestore document.
  package var plainFields: JSONValue {
    .object((object ?? [:]).mapValues(\.plainValue))
  }
}
