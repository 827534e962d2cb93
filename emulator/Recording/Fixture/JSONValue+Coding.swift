import Core

extension JSONValue {
  /// Creates the JSON form of a value.
  init(encoding value: some Encodable) throws(StatusError) {
    guard let data = try? JSON.encode(value) else {
      throw StatusError(.internal, "the value can't be encoded as JSON")
    }
    try self.init(parsing: data)
  }
}
