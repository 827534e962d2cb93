package import FirestoreModel
package import HTTPService
import JSONCoding
package import Platform
package import RPCStatus

/// One invocation with all that it met, and what came of it: enough to run it again anywhere.
package struct ReplayFixture: Sendable, Hashable {
  /// A change of the form raises it.
  package static let version: Int64 = 1

  package var function: String
  /// The project the function believes to be in.
  package var project: String
  /// Variables that matter, beside addresses and keys.
  package var environment: [String: String]
  /// The invocation's own id, which a call's documents may be named after.
  package var invocationID: String
  package var attempt: Int
  /// Whether the caller read partial results; a model is asked in another way then.
  package var isStreaming: Bool
  /// When it began; in a replay the function's clock stands there.
  package var time: Timestamp
  /// What stdin got: a CloudEvent or a call.
  package var event: JSONValue
  /// What it read, as it was then, by path; nil for what wasn't there.
  package var documents: [String: Document?]
  /// What others did while the invocation went on, by path: one after the other, each has happened
  /// when the function meets the document again.
  package var meanwhile: [String: [ForeignChange]]
  /// What it asked of collections, each once; nil before the first replay.
  package var queries: [JSONValue]?
  /// In the order in which they were answered.
  package var exchanges: [ProviderExchange]
  package var expected: ReplayOutcome

  /// Whether a document's change woke it; else somebody called.
  package var isEvent: Bool {
    event["specversion"] != nil || event["context"] != nil || event["eventType"] != nil
  }

  /// The database the function reads and writes.
  var database: DatabaseName {
    DatabaseName(project: project, database: environment["FIRESTORE_DATABASE"] ?? "(default)")
  }
}

// MARK: JSON

extension ReplayFixture {
  package var json: JSONValue {
    get throws(StatusError) {
      var documents: JSONObject = [:]
      for (path, document) in self.documents { documents[path] = try document.fixtureJSON }
      var meanwhile: JSONObject = [:]
      for (path, versions) in self.meanwhile {
        var list: [JSONValue] = []
        for version in versions {
          list.append(
            .object([
              "before": .string(version.moment.rawValue),
              "document": try version.document.fixtureJSON,
            ])
          )
        }
        meanwhile[path] = .array(list)
      }
      var invocation: JSONObject = [
        "id": .string(invocationID), "attempt": .integer(Int64(attempt)),
        "time": .string(time.description),
      ]
      if isStreaming { invocation["streaming"] = .boolean(true) }
      var members: JSONObject = [
        "version": .integer(Self.version),
        "function": .string(function),
        "project": .string(project),
        "environment": .object(JSONObject(environment.mapValues(JSONValue.string))),
        "invocation": .object(invocation),
        "event": event,
        "documents": .object(documents),
        "meanwhile": .object(meanwhile),
        "exchanges": .array(exchanges.map(\.json)),
        "expected": expected.json,
      ]
      members["queries"] = queries.map(JSONValue.array)
      return .object(members)
    }
  }

