import ArgumentParser
import Core
import Delivery
import FunctionRuntime
import Logging
import Recording
import Services

/// The functions that replays run, and what they are started with.
struct ReplayFunctions: ParsableArguments {
  @Option(
    name: .customLong("functions"),
    help: ArgumentHelp(
      "Folder of functions. May be repeated. Default: the folder the emulator is in.",
      valueName: "dir"
    )
  )
  private var folders: [String] = []

  /// Finds the functions and runs `body` with an engine for them.
  func withEngine<Result: Sendable>(
    _ body: @Sendable (ReplayEngine) async throws -> Result
  ) async throws -> Result {
    let folders =
      self.folders.isEmpty
      ? [Executable.path.directory]
      : self.folders.map { $0.absolutePath(in: Executable.workingDirectory) }
    return try await Self.withEngine(in: folders, body)
  }

  /// The same with the functions of these folders.
  static func withEngine<Result: Sendable>(
    in folders: [String],
    _ body: @Sendable (ReplayEngine) async throws -> Result
  ) async throws -> Result {
    var logger = Logger(label: "emulator") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .warning
    // Of the shell only what programs can't do without: a replay is the same everywhere.
    let shell = ProcessInfo.processInfo.environment
      .filter { ["PATH", "TMPDIR", "HOME"].contains($0.key) }
    let catalog = try await FunctionCatalog.discover(
      in: folders,
      environment: Self.environment(shell, project: "demo-replay", port: 1, of: nil),
      excluding: Executable.programs,
      logger: logger
    )
    return try await ReplayEngine.run(
      catalog,
      logger: logger,
      makeEnvironment: { function, project, port in
        Self.environment(shell, project: project, port: port, of: function)
      },
      body: body
    )
  }

  /// What an emulator's functions are given, with everything at one port.
  ///
  /// - Parameter function: nil for one that hasn't told its manifest yet.
  private static func environment(
    _ shell: [String: String],
    project: String,
    port: Int,
    of function: FunctionManifest?
  ) -> [String: String] {
    let address = Addresses.Address(host: "127.0.0.1", port: port)
    var addresses = Addresses()
    addresses[.firestore] = address
    addresses[.functions] = address
    let environment = FunctionEnvironment(
      shell: shell,
      project: project,
      addresses: addresses,
      // Access tokens come from a metadata server instead: no key, and no file.
      credentials: "",
      functionFolders: []
    )
    var variables = function.map(environment.variables) ?? environment.undescribed
    variables["GCE_METADATA_HOST"] = address.description
    // Sets and dictionaries then have the same order in each process.
    variables["SWIFT_DETERMINISTIC_HASHING"] = "1"
    return variables
  }
}
