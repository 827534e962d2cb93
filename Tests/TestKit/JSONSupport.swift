package import Core

/// Encodes a value and returns the JSON text.
package func text(_ value: some Encodable) throws -> String {
  String(decoding: try JSON.encode(value), as: UTF8.self)
}

package func decode<Value: Decodable>(
  _ type: Value.Type = Value.self,
  _ text: String
) throws -> Value {
  try JSON.decode(type, from: Data(text.utf8), what: "the input")
}

/// Returns the `StatusError` that `body` throws, or `nil` if it succeeds or throws another error.
package func statusError<Success>(_ body: () throws -> Success) -> StatusError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? StatusError
  }
}
