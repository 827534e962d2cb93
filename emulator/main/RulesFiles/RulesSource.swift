import Core
import FirestoreAPI
import FirestoreModel
import FunctionHost
import Rules
import UI

/// The rules that an emulator starts with.
enum RulesSource: Sendable {
  /// No option and no firebase.json names rules: all data is open.
  case none
  /// `--no-rules`: all data is open on purpose.
  case off
  /// A file, which is watched, and its content at the start.
  case file(RulesFileLocation, FileIdentity?, RulesFile)

  /// Chooses the rules and reads their file.
  ///
  /// - Throws: `NOT_FOUND` or `INVALID_ARGUMENT` if the file can't be read or doesn't compile.
  init(
    _ options: FirestoreOptions,
    _ firebase: FirebaseConfiguration,
    folder: String
  ) throws(StatusError) {
    guard !options.noRules else {
      self = .off
      return
    }
    guard let name = options.rules ?? firebase.rules else {
      self = .none
      return
    }
    let path = RulesFileLocation(name: name, path: name.absolutePath(in: folder))
    let identity = path.identity
    do throws(StatusError) {
      let file = try path.read()
      try file.checkCompiled()
      self = .file(path, identity, file)
    } catch {
      throw StatusError(
        error.code,
        "the security rules can't be used: correct them, or open all data with --no-rules\n"
          + error.message
      )
    }
  }

  /// Returns the rules of all projects, and their state.
  ///
  /// - Parameter onDebug: A closure that gets the values that rules give to `debug()`.
  func load(
    now: @escaping @Sendable () -> Timestamp,
    onDebug: @escaping @Sendable (String) -> Void
  ) -> (SecurityRules, RulesStatus) {
    let (file, isOff): (RulesFile?, Bool) =
      switch self {
      case .none: (nil, false)
      case .off: (nil, true)
      case .file(_, _, let file): (file, false)
      }
    let rules = SecurityRules(file, onDebug: onDebug)
    return (rules, RulesStatus(of: rules, file: file, isOff: isOff, now: now))
  }

  /// The text in the list of services that says whether data is open.
  var summary: String {
    switch self {
    case .none: "none: all data is open"
    case .off: "off (--no-rules)"
    case .file(let path, _, _): path.name
    }
  }
}

extension RulesFile {
  /// A line for each error and warning, of which at most 20 are named.
  func report(as service: RulesService = .firestore) -> String {
    let (issues, others) = issues(of: service).shown
    var lines = issues.map { $0.line(in: name) }
    if let others {
      lines.append("\(name): \(others) (run emulator rules check \(name))")
    }
    return lines.joined(separator: "\n")
  }

  /// - Throws: `INVALID_ARGUMENT` with the report if the file doesn't compile.
  func checkCompiled() throws(StatusError) {
    guard ruleset == nil else { return }
    throw StatusError(.invalidArgument, report())
  }
}

extension Issue {
  /// Returns the issue in the form of compilers, `FILE:LINE:COLUMN: error: text`.
  func line(in file: String) -> String {
    "\(file):\(range?.line ?? 1):\(range?.column ?? 1): \(severity.rawValue.lowercased()): "
      + description.escapedForTerminal
  }
}
