package import Core
package import FunctionHost
package import Logging

/// The files in functions' folders that aren't used as functions, for the log.
package struct SkippedFiles {
  /// The number of programs that are named in one line.
  private static let maximumNames = 10

  private let logger: Logger
  /// The programs without a manifest and their errors, by folder.
  private var programs: [String: [(name: String, reason: String)]] = [:]

  package init(_ logger: Logger) { self.logger = logger }

  /// Reports an executable file that prints no valid manifest.
  ///
  /// A script in a functions' folder is meant to be a function, so it is reported at once. A build
  /// folder holds many other programs, so these are collected for `reportPrograms`.
  package mutating func add(_ path: String, _ error: StatusError) {
    if FunctionFolders.isScript(path) {
      report(path, error.message)
    } else {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      programs[path.directory, default: []].append((name, error.message))
    }
  }

  /// Reports a script that isn't executable. Other files without this right are data.
  package func addUnexecutable(_ path: String) {
    guard FunctionFolders.isScript(path) else { return }
    report(path, "it is a script, but not executable: chmod +x \(path)")
  }

  /// Reports the collected programs: one with its error, several of a folder in one line.
  package func reportPrograms() {
    for (folder, programs) in programs.sorted(by: { $0.key < $1.key }) {
      guard programs.count > 1 else {
        for program in programs { report("\(folder)/\(program.name)", program.reason) }
        continue
      }
      let names = programs.prefix(Self.maximumNames).map(\.name)
      let others = programs.count - names.count
      logger.warning(
        "\(programs.count) programs skipped: not functions",
        metadata: [
          "folder": "\(folder)",
          "names": "\(names.joined(separator: ", "))\(others > 0 ? " and \(others) more" : "")",
        ]
      )
      for program in programs {
        logger.info(
          "program skipped: not a function",
          metadata: ["path": "\(folder)/\(program.name)", "reason": "\(program.reason)"]
        )
      }
    }
  }

  private func report(_ path: String, _ reason: String) {
    logger.warning(
      "file skipped: not a function",
      metadata: ["path": "\(path)", "reason": "\(reason)"]
    )
  }

  /// Reports members of a function's manifest that have no effect.
  package static func reportUnknownMembers(of function: InstalledFunction, _ logger: Logger) {
    guard !function.unknownMembers.isEmpty else { return }
    let names = function.unknownMembers.prefix(maximumNames).map { quoted($0) }
    logger.warning(
      "the manifest has unknown members, which have no effect",
      metadata: [
        "path": "\(function.command.executable)", "members": "\(names.joined(separator: ", "))",
      ]
    )
  }

  /// Reports a function whose name another one already has.
  package static func duplicate(_ path: String, of first: String, name: String, _ logger: Logger) {
    logger.warning(
      "function skipped: duplicate name",
      metadata: ["path": "\(path)", "reason": "\(first) already has the name \(name)"]
    )
  }
}
