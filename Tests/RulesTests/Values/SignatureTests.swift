import Core
import FirestoreModel
import Rules
import Testing

/// Each row of the tables of functions and methods is called with arguments of its types.
struct SignatureTests {
  private static let operators: Set<Substring> = ["in", "[]"]

  /// Returns a value of a type, or of any type for `nil`.
  private func value(of type: RulesType?) throws -> RulesValue {
    let map = RulesValue.map(.values(["1": .string("a")]))
    let list = RulesValue.list([.string("1")])
    return switch type {
    case nil, .string: .string("1")
    case .null: .null
    case .bool: .boolean(true)
    case .int: .integer(1)
    case .float: .float(0.5)
    case .bytes: .bytes(Data([1]))
    case .timestamp: .timestamp(Timestamp(seconds: 1))
    case .duration:
      try RulesValue.call(namespace: "duration", "value", [.integer(1), .string("s")])
    case .latlng: .latLng(latitude: 1, longitude: 1)
    case .path: .path(RulesPath(["a", "b"]))
    case .list: list
    case .set: try list.call("toSet", [])
    case .map: map
    case .mapDiff: try map.call("diff", [map])
    case .vector: .vector([1])
    case .constraint: throw EvaluationError("no function takes a constraint")
    }
  }

  /// Checks that a call is known, and that its result has the type of the row.
  private func check(_ row: Signature, _ call: () throws -> RulesValue?) throws {
    do {
      let result = try #require(try call(), "\(row.text)")
      if let type = row.result { #expect(result.type == type, "\(row.text)") }
    } catch let error as EvaluationError {
      let isUnknown = ["Function not found", "Unsupported operation", "Incorrect number"].contains {
        error.message.hasPrefix($0)
      }
      #expect(!isUnknown, "\(row.text): \(error.message)")
    }
  }

  @Test func `methods take and return the types of their rows`() throws {
    #expect(Signatures.allMethods.count > 50)
    for row in Signatures.allMethods {
      let parts = row.name.split(separator: ".")
      if Self.operators.contains(parts[1]) { continue }
      let base = try value(of: RulesType(rawValue: String(parts[0])))
      let arguments = try row.parameters.map { try value(of: $0) }
      try check(row) { try base.call(String(parts[1]), arguments) }
    }
  }

  @Test func `functions take and return the types of their rows`() throws {
    #expect(Signatures.functions.count > 20)
    for row in Signatures.functions.values.joined() {
      let parts = row.name.split(separator: ".").map(String.init)
      let arguments = try row.parameters.map { try value(of: $0) }
      try check(row) {
        parts.count == 2
          ? try RulesValue.call(namespace: parts[0], parts[1], arguments)
          : try RulesValue.call(function: row.name, arguments)
      }
    }
  }
}
