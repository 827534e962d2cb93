import Core
import FirestoreProtos
import SwiftProtobuf

extension Message {
  /// Parses a request's JSON body.
  ///
  /// - Throws: `INVALID_ARGUMENT` for malformed JSON, or for an unknown or invalid field.
  init(body: Data) throws(StatusError) {
    do throws(StatusError) {
      try self.init(json: body)
    } catch {
      // Old web clients write optional numbers as objects.
      if let plain = Self.unwrappingNumbers(in: body),
        let message = try? Self(json: plain)
      {
        self = message
        return
      }
      throw StatusError(.invalidArgument, "the request's body \(error.message)")
    }
  }

  /// Returns the JSON with each wrapped number, such as `{"value": 9}`, replaced by the number
  /// itself, or `nil` if there is no wrapped number.
  private static func unwrappingNumbers(in body: Data) -> Data? {
    guard let tree = try? JSONValue(parsing: body) else { return nil }
    let plain = tree.unwrappingNumbers()
    return plain == tree ? nil : try? JSON.encode(plain)
  }
}

extension JSONValue {
  /// Returns the value with its wrapped numbers replaced at any depth.
  ///
  /// - Parameter name: The name of the field that has this value. Only some fields have wrapped
  ///   numbers.
  fileprivate func unwrappingNumbers(of name: ByteKey = "") -> JSONValue {
    switch self {
    case .array(let values): return .array(values.map { $0.unwrappingNumbers() })
    case .object(let members):
      if members.count == 1, let number = members["value"] {
        switch name {
        case "limit", "upTo", "up_to", "distanceThreshold", "distance_threshold": return number
        default: break
        }
      }
      return .object(
        Dictionary(
          uniqueKeysWithValues: members.map { ($0, $1.unwrappingNumbers(of: $0)) }
        )
      )
    case .null, .boolean, .integer, .number, .string: return self
    }
  }
}
