import Core
import FirestoreModel
import FunctionHost
import RealtimeDatabase
import Rules
import UI

/// The rules of the Realtime Databases that an emulator starts with.
struct DatabaseRulesSource: Sendable {
  /// A file with the rules of one database, or of all others.
  struct File: Sendable {
    var database: ByteKey?
    var location: RulesFileLocation
    var identity: FileIdentity?
    var rules: DatabaseRules
  }

  private(set) var files: [File] = []
  /// A Boolean value that indicates whether all data is open on purpose.
  private var isOff = false

  /// Creates a source without rules: all data is open.
  ///
  /// - Parameter isOff: Whether `--no-rules` opens it on purpose.
  init(isOff: Bool = false) { self.isOff = isOff }

  /// The text in the list of services that says whether data is open.
  var summary: String {
    if isOff { return "off (--no-rules)" }
    guard !files.isEmpty else { return "none: all data is open" }
    return files.map { file in
      file.location.name + (file.database.map { " of \($0)" } ?? "")
    }.joined(separator: ", ")
  }

  /// Reads and compiles the files that firebase.json names.
  ///
  /// - Throws: `NOT_FOUND` or `INVALID_ARGUMENT` if a file can't be read or doesn't compile.
  init(
    _ named: [FirebaseConfiguration.DatabaseRulesFile],
    folder: String
  ) throws(StatusError) {
    for file in named {
      let location = RulesFileLocation(
        name: file.path,
        path: file.path.absolutePath(in: folder)
      )
      let identity = location.identity
      do throws(StatusError) {
        files.append(
          File(
            database: file.database.map { ByteKey($0) },
            location: location,
            identity: identity,
            rules: try location.databaseRules()
          )
        )
      } catch {
        throw StatusError(
          error.code,
          "the database's security rules can't be used: correct them, or open all data with "
            + "--no-rules\n" + error.message
        )
      }
    }
  }

  /// Returns the state that the pages show.
  func status(now: @escaping @Sendable () -> Timestamp) -> DatabaseRulesStatus {
    let files = files.map { DatabaseRulesStatus.File($0.location.name, of: $0.database?.string) }
    return DatabaseRulesStatus(files: files, isOff: isOff, now: now)
  }

  var configured: DatabaseStore.ConfiguredRules {
    var configured = DatabaseStore.ConfiguredRules()
    for file in files {
      if let database = file.database {
        configured.byDatabase[database] = file.rules
      } else {
        configured.others = file.rules
      }
    }
    return configured
  }

  /// Reads a changed file.
  mutating func reload(_ index: Int) throws(StatusError) {
    files[index].rules = try files[index].location.databaseRules()
  }
}

extension RulesFileLocation {
  /// Reads and compiles the file.
  fileprivate func databaseRules() throws(StatusError) -> DatabaseRules {
    let text = try text()
    do throws(CompilationError) {
      return try DatabaseRules(compiling: text)
    } catch {
      let (issues, others) = error.issues.shown
      let lines = issues.map { $0.line(in: name) } + (others.map { ["\(name): \($0)"] } ?? [])
      throw StatusError(.invalidArgument, lines.joined(separator: "\n"))
    }
  }
}
