import Core
import FirestoreModel
import FunctionHost
import Rules
import UI

/// The rules that an emulator starts with for a service with several databases or buckets: those of
/// the Realtime Database and of Cloud Storage.
struct RulesFilesSource<Compiled: Sendable>: Sendable {
  /// A file with the rules of one database or bucket, or of all others.
  struct File: Sendable {
    /// The name of the database or bucket, or `nil` for all others.
    var owner: ByteKey?
    var location: RulesFileLocation
    var identity: FileIdentity?
    var rules: Compiled
  }

  private(set) var files: [File] = []
  /// A Boolean value that indicates whether all data is open on purpose.
  private var isOff = false
  /// Compiles a text. If it doesn't compile, the error's message has the issues.
  private let compile: @Sendable (_ text: String, _ name: String) throws(StatusError) -> Compiled

  /// Reads and compiles the files that firebase.json names.
  ///
  /// - Parameters:
  ///   - subject: A noun in the possessive for errors, such as `the database's`.
  ///   - isOff: Whether `--no-rules` opens all data. No file is read then.
  /// - Throws: `NOT_FOUND` or `INVALID_ARGUMENT` if a file can't be read or doesn't compile.
  init(
    _ named: [FirebaseConfiguration.OwnedRulesFile] = [],
    folder: String = "",
    subject: String = "",
    isOff: Bool = false,
    _ compile: @escaping @Sendable (String, String) throws(StatusError) -> Compiled
  ) throws(StatusError) {
    self.compile = compile
    self.isOff = isOff
    guard !isOff else { return }
    for file in named {
      let location = RulesFileLocation(
        name: file.path,
        path: file.path.absolutePath(in: folder)
      )
      let identity = location.identity
      do throws(StatusError) {
        files.append(
          File(
            owner: file.owner.map { ByteKey($0) },
            location: location,
            identity: identity,
            rules: try compile(location.text(), location.name)
          )
        )
      } catch {
        throw StatusError(
          error.code,
          "\(subject) security rules can't be used: correct them, or open all data with "
            + "--no-rules\n" + error.message
        )
      }
    }
  }

  /// The text in the list of services that says whether data is open.
  var summary: String {
    if isOff { return "off (--no-rules)" }
    guard !files.isEmpty else { return "none: all data is open" }
    return files.map { file in
      file.location.name + (file.owner.map { " of \($0)" } ?? "")
    }.joined(separator: ", ")
  }

  /// Returns the state that the pages show.
  func status(now: @escaping @Sendable () -> Timestamp) -> RulesFilesStatus {
    let files = files.map { RulesFilesStatus.File($0.location.name, of: $0.owner?.string) }
    return RulesFilesStatus(files: files, isOff: isOff, now: now)
  }

  /// The rules by database or bucket, and those of all others.
  var rules: (byOwner: [ByteKey: Compiled], others: Compiled?) {
    var byOwner: [ByteKey: Compiled] = [:]
    for file in files { if let owner = file.owner { byOwner[owner] = file.rules } }
    return (byOwner, files.last { $0.owner == nil }?.rules)
  }

  /// Reads a changed file.
  mutating func reload(_ index: Int) throws(StatusError) {
    let location = files[index].location
    files[index].rules = try compile(location.text(), location.name)
  }
}

extension CompilationError {
  /// The error with a line for each issue, of which at most 20 are named.
  func statusError(in file: String) -> StatusError {
    let (issues, others) = issues.shown
    let lines = issues.map { $0.line(in: file) } + (others.map { ["\(file): \($0)"] } ?? [])
    return StatusError(.invalidArgument, lines.joined(separator: "\n"))
  }
}
