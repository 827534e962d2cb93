package import Core
import FirestoreModel
package import FunctionRuntime

/// A function found on disk: its manifest and the command that runs it.
package struct InstalledFunction: Sendable {
  package var manifest: FunctionManifest
  package var command: Command
  /// The identity of the executable that printed the manifest, or `nil` if it is unknown.
  package var file: FileIdentity?
  /// The names of the manifest's members that have no effect.
  package var unknownMembers: [String] = []

  package init(manifest: FunctionManifest, command: Command, file: FileIdentity? = nil) {
    self.manifest = manifest
    self.command = command
    self.file = file
  }

  package var name: String { manifest.name }

  /// Returns the same function with the environment variables for its manifest.
  package func withEnvironment(
    _ variables: (FunctionManifest) -> [String: String]
  ) -> InstalledFunction {
    var function = self
    function.command.environment = variables(manifest)
    return function
  }
}

extension InstalledFunction {
  private static let maximumManifestBytes = 1 << 20

  /// Creates a function by running an executable with `--describe` and reading its manifest.
  ///
  /// - Parameters:
  ///   - command: The command that runs the function. Its arguments are replaced by `--describe`.
  ///   - seconds: The time limit in seconds.
  /// - Throws: An error that names the problem with the executable or its manifest;
  ///   `DEADLINE_EXCEEDED` if the process doesn't end in time.
  package init(describing command: Command, within seconds: Int = 2) async throws(StatusError) {
    // Read the identity before the manifest: if the file is replaced in between, a later check
    // notices that the identity differs.
    let file = FileIdentity(command.executable)
    var describing = command
    describing.arguments = ["--describe"]
    let process = try ChildProcess.spawn(
      describing,
      standardInput: .null,
      endsDescendants: true
    )
    let watch = ExitWatch(process)
    let watchdog = Watchdog(process)
    watchdog.start(until: .now + .seconds(seconds))
    async let output = Self.output(of: watch)
    async let complaint = process.errorOutput.lastLine()
    let status = await withTaskCancellationHandler {
      await process.exitStatus()
    } onCancel: {
      process.signal(SIGKILL)
    }
    // The time limit applies to the process alone. Its output may end later, because processes that
    // it left running may keep the pipe open.
    let isTimeUp = watchdog.stop()
    watchdog.dismiss()
    let bytes = try await output.get()
    let lastLine = await complaint
    guard !isTimeUp else {
      throw StatusError(.deadlineExceeded, "--describe did not answer within \(seconds) s")
    }
    guard status == .exited(0) else {
      let reason = Self.message(in: bytes) ?? lastLine
      throw StatusError(
        .invalidArgument,
        "--describe ended with code \(status.code)"
          + (reason.map { ": \(quoted($0, atMost: 300))" } ?? "")
      )
    }
    let json = try JSON.parse(Data(bytes), what: "the manifest")
    let manifest = try JSON.decode(FunctionManifest.self, from: json, what: "the manifest")
    guard manifest.contract == FunctionManifest.contract else {
      throw StatusError(
        .unimplemented,
        "the manifest has contract \(manifest.contract), but only \(FunctionManifest.contract) is supported"
      )
    }
    let isName = { (scalar: Unicode.Scalar) in
      scalar != "/" && scalar.properties.generalCategory != .control
    }
    guard !manifest.name.isEmpty, manifest.name.unicodeScalars.allSatisfy(isName) else {
      throw StatusError(
        .invalidArgument,
        "the manifest's name is empty, or contains a slash or a control character"
      )
    }
    try manifest.check()
    self.init(manifest: manifest, command: command, file: file)
    unknownMembers = FunctionManifest.unknownMembers(of: json)
  }

  /// Returns the error's message in a failed function's output, or `nil` if the output has none.
  private static func message(in output: [UInt8]) -> String? {
    try? JSONValue(parsing: Data(output))["error"]?["message"]?.string
  }

  private static func output(of watch: ExitWatch) async -> Result<[UInt8], StatusError> {
    do throws(StatusError) {
      return .success(try await watch.collect(limit: maximumManifestBytes))
    } catch {
      return .failure(error)
    }
  }
}

extension FunctionManifest {
  /// Checks the manifest's patterns, names and limits.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the invalid field.
  package func check() throws(StatusError) {
    for trigger in triggers {
      let pattern = try trigger.pattern
      if trigger.eventType.subject == .reference {
        guard pattern.segmentCount != nil else {
          throw StatusError(
            .invalidArgument,
            "the ref \(quoted(trigger.path)) can't have a segment for any number of keys"
          )
        }
        _ = try trigger.isBound(toInstance: "any")
      }
      if let bucket = trigger.bucket, bucket.isEmpty || bucket.contains("/") {
        throw StatusError(
          .invalidArgument,
          "the trigger on the objects \(quoted(trigger.path)) has an invalid bucket"
        )
      }
      if let database = trigger.database, database.isEmpty || database.contains("/") {
        throw StatusError(
          .invalidArgument,
          "the trigger on \(quoted(trigger.path)) has an invalid database"
        )
      }
      // A segment in braces is a capture. A brace elsewhere is a mistake: as a literal character it
      // would match no document.
      for segment in pattern.description.split(separator: "/") {
        let inner =
          segment.hasPrefix("{") && segment.hasSuffix("}")
          ? segment.dropFirst().dropLast() : segment
        guard !inner.contains("{"), !inner.contains("}") else {
          throw StatusError(
            .invalidArgument,
            "pattern \(quoted(trigger.path)) has an unmatched brace"
          )
        }
      }
    }
    for name in secrets where name.isEmpty || name.contains("=") || name.contains("\0") {
      throw StatusError(.invalidArgument, "secret \(quoted(name)) is not a valid variable name")
    }
    guard (1...3_600).contains(timeoutSeconds) else {
      throw StatusError(.invalidArgument, "timeoutSeconds \(timeoutSeconds) is not in 1...3600")
    }
    guard (1...1_000).contains(concurrency) else {
      throw StatusError(.invalidArgument, "concurrency \(concurrency) is not in 1...1000")
    }
  }
}
