package import Core
import FirestoreModel
import ProviderFakes

extension ReplayFixture {
  /// The version of the file format, increased with every change.
  package static let version = 1

  package var json: JSONValue {
    get throws(StatusError) {
      var documents: JSONObject = [:]
      for (path, document) in self.documents {
        documents[path] = try JSONValue(fixtureDocument: document)
      }
      var meanwhile: JSONObject = [:]
      for (path, changes) in concurrentChanges {
        meanwhile[path] = .array(
          try changes.map { change throws(StatusError) in
            .object([
              "before": .string(change.moment.rawValue),
              "document": try JSONValue(fixtureDocument: change.document),
            ])
          }
        )
      }
      var invocation: JSONObject = [
        "id": .string(invocationID), "attempt": .integer(Int64(attempt)),
        "time": .string(time.description),
      ]
      if isStreaming { invocation["streaming"] = .boolean(true) }
      var members: JSONObject = [
        "version": .integer(Int64(Self.version)),
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

  /// The content of the fixture's file: indented, with sorted fields, so that diffs stay small.
  package var file: Data { get throws(StatusError) { try json.file } }

  // MARK: Parsing

  /// Creates a fixture from a file's content.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the reason if the content isn't a fixture or contains a key
  ///   or token; `UNIMPLEMENTED` for another version.
  package init(file: Data) throws(StatusError) {
    try Self.checkSecrets(file)
    let json = try JSONValue(file: file)
    // An escaped character may hide a secret, so check the text without escapes, too.
    if file.contains(UInt8(ascii: "\\")) { try Self.checkSecrets(Data(json.line.utf8)) }
    try self.init(json)
  }

  private static func checkSecrets(_ text: Data) throws(StatusError) {
    if let secret = LiveSecret.first(in: text) {
      throw StatusError(
        .invalidArgument,
        "the fixture contains what looks like \(secret): remove it"
      )
    }
  }

  /// Creates a fixture from its JSON.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the name of the missing or wrong field; `UNIMPLEMENTED` for
  ///   another version.
  package init(_ json: JSONValue) throws(StatusError) {
    guard let version = json["version"], version.wholeNumber != nil else {
      throw StatusError(.invalidArgument, "the fixture has no version")
    }
    try version.checkVersion(Self.version)
    function = try json.text(at: "function")
    project = try json.text(at: "project")
    environment = try Self.environment(json["environment"])
    let database = Self.database(of: project, environment)
    do throws(StatusError) {
      _ = try DatabaseName(database.description)
    } catch {
      throw StatusError(.invalidArgument, "project or FIRESTORE_DATABASE: \(error.message)")
    }
    invocationID = try json.text(at: "invocation", "id")
    attempt = try Self.attempt(json["invocation"]?["attempt"])
    isStreaming = try Self.isStreaming(json["invocation"]?["streaming"])
    let began = try json.text(at: "invocation", "time")
    do throws(StatusError) {
      time = try Timestamp(began)
    } catch {
      throw StatusError(.invalidArgument, "invocation.time: \(error.message)")
    }
    guard let event = json["event"], event.object != nil else {
      throw StatusError(.invalidArgument, "the fixture's event is missing or not an object")
    }
    self.event = event
    guard let exchanges = json["exchanges"]?.array, let documents = json["documents"]?.object
    else { throw StatusError(.invalidArgument, "the fixture has no exchanges or documents") }
    self.exchanges = try exchanges.map { json throws(StatusError) in try ProviderExchange(json) }
    queries = json["queries"]?.array
    guard queries != nil || json["queries"] == nil else {
      throw StatusError(.invalidArgument, "queries is not an array")
    }
    guard let expected = json["expected"] else {
      throw StatusError(.invalidArgument, "the fixture has no field 'expected'")
    }
    self.expected = try ReplayOutcome(expected)
    self.documents = [:]
    for (path, document) in documents {
      let document = try document.fixtureDocument(at: path.string, in: database)
      self.documents.updateValue(document, forKey: path.string)
    }
    concurrentChanges = try Self.concurrentChanges(json["meanwhile"], in: database)
  }

  private static func environment(_ json: JSONValue?) throws(StatusError) -> [String: String] {
    guard let json else { return [:] }
    guard let variables = json.object, variables.strings.count == variables.count else {
      throw StatusError(.invalidArgument, "environment is not an object of strings")
    }
    return variables.strings
  }

  private static func attempt(_ json: JSONValue?) throws(StatusError) -> Int {
    guard let json else { return 1 }
    guard let attempt = json.wholeNumber, attempt > 0 else {
      throw StatusError(.invalidArgument, "invocation.attempt is not a whole number of at least 1")
    }
    return attempt
  }

  private static func isStreaming(_ json: JSONValue?) throws(StatusError) -> Bool {
    switch json {
    case .boolean(let value): value
    case nil: false
    default: throw StatusError(.invalidArgument, "invocation.streaming is neither true nor false")
    }
  }

  private static func concurrentChanges(
    _ json: JSONValue?,
    in database: DatabaseName
  ) throws(StatusError) -> [String: [ConcurrentChange]] {
    guard let json else { return [:] }
    guard let documents = json.object else {
      throw StatusError(.invalidArgument, "meanwhile is not an object")
    }
    var all: [String: [ConcurrentChange]] = [:]
    for (path, changes) in documents {
      guard let changes = changes.array else {
        throw StatusError(.invalidArgument, "meanwhile.\(path) is not an array")
      }
      all[path.string] = try changes.map { change throws(StatusError) in
        guard let moment = change["before"]?.string.flatMap(ConcurrentChange.Moment.init),
          let document = change["document"]
        else {
          throw StatusError(
            .invalidArgument,
            "an entry of meanwhile.\(path) has no field 'before' or 'document'"
          )
        }
        return ConcurrentChange(
          moment: moment,
          document: try document.fixtureDocument(at: path.string, in: database)
        )
      }
    }
    return all
  }
}

extension JSONValue {
  /// Creates the JSON of a document, or null if there is none. The document's name is left out,
  /// because the fixture has its path.
  fileprivate init(fixtureDocument document: Document?) throws(StatusError) {
    guard let document else {
      self = .null
      return
    }
    var members = try JSONValue(encoding: document).object ?? [:]
    members["name"] = nil
    self = .object(members)
  }

  /// Returns the document, or `nil` for null, which means that the document didn't exist.
  fileprivate func fixtureDocument(
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
    return try JSON.decode(Document.self, from: .object(members), what: "documents.\(path)")
  }

  /// Returns the text of a field.
  ///
  /// - Parameter names: the field's name, or the names of an object and of a field in it.
  /// - Throws: `INVALID_ARGUMENT` with the field's name if it is missing or empty.
  fileprivate func text(at names: String...) throws(StatusError) -> String {
    let value = names.reduce(JSONValue?.some(self)) { $0?[$1] }
    guard let text = value?.string, !text.isEmpty else {
      throw StatusError(.invalidArgument, "the fixture has no \(names.joined(separator: "."))")
    }
    return text
  }
}
