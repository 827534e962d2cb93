import ArgumentParser
import Core
import Delivery
import FunctionRuntime
import Logging
import Recording
import Services

/// The functions that replays run, and their environment variables.
struct ReplayFunctions: ParsableArguments {
  @Option(
    name: .customLong("functions"),
    help: ArgumentHelp(
      "Folder of functions. May be repeated. (default: the emulator's own folder)",
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

  /// Finds the functions in these folders and runs `body` with an engine for them.
  static func withEngine<Result: Sendable>(
    in folders: [String],
    _ body: @Sendable (ReplayEngine) async throws -> Result
  ) async throws -> Result {
    var logger = Logger(label: "emulator") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .warning
    // Pass only the shell's variables that programs need, so that a replay is the same everywhere.
    let shell = ProcessInfo.processInfo.environment
      .filter { ["PATH", "TMPDIR", "HOME"].contains($0.key) }
    let catalog = try await FunctionCatalog.discover(
      in: FunctionFolders(
        folders,
        environment: Self.environment(shell, project: "demo-replay", port: 1, of: nil),
        excluding: Executable.programs
      ),
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

  /// Returns the environment variables of an emulator's function, with all services at one port.
  ///
  /// - Parameter function: The function's manifest, or `nil` if it isn't known yet.
  private static func environment(
    _ shell: [String: String],
    project: String,
    port: Int,
    of function: FunctionManifest?
  ) -> [String: String] {
    let address = Addresses.Address(host: "127.0.0.1", port: port)
    var addresses = Addresses()
    addresses[.firestore] = address
    addresses[.auth] = address
    addresses[.database] = address
    addresses[.storage] = address
    addresses[.functions] = address
    let environment = FunctionEnvironment(
      shell: shell,
      project: project,
      addresses: addresses,
      // There is no key file: functions get access tokens from the metadata server.
      credentials: "",
      functionFolders: []
    )
    var variables = function.map(environment.variables) ?? environment.undescribed
    variables["GCE_METADATA_HOST"] = address.description
    // This gives sets and dictionaries the same order in each process.
    variables["SWIFT_DETERMINISTIC_HASHING"] = "1"
    return variables
  }
}
