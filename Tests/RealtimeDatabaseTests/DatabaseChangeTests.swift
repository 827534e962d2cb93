import Core
import FirestoreModel
import Store
import Synchronization
import Testing

@testable import RealtimeDatabase

@Suite("A change of a Realtime Database")
struct DatabaseChangeTests {
  /// Collects changes.
  private final class Observer: DatabaseObserver {
    let changes = Mutex<[DatabaseChange]>([])

    func prepare(_ change: DatabaseChange) -> (any CommitEvents)? {
      changes.withLock { $0.append(change) }
      return nil
    }
  }

  /// Returns the changed nodes of a write, as texts.
  private static func nodes(
    _ pattern: String,
    of path: String,
    _ data: String,
    in tree: String
  ) async throws -> [String] {
    let observer = Observer()
    let store = DatabaseStore(observer: observer) { 0 }
    let json = { (text: String) in try JSONValue(parsing: Data(text.utf8)) }
    let name = ByteKey("db")
    _ = try await store.write(
      TreeWrite(setting: "", to: json(tree)),
      in: name,
      as: .administrator,
      cause: .init(firesTriggers: false)
    )
    _ = try await store.write(
      TreeWrite(setting: path, to: json(data)),
      in: name,
      as: .administrator
    )
    let changes = observer.changes.withLock(\.self)
    #expect(changes.count == 1)
    return try changes.flatMap { try $0.nodes(matching: PathPattern(ofNodes: pattern)) }.map {
      let (before, after) = (try JSON.encode($0.before), try JSON.encode($0.after))
      return
        "\($0.path) \(String(decoding: before, as: UTF8.self)) \(String(decoding: after, as: UTF8.self))"
    }
  }

  private static let tree =
    #"{"status":{"sarah":{"state":"online","n":1},"marco":{"state":"offline"}},"other":{"x":1}}"#

  @Test(
    "has the nodes at the places of a pattern",
    arguments: [
      (
        "status/{uid}", "status/sarah/state", #""away""#,
        [#"status/sarah {"n":1,"state":"online"} {"n":1,"state":"away"}"#]
      ),
      ("status/{uid}", "status/lea", "1", ["status/lea null 1"]),
      ("status/{uid}", "status/marco", "null", [#"status/marco {"state":"offline"} null"#]),
      (
        "status/{uid}", "status/marco/deep/er", "1",
        [#"status/marco {"state":"offline"} {"deep":{"er":1},"state":"offline"}"#]
      ),
      ("status/{uid}", "other/x", "2", []), ("status/{uid}", "status/sarah/n", "1", []),
      ("status/{uid}/state", "status/sarah/n", "2", []),
      ("{a}/{b}", "other/x", "2", ["other/x 1 2"]),
      ("*/m*", "status/marco/state", "null", [#"status/marco {"state":"offline"} null"#]),
      (
        "status", "status/marco/state", "null",
        [
          #"status {"marco":{"state":"offline"},"sarah":{"n":1,"state":"online"}} {"sarah":{"n":1,"state":"online"}}"#
        ]
      ),
      ("status/{uid}", "status/marco/.priority", "5", []),
      ("status/{uid}/{x=**}", "status/sarah/n", "2", []),
    ] as [(String, String, String, [String])]
  )
  func places(_ pattern: String, _ path: String, _ data: String, _ expected: [String]) async throws
  {
    #expect(try await Self.nodes(pattern, of: path, data, in: Self.tree) == expected)
  }

  @Test("has each node of a write above them")
  func above() async throws {
    let found = try await Self.nodes(
      "status/{uid}",
      of: "",
      #"{"status":{"sarah":{"state":"online","n":1},"lea":2}}"#,
      in: Self.tree
    )
    #expect(found == ["status/lea null 2", #"status/marco {"state":"offline"} null"#])
  }
}
