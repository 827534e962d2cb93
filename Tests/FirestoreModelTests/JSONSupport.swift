import FirestoreModel
import JSONCoding
import Platform
import RPCStatus

/// Encodes and gives back the text.
func text(_ value: some Encodable) throws -> String {
  String(decoding: try JSON.encode(value), as: UTF8.self)
}

func decode<Value: Decodable>(
  _ type: Value.Type = Value.self,
  _ text: String,
  refusingUnknownMembers: Bool = false
) throws -> Value {
  try JSON.decode(
    type,
    from: Data(text.utf8),
    what: "the input",
    refusingUnknownMembers: refusingUnknownMembers
  )
}

/// The error of a call that must fail with one.
func statusError<Success>(_ body: () throws -> Success) -> StatusError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? StatusError
  }
}
