package import Core

/// A field's value in a Firestore document.
///
/// `==` decides whether a write changes a value: the integer `1` and the double `1.0` differ.
/// Queries use `compare(to:)`, for which they are equal.
package enum Value: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case timestamp(Timestamp)
  case string(String)
  case bytes(Data)
  /// The full name of a document, `projects/…/databases/…/documents/…`.
  case reference(String)
  case geoPoint(latitude: Double, longitude: Double)
  case array([Value])
  case map(Fields)
}

/// The fields of a document or of a map value, by name. Names are compared by their bytes, as in
/// Firestore.
package typealias Fields = [ByteKey: Value]

// MARK: Access to the content

extension Value {
  package var stringValue: String? {
    if case .string(let string) = self { string } else { nil }
  }

  package var integerValue: Int64? {
    if case .integer(let integer) = self { integer } else { nil }
  }

  package var booleanValue: Bool? {
    if case .boolean(let boolean) = self { boolean } else { nil }
  }

  package var timestampValue: Timestamp? {
    if case .timestamp(let timestamp) = self { timestamp } else { nil }
  }

  package var arrayValue: [Value]? {
    if case .array(let values) = self { values } else { nil }
  }

  package var mapValue: Fields? {
    if case .map(let fields) = self { fields } else { nil }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(arrayLiteral elements: Value...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, Value)...) {
    self = .map(Fields(elements.map { (ByteKey($0), $1) }) { _, last in last })
  }
}
