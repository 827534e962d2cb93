package import Core
import Persistence

/// The databases in exports, in the layout of Firebase's tools: a file for each database, with
/// priorities.
package struct DatabaseExport: ExportedService {
  package static let name = "database"

  private static let suffix = ".json"
  /// The maximum size of a file in mebibytes: production's limit for a write over REST.
  private static let maximumSize = 256

  private let store: DatabaseStore

  package init(of store: DatabaseStore) { self.store = store }

  package var name: String { Self.name }

  private static func words(for count: Int) -> String? {
    switch count {
    case 0: nil
    case 1: "1 Realtime Database"
    default: "\(count) Realtime Databases"
    }
  }

  package func write(to folder: String) throws(StatusError) -> String? {
    let roots = store.roots
    for (name, root) in roots.sorted(by: { $0.key < $1.key }) {
      let file = try FileOutput(path: "\(folder)/\(name)\(Self.suffix)")
      guard let data = try? JSON.encode(root.json(.export)) else {
        throw StatusError(.internal, "the database \(name) can't be encoded")
      }
      try file.write(data + Data("\n".utf8))
      _ = try file.finish()
    }
    return Self.words(for: roots.count)
  }

  /// Reads databases. Each replaces the one with its name; the others stay.
  package func read(
    from folder: String
  ) throws(StatusError) -> @Sendable () async throws(StatusError) -> String? {
    guard let entries = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw StatusError(.notFound, "\(folder) can't be read")
    }
    var writes: [(name: ByteKey, write: TreeWrite)] = []
    for entry in entries.sorted() where entry.hasSuffix(Self.suffix) {
      let path = "\(folder)/\(entry)"
      let data = try FileInput.all(of: path, atMost: Self.maximumSize)
      let name = String(entry.dropLast(Self.suffix.count))
      guard DatabaseName.isValid(name) else {
        throw StatusError(.invalidArgument, "\(path): the file isn't named after a database")
      }
      do throws(StatusError) {
        let json = try JSON.parse(data, what: "the file")
        _ = try Node.parse(json, depth: 0, replacing: nil, ServerValues(now: 0))
        writes.append((ByteKey(name), try TreeWrite(setting: "", to: json)))
      } catch {
        throw StatusError(.invalidArgument, "\(path): \(error.message)")
      }
    }
    let (store, found) = (store, writes)
    return { () async throws(StatusError) in
      for (name, write) in found {
        do throws(DatabaseError) {
          _ = try await store.write(
            write,
            in: name,
            as: .administrator,
            cause: .init(firesTriggers: false)
          )
        } catch {
          throw error.statusError
        }
      }
      return Self.words(for: found.count)
    }
  }
}

extension DatabaseError {
  /// The error of a write by an administrator.
  fileprivate var statusError: StatusError {
    if case .status(let error) = self { return error }
    return StatusError(.internal, "the data can't be imported")
  }
}
