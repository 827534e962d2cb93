import FirestoreModel
package import FunctionRuntime
import JSONCoding
package import Logging
import Platform
package import Processes
package import RPCStatus

/// A function as it was found: its manifest and how to start it.
package struct InstalledFunction: Sendable {
  package var manifest: FunctionManifest
  package var command: Command

  package var name: String { manifest.name }
}

/// The functions of some folders, by name.
package struct FunctionCatalog: Sendable {
  /// How long an executable may take to describe itself.
  package static let describeTimeout = Duration.seconds(2)
  private static let maximumManifestBytes = 1 << 20

  package let functions: [String: InstalledFunction]

  package init(_ functions: [InstalledFunction]) {
    self.functions = Dictionary(functions.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The names of all variables that hold keys.
  package var secrets: Set<String> {
    Set(functions.values.flatMap(\.manifest.secrets))
  }

  /// The same functions, started with these variables.
  package func withEnvironment(_ environment: [String: String]) -> FunctionCatalog {
    FunctionCatalog(
      functions.values.map { function in
        var function = function
        function.command.environment = environment
        return function
      }
    )
  }

  /// Asks every executable file of the folders for its manifest, all at once.
  ///
  /// What doesn't answer is no function: it is skipped and named in the log. Of two functions of
  /// one name, the first counts, by folders and in each by names of files.
  ///
  /// - Parameters:
  ///   - environment: what the functions are started with.
  ///   - excluded: absolute paths never to be run, such as the emulator itself.
  package static func discover(
    in folders: [String],
    environment: [String: String],
    excluding excluded: Set<String> = [],
    logger: Logger
  ) async throws(StatusError) -> FunctionCatalog {
    var paths: [String] = []
    for folder in folders { paths += try executables(in: folder, excluding: excluded) }
    let found = await withTaskGroup(of: (Int, InstalledFunction?).self) { group in
      for (index, path) in paths.enumerated() {
        group.addTask {
          let command = Command(
            executable: path,
            arguments: ["--describe"],
            environment: environment
          )
          do throws(StatusError) {
            var function = try await describe(command)
            function.command.arguments = []
            return (index, function)
          } catch {
            logger.warning(
              "not a function",
              metadata: ["path": "\(path)", "reason": "\(error.message)"]
            )
            return (index, nil)
          }
        }
      }
      return await group.reduce(into: [Int: InstalledFunction]()) { $0[$1.0] = $1.1 }
    }
    let functions = paths.indices.compactMap { found[$0] }
    let catalog = FunctionCatalog(functions)
    for function in functions {
      let (path, name) = (function.command.executable, function.name)
      guard let first = catalog.functions[name]?.command.executable, first != path else {
        continue
      }
      logger.warning(
        "not a function",
        metadata: ["path": "\(path)", "reason": "\(first) is \(name) already"]
      )
    }
    return catalog
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
      return !excluded.contains(path) && stat(path, &information) == 0
        && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
  }

  private static func collect(from watch: ExitWatch) async -> Result<[UInt8], StatusError> {
    do throws(StatusError) {
      return .success(try await watch.collect(limit: maximumManifestBytes))
    } catch {
      return .failure(error)
    }
  }

  private static func describe(_ command: Command) async throws(StatusError) -> InstalledFunction {
    let process = try ChildProcess.spawn(
      command,
      standardInput: .null,
      standardError: .null
    )
    let watch = ExitWatch(process)
    async let output = collect(from: watch)
    // The limit is the process's; what it leaves behind holds up its output a little longer.
    let status = await withDeadline(after: describeTimeout) { () throws(StatusError) in
      await process.exitStatus()
    } onTimeout: {
      await process.terminateGroup(grace: .zero)
    }
    let bytes = try await output.get()
    guard let status = try status?.get() else {
      throw StatusError(.deadlineExceeded, "--describe did not answer within 2 s")
    }
    guard status == .exited(0) else {
      throw StatusError(.invalidArgument, "--describe ended with code \(status.code)")
    }
    let manifest = try JSON.decode(
      FunctionManifest.self,
      from: Data(bytes),
      what: "the manifest"
    )
    guard manifest.contract == FunctionManifest.contract else {
      throw StatusError(
        .unimplemented,
        "contract \(manifest.contract) is not \(FunctionManifest.contract)"
      )
    }
    guard !manifest.name.isEmpty, !manifest.name.contains("/") else {
      throw StatusError(.invalidArgument, "the manifest has no usable name")
    }
    try manifest.check()
    return InstalledFunction(manifest: manifest, command: command)
  }
}

extension FunctionManifest {
  /// - Throws: `INVALID_ARGUMENT`, naming the member with which the function could never run.
  package func check() throws(StatusError) {
    for trigger in triggers {
      let pattern = try DocumentPattern(trigger.document)
      if let database = trigger.database, database.isEmpty || database.contains("/") {
        throw StatusError(
          .invalidArgument,
          "the trigger on \(quoted(trigger.document)) has no usable database"
        )
      }
      // A brace is a name's when both ends of its segment have one; else it would be taken
      // literally, and nobody's document is called so.
      for segment in pattern.description.split(separator: "/") {
        let inner =
          segment.hasPrefix("{") && segment.hasSuffix("}")
          ? segment.dropFirst().dropLast() : segment
        guard !inner.contains("{"), !inner.contains("}") else {
          throw StatusError(
            .invalidArgument,
            "pattern \(quoted(trigger.document)): a brace is alone"
          )
        }
      }
    }
    for name in secrets where name.isEmpty || name.contains("=") || name.contains("\0") {
      throw StatusError(.invalidArgument, "secret \(quoted(name)) is no name of a variable")
    }
    guard (1...3_600).contains(timeoutSeconds) else {
      throw StatusError(.invalidArgument, "timeoutSeconds \(timeoutSeconds) is not in 1...3600")
    }
    guard (1...1_000).contains(concurrency) else {
      throw StatusError(.invalidArgument, "concurrency \(concurrency) is not in 1...1000")
    }
  }
}
