package import Core
package import SwiftProtobuf

extension Message {
  /// Creates a message by decoding JSON.
  ///
  /// - Throws: `INVALID_ARGUMENT`. The error's message is the end of a sentence that the caller
  ///   begins with a name for the input, such as `the request`.
  package init(json: Data) throws(StatusError) {
    do {
      try self.init(jsonUTF8Bytes: json, options: JSONDecodingOptions())
    } catch {
      throw StatusError(.invalidArgument, Self.explain(error))
    }
  }

  private static func explain(_ error: any Error) -> String {
    switch error as? JSONDecodingError {
    case .unknownField(let name): "has the unknown name \(quoted(name))"
    case .invalidUTF8: "is not valid UTF-8"
    case .malformedNumber: "has something else where a number belongs"
    case .numberRange: "has a number that is out of range or not an integer"
    case .malformedBool: "has something else where true or false belongs"
    case .malformedString: "has something other than a valid string where a string belongs"
    case .malformedMap: "has something else where an object belongs"
    case .malformedTimestamp: "has a timestamp that is not RFC 3339"
    case .malformedDuration: "has a malformed duration"
    case .unrecognizedEnumValue: "has an unknown enum value"
    case .illegalNull: "has a null where a value belongs"
    case .conflictingOneOf: "has two fields that exclude each other"
    case .messageDepthLimit: "is nested too deeply"
    default: "is not valid JSON, or has a value of the wrong type"
    }
  }

  /// The message as JSON. The keys of maps are sorted, so that equal messages have equal bytes.
  package var json: Data {
    get throws(StatusError) {
      var options = JSONEncodingOptions()
      options.useDeterministicOrdering = true
      do {
        let bytes: [UInt8] = try jsonUTF8Bytes(options: options)
        return Data(bytes)
      } catch {
        throw StatusError(.internal, "a protocol buffer can't be encoded as JSON")
      }
    }
  }
}
