package import Core

/// A recorded event, the documents and nodes that it needs, and the expected outcome.
///
/// Fixtures are recorded in the project `demo-worldchat`. A test replays each one in a new project.
package struct Fixture: Sendable, CustomStringConvertible {
  package let function: String
  package let name: String
  private let content: JSONValue

  package var description: String { "\(function)/\(name)" }

  /// Returns all fixtures of a function, sorted by name.
  ///
  /// - Throws: `NOT_FOUND` if the function has no fixtures, so that a test without cases fails.
  package static func all(
    of function: String,
    file: String = #filePath
  ) throws(StatusError) -> [Fixture] {
    let tests = file.split(separator: "/").dropLast(2).joined(separator: "/")
    let folder = "/\(tests)/Fixtures/\(function)"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var fixtures: [Fixture] = []
    for name in names.sorted() where name.hasSuffix(".json") {
      guard let data = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)")) else { continue }
      fixtures.append(
        Fixture(
          function: function,
          name: String(name.dropLast(5)),
          content: try JSONValue(parsing: data)
        )
      )
    }
    guard !fixtures.isEmpty else { throw StatusError(.notFound, "no fixtures in \(folder)") }
    return fixtures
  }

  /// Returns the event with `demo-worldchat` replaced by the given project.
  package func event(project: String) -> JSONValue {
    (content["event"] ?? .null).replacing("demo-worldchat", with: project)
  }

  /// The documents to write before the function runs, as plain JSON by path.
  package var documents: JSONValue { content["documents"] ?? .object([:]) }

  /// The data of the Realtime Database before the function runs, by path.
  package var nodes: JSONObject { content["nodes"]?.object ?? [:] }

  /// The function's variables, in addition to the emulator's.
  package var environment: [String: String] {
    (content["environment"]?.object ?? [:]).reduce(into: [:]) { variables, member in
      variables[member.key.string] = member.value.string
    }
  }

  package var expected: JSONValue { content["expect"] ?? .object([:]) }
}

extension JSONValue {
  fileprivate func replacing(_ old: String, with new: String) -> JSONValue {
    switch self {
    case .string(let string): .string(string.replacing(old, with: new))
    case .array(let values): .array(values.map { $0.replacing(old, with: new) })
    case .object(let members): .object(members.mapValues { $0.replacing(old, with: new) })
    default: self
    }
  }
}
