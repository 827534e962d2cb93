import HTTPService
import JSONCoding
import Platform
import RPCStatus
import SwiftProtobuf

extension Message {
  /// Reads a request's body, whatever its content type says.
  ///
  /// - Throws: `INVALID_ARGUMENT`, saying what is wrong and naming a member there isn't.
  init(body: Data) throws(StatusError) {
    do {
      try self.init(jsonUTF8Bytes: body, options: JSONDecodingOptions())
    } catch {
      // Old web clients write numbers that may be absent as objects.
      if let plain = Self.unwrappingNumbers(in: body),
        let message = try? Self(jsonUTF8Bytes: plain, options: JSONDecodingOptions())
      {
        self = message
        return
      }
      throw StatusError(.invalidArgument, "the request's body \(Self.explain(error))")
    }
  }

  private static func explain(_ error: any Error) -> String {
    switch error as? JSONDecodingError {
    case .unknownField(let name): "has the unknown name \(quoted(name))"
    case .invalidUTF8: "is not valid UTF-8"
    case .malformedNumber: "has something else where a number belongs"
    case .numberRange: "has a number that is out of range or no integer"
    case .malformedBool: "has something else where true or false belongs"
    case .malformedString: "has something else where a string belongs, or a broken one"
    case .malformedMap: "has something else where an object belongs"
    case .malformedTimestamp: "has a timestamp that is not RFC 3339"
    case .malformedDuration: "has a malformed duration"
    case .unrecognizedEnumValue: "has a word that is none of those allowed in its place"
    case .illegalNull: "has a null where a value belongs"
    case .conflictingOneOf: "has two members of which there can be only one"
    case .messageDepthLimit: "is nested too deeply"
    default: "is not valid JSON, or has the wrong type somewhere"
    }
  }

  /// `{"value": 9}` as 9 wherever the schema has a number in a wrapper; nil if there is none.
  private static func unwrappingNumbers(in body: Data) -> Data? {
    guard let tree = try? JSONValue(parsing: body) else { return nil }
    let plain = tree.unwrappingNumbers()
    return plain == tree ? nil : try? JSON.encode(plain)
  }

  /// With the members of maps in order: the same message always gives the same bytes.
  var json: Data {
    get throws(StatusError) {
      var options = JSONEncodingOptions()
      options.useDeterministicOrdering = true
      do {
        let bytes: [UInt8] = try jsonUTF8Bytes(options: options)
        return Data(bytes)
      } catch {
        throw StatusError(.internal, "the answer can't be encoded")
      }
    }
  }
}

extension JSONValue {
  /// - Parameter name: of the member this is the value of.
  fileprivate func unwrappingNumbers(of name: String = "") -> JSONValue {
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