  /// A file's content: members sorted, so that a change is a small difference.
  package var file: Data {
    get throws(StatusError) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      guard var data = try? encoder.encode(try json) else {
        throw StatusError(.internal, "a fixture can't be encoded")
      }
      data.append(0x0A)
      return data
    }
  }

  /// - Throws: `INVALID_ARGUMENT`, saying what makes it no fixture, or which key or token is in it;
  ///   `UNIMPLEMENTED` for another version.
  package init(file: Data) throws(StatusError) {
    try Self.checkSecrets(file)
    let json: JSONValue
    do throws(StatusError) {
      json = try JSONValue(parsing: file)
    } catch {
      throw StatusError(.invalidArgument, "it is not valid JSON")
    }
    // Escapes hide nothing.
    if file.contains(UInt8(ascii: "\\")), let plain = try? JSON.encode(json) {
      try Self.checkSecrets(plain)
    }
    try self.init(json)
  }

  private static func checkSecrets(_ text: Data) throws(StatusError) {
    if let secret = LiveSecret.first(in: text) {
      throw StatusError(
        .invalidArgument,
        "it holds what looks like \(secret); a fixture never has one"
      )
    }
  }

  package init(_ json: JSONValue) throws(StatusError) {
    guard let version = json["version"]?.integer else {
      throw StatusError(.invalidArgument, "it has no version: it is no fixture of a replay")
    }
    guard version == Self.version else {
      throw StatusError(
        .unimplemented,
        "version \(version) is not \(Self.version), which this emulator reads"
      )
    }
    func text(_ value: JSONValue?, _ name: String) throws(StatusError) -> String {
      guard let text = value?.string, !text.isEmpty else {
        throw StatusError(.invalidArgument, "it has no \(name)")
      }
      return text
    }
    function = try text(json["function"], "function")
    project = try text(json["project"], "project")
    let variables = (json["environment"] ?? .object([:])).object ?? ["": .null]
    environment = variables.strings
    guard environment.count == variables.count else {
      throw StatusError(.invalidArgument, "environment is no object of texts")
    }
    let databaseID = environment["FIRESTORE_DATABASE"] ?? "(default)"
    do throws(StatusError) {
      _ = try DatabaseName("projects/\(project)/databases/\(databaseID)")
    } catch {
      throw StatusError(.invalidArgument, "project or FIRESTORE_DATABASE: \(error.message)")
    }
    invocationID = try text(json["invocation"]?["id"], "invocation.id")
    let number = (json["invocation"]?["attempt"] ?? .integer(1)).integer ?? 0
    guard let attempt = Int(exactly: number), attempt > 0 else {
      throw StatusError(.invalidArgument, "invocation.attempt is no number from 1")
    }
    self.attempt = attempt
    switch json["invocation"]?["streaming"] {
    case .boolean(let value): isStreaming = value
    case nil: isStreaming = false
    default: throw StatusError(.invalidArgument, "invocation.streaming is neither true nor false")
    }
    let time = try text(json["invocation"]?["time"], "invocation.time")
    do throws(StatusError) {
      self.time = try Timestamp(time)
    } catch {
      throw StatusError(.invalidArgument, "invocation.time: \(error.message)")
    }
    guard let event = json["event"], event.object != nil else {
      throw StatusError(.invalidArgument, "it has no event that is an object")
    }
    self.event = event
    guard let exchanges = json["exchanges"]?.array, let documents = json["documents"]?.object
    else { throw StatusError(.invalidArgument, "it has no exchanges or documents") }
    var read: [ProviderExchange] = []
    for exchange in exchanges { read.append(try ProviderExchange(exchange)) }
    self.exchanges = read
    queries = json["queries"]?.array
    guard queries != nil || json["queries"] == nil else {
      throw StatusError(.invalidArgument, "queries is no array")
    }
    guard let expected = json["expected"] else {
      throw StatusError(.invalidArgument, "it has no expected")
    }
    self.expected = try ReplayOutcome(expected)
    self.documents = [:]
    self.meanwhile = [:]
    for (path, document) in documents {
      self.documents.updateValue(
        try document.document(at: path.string, in: database),
        forKey: path.string
      )
    }
    guard let meanwhile = (json["meanwhile"] ?? .object([:])).object else {
      throw StatusError(.invalidArgument, "meanwhile is no object")
    }
    for (path, versions) in meanwhile {
      guard let versions = versions.array else {
        throw StatusError(.invalidArgument, "meanwhile.\(path) is no array")
      }
      var list: [ForeignChange] = []
      for version in versions {
        guard let moment = version["before"]?.string.flatMap(ForeignChange.Moment.init),
          let document = version["document"]
        else {
          throw StatusError(.invalidArgument, "meanwhile.\(path) has no before or document")
        }
        list.append(
          ForeignChange(
            moment: moment,
            document: try document.document(at: path.string, in: database)
          )
        )
      }
      self.meanwhile[path.string] = list
    }
  }
}

extension Document? {
  fileprivate var fixtureJSON: JSONValue {
    get throws(StatusError) {
      guard let document = self else { return .null }
      var members = try JSONValue(encoding: document).object ?? [:]
      members["name"] = nil
      return .object(members)
    }
  }
}

extension JSONValue {
  /// - Returns: nil for null: a document that wasn't there.
  fileprivate func document(
    at path: String,
    in database: DatabaseName
  ) throws(StatusError) -> Document? {
    let name = try DocumentName(database: database, path: ResourcePath(path))
    guard var members = object else {
      guard case .null = self else {
        throw StatusError(.invalidArgument, "documents.\(path) is neither an object nor null")
      }
      return nil
    }
    members["name"] = .string(name.description)
    return try JSONValue.object(members).decoded(as: Document.self, what: "documents.\(path)")
  }
}
