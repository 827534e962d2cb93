package import Core
import FirestoreModel
package import FunctionHost
package import FunctionRuntime
package import Logging

/// The functions found in folders.
package struct FunctionCatalog: Sendable {
  /// The functions by name.
  package let functions: [String: InstalledFunction]

  package init(_ functions: [InstalledFunction]) {
    self.functions = Dictionary(functions.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The names of all variables that any function's manifest declares as secrets.
  package var secrets: Set<String> {
    Set(functions.values.flatMap(\.manifest.secrets))
  }

  /// Returns the same functions, each with the environment variables for its manifest.
  package func withEnvironment(
    _ variables: (FunctionManifest) -> [String: String]
  ) -> FunctionCatalog {
    FunctionCatalog(
      functions.values.map { function in
        var function = function
        function.command.environment = variables(function.manifest)
        return function
      }
    )
  }

  /// Returns the same functions, but with this function replacing the one that has the same name.
  package func replacing(_ function: InstalledFunction) -> FunctionCatalog {
    FunctionCatalog(functions.values.filter { $0.name != function.name } + [function])
  }

  /// Finds the functions in folders by running every executable file with `--describe`, all at
  /// once.
  ///
  /// A file that prints no manifest isn't a function: it is skipped, and a warning is logged. If
  /// functions have the same name, only the first one is used, in the order of folders and then of
  /// file names.
  ///
  /// - Parameters:
  ///   - environment: The environment variables for the executables.
  ///   - excluded: The paths of files that are never run, such as the emulator's, with symbolic
  ///     links resolved.
  /// - Throws: `NOT_FOUND` if a folder can't be read.
  package static func discover(
    in folders: [String],
    environment: [String: String],
    excluding excluded: Set<String> = [],
    logger: Logger
  ) async throws(StatusError) -> FunctionCatalog {
    var paths: [String] = []
    for folder in folders { paths += try executables(in: folder, excluding: excluded) }
    var answers = await withTaskGroup(of: (Int, Answer).self) { group in
      for (index, path) in paths.enumerated() {
        group.addTask {
          let answer = await describe(path, environment)
          return (index, answer)
        }
      }
      return await group.reduce(into: [Int: Answer]()) { $0[$1.0] = $1.1 }
    }
    // On a busy machine, some executables may time out. They are run again one by one, with more
    // time.
    for (index, path) in paths.enumerated() {
      if case .failure(let error) = answers[index], error.code == .deadlineExceeded {
        answers[index] = await describe(path, environment, within: 10)
      }
      if case .failure(let error) = answers[index] {
        logger.warning(
          "file skipped: not a function",
          metadata: ["path": "\(path)", "reason": "\(error.message)"]
        )
      }
    }
    let functions = paths.indices.compactMap { try? answers[$0]?.get() }
    let catalog = FunctionCatalog(functions)
    for function in functions {
      let (path, name) = (function.command.executable, function.name)
      guard let first = catalog.functions[name]?.command.executable, first != path else {
        continue
      }
      logger.warning(
        "function skipped: duplicate name",
        metadata: ["path": "\(path)", "reason": "\(first) already has the name \(name)"]
      )
    }
    return catalog
  }

  private typealias Answer = Result<InstalledFunction, StatusError>

  private static func describe(
    _ path: String,
    _ environment: [String: String],
    within seconds: Int = 2
  ) async -> Answer {
    let command = Command(executable: path, environment: environment)
    do throws(StatusError) {
      return .success(try await InstalledFunction(describing: command, within: seconds))
    } catch {
      return .failure(error)
    }
  }

  private static func executables(
    in folder: String,
    excluding excluded: Set<String>
  ) throws(StatusError) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw StatusError(.notFound, "the functions' folder \(folder) can't be read")
    }
    // A build folder also holds libraries and test bundles, which are executable files too.
    let candidates = names.filter { name in
      ![".so", ".dylib", ".xctest"].contains(where: name.hasSuffix)
    }
    return candidates.sorted().map { "\(folder)/\($0)" }.filter { path in
      var information = stat()
      return !excluded.contains(path.resolvedPath ?? path) && stat(path, &information) == 0
        && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
  }
}
