import Core

extension JSONValue {
  /// Creates the JSON form of a value.
  init(encoding value: some Encodable) throws(StatusError) {
    guard let data = try? JSON.encode(value) else {
      throw StatusError(.internal, "the value can't be encoded as JSON")
    }
    try self.init(parsing: data)
  }

  /// Returns this JSON decoded as a value of a type.
  ///
  /// - Parameter what: the value's name in errors.
  func decoded<Value: Decodable>(
    as type: Value.Type,
    what: String
  ) throws(StatusError) -> Value {
    guard let data = try? JSON.encode(self) else {
      throw StatusError(.internal, "\(what) can't be encoded")
    }
    return try JSON.decode(type, from: data, what: what)
  }
}
