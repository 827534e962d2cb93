import Platform

/// What is wrong with JSON that a type is read from without a decoder, and where.
package struct JSONFault: Error {
  package enum Problem: Sendable {
    /// It should have been of this type.
    case wrongType(any Any.Type)
    /// It lacks this member.
    case missing(String)
    /// Why it is refused.
    case refused(String)
  }

  private let problem: Problem
  /// From the inside out.
  private var path: [String] = []

  package init(_ problem: Problem) { self.problem = problem }

  /// The same, seen from around it.
  package func at(_ name: String) -> JSONFault {
    var fault = self
    fault.path.append(name)
    return fault
  }

  /// What a decoder throws.
  ///
  /// - Parameter path: of the JSON as a whole.
  package func decodingError(at path: [any CodingKey]) -> DecodingError {
    let keys = self.path.reversed().map { MemberName(stringValue: $0) as any CodingKey }
    switch problem {
    case .wrongType(let type):
      let words = "another type was expected"
      return .typeMismatch(type, .init(codingPath: path + keys, debugDescription: words))
    case .missing(let name):
      let words = "a member is missing"
      return .keyNotFound(
        MemberName(stringValue: name),
        .init(codingPath: path + keys, debugDescription: words)
      )
    case .refused(let reason):
      return .dataCorrupted(.init(codingPath: path + keys, debugDescription: reason))
    }
  }
}

extension JSONValue {
  /// A whole number of 64 bits.
  package func asInteger() throws(JSONFault) -> Int64 {
    switch self {
    case .integer(let integer): return integer
    case .number(let number):
      guard let integer = Int64(exactly: number) else {
        throw JSONFault(.refused("a number out of range"))
      }
      return integer
    default: throw JSONFault(.wrongType(Int64.self))
    }
  }

  /// A text.
  package func asText() throws(JSONFault) -> String {
    guard case .string(let text) = self else { throw JSONFault(.wrongType(String.self)) }
    return text
  }

  /// An object's members.
  package func asMembers() throws(JSONFault) -> JSONObject {
    guard case .object(let members) = self else { throw JSONFault(.wrongType([String: Any].self)) }
    return members
  }

  /// A member; nil if there is none, or null.
  package func presentMember(_ name: String) throws(JSONFault) -> JSONValue? {
    switch try asMembers()[name] {
    case nil, .null: nil
    case let member: member
    }
  }

  /// Refuses members besides the given ones.
  package func refuseMembers(besides known: some Sequence<String>) throws(JSONFault) {
    if let unknown = try asMembers().unknownName(besides: known) {
      throw JSONFault(.refused("unknown name \(quoted(unknown))"))
    }
  }
}
