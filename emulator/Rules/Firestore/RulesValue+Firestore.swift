import Core
package import FirestoreModel

extension RulesValue {
  /// Creates the value of a document's field.
  ///
  /// A reference is the path from `databases` on. A map whose field `__type__` is `__vector__` is
  /// a vector.
  package init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .integer(let integer): self = .integer(integer)
    case .double(let double): self = .float(double)
    case .timestamp(let timestamp): self = .timestamp(timestamp)
    case .string(let string): self = .string(string)
    case .bytes(let bytes): self = .bytes(bytes)
    case .reference(let name): self = .path(RulesPath(Array(name.splitAtSlashes.dropFirst(2))))
    case .geoPoint(let latitude, let longitude):
      self = .latLng(latitude: latitude, longitude: longitude)
    case .array(let values): self = .list(values.map(RulesValue.init))
    case .map(let fields):
      self = fields.vector.map { .vector($0) } ?? .map(.fields(fields))
    }
  }
}

extension Fields {
  /// The elements of a vector, or `nil` for other maps.
  fileprivate var vector: [Double]? {
    guard count == 2, case .string("__vector__")? = self["__type__"],
      case .array(let values)? = self["value"]
    else { return nil }
    var elements: [Double] = []
    for value in values {
      switch value {
      case .double(let double): elements.append(double)
      case .integer(let integer): elements.append(Double(integer))
      default: return nil
      }
    }
    return elements
  }
}
