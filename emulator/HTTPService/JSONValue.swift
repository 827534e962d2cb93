import Foundation
package import Platform
package import RPCStatus

/// Any JSON, for what passes through the emulator without a type of its own.
///
/// Read with JSONSerialization: an enum that tries one type after the other takes seconds for
/// some megabytes.
package enum JSONValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// - Throws: `INVALID_ARGUMENT` if it isn't JSON.
  package init(parsing data: Data) throws(StatusError) {
    do {
      let tree = try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
      self = JSONValue(tree: tree)
    } catch {
      throw StatusError(.invalidArgument, "not valid JSON")
    }
  }

  private init(tree: Any) {
    switch tree {
    case let string as String: self = .string(string)
    case let array as [Any]: self = .array(array.map(JSONValue.init(tree:)))
    case let object as [String: Any]: self = .object(object.mapValues(JSONValue.init(tree:)))
    case let number as NSNumber:
      // Booleans are numbers too, with an Objective-C type of their own.
      switch String(cString: number.objCType) {
      case "c", "B": self = .boolean(number.boolValue)
      case "d", "f": self = .number(number.doubleValue)
      // Beyond what an integer can be here.
      case "Q" where number.uint64Value > UInt64(Int64.max): self = .number(number.doubleValue)
      default: self = .integer(number.int64Value)
      }
    default: self = .null
    }
  }

  package subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  package var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  package var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  package var object: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }
}

extension JSONValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let boolean): try container.encode(boolean)
    case .integer(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    case .string(let string): try container.encode(string)
    case .array(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }
}
