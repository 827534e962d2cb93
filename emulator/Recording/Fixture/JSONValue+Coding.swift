import Core

extension JSONValue {
  /// Any value in its JSON form.
  init(encoding value: some Encodable) throws(StatusError) {
    guard let data = try? JSON.encode(value) else {
      throw StatusError(.internal, "a value can't be encoded")
    }
    try self.init(parsing: data)
  }

  /// This JSON as a value of a type.
  ///
  /// - Parameter what: its name in an error.
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
