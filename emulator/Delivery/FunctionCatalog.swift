package import Core
package import FunctionHost
package import FunctionRuntime
package import Logging

/// The functions found in folders.
package struct FunctionCatalog: Sendable {
  /// The functions by name.
  package let functions: [String: InstalledFunction]
  /// The functions that aren't used because an earlier one has their name.
  package let duplicates: [InstalledFunction]

  package init(_ functions: [InstalledFunction]) {
    let first = Dictionary(functions.map { ($0.name, $0) }) { first, _ in first }
    self.functions = first
    duplicates = functions.filter {
      first[$0.name]?.command.executable != $0.command.executable
    }
  }

  /// The names of all variables that any function's manifest declares as secrets.
  package var secrets: Set<String> {
    Set(functions.values.flatMap(\.manifest.secrets))
  }

  /// Returns the same functions, each with the environment variables for its manifest.
  package func withEnvironment(
    _ variables: (FunctionManifest) -> [String: String]
  ) -> FunctionCatalog {
    FunctionCatalog(functions.values.map { $0.withEnvironment(variables) })
  }

  /// Returns the same functions, but with this function replacing the one that has the same name.
  package func replacing(_ function: InstalledFunction) -> FunctionCatalog {
    FunctionCatalog(functions.values.filter { $0.name != function.name } + [function])
  }

  /// Returns the same functions, without the one that has this name.
  package func removing(_ name: String) -> FunctionCatalog {
    FunctionCatalog(functions.values.filter { $0.name != name })
  }

  /// Finds the functions in folders by running every executable file with `--describe`, all at
  /// once.
  ///
  /// A file that prints no manifest isn't a function: it is skipped, and a warning is logged. If
  /// functions have the same name, only the first one is used, in the order of folders and then of
  /// file names.
  ///
  /// - Throws: `NOT_FOUND` if a folder can't be read.
  package static func discover(
    in folders: FunctionFolders,
    logger: Logger
  ) async throws(StatusError) -> FunctionCatalog {
    var skipped = SkippedFiles(logger)
    var paths: [String] = []
    for folder in folders.paths {
      for (path, file) in try folders.files(in: folder) {
        if file.isExecutable { paths.append(path) } else { skipped.addUnexecutable(path) }
      }
    }
    var answers = await withTaskGroup(of: (Int, Answer).self) { group in
      for (index, path) in paths.enumerated() {
        group.addTask {
          let answer = await folders.describe(path, within: 2)
          return (index, answer)
        }
      }
      return await group.reduce(into: [Int: Answer]()) { $0[$1.0] = $1.1 }
    }
    // On a busy machine, some executables may time out. They are run again one by one, with more
    // time.
    for (index, path) in paths.enumerated() {
      if case .failure(let error) = answers[index], error.code == .deadlineExceeded {
        answers[index] = await folders.describe(path, within: 10)
      }
      if case .failure(let error) = answers[index] { skipped.add(path, error) }
    }
    skipped.reportPrograms()
    let functions = paths.indices.compactMap { try? answers[$0]?.get() }
    let catalog = FunctionCatalog(functions)
    for function in catalog.functions.values.sorted(by: { $0.name < $1.name }) {
      SkippedFiles.reportUnknownMembers(of: function, logger)
    }
    for function in catalog.duplicates {
      let first = catalog.functions[function.name]?.command.executable ?? ""
      SkippedFiles.duplicate(function.command.executable, of: first, name: function.name, logger)
    }
    return catalog
  }

  private typealias Answer = Result<InstalledFunction, StatusError>
}
