package import Core
import FirestoreModel
package import FunctionRuntime

/// A function as it was found: its manifest and how to start it.
package struct InstalledFunction: Sendable {
  package var manifest: FunctionManifest
  package var command: Command
  /// The file that described itself so; nil if it can't be told.
  package var file: FileIdentity?

  package init(manifest: FunctionManifest, command: Command, file: FileIdentity? = nil) {
    self.manifest = manifest
    self.command = command
    self.file = file
  }

  package var name: String { manifest.name }
}

extension InstalledFunction {
  private static let maximumManifestBytes = 1 << 20

  /// Asks an executable for its manifest.
  ///
  /// - Parameters:
  ///   - command: how to start it for an event.
  ///   - seconds: the time that it has.
  /// - Throws: what is wrong with it or with the manifest, in one sentence; `DEADLINE_EXCEEDED` if it
  ///   doesn't answer in time.
  package init(describing command: Command, within seconds: Int = 2) async throws(StatusError) {
    // Before it is asked: if it is replaced meanwhile, this isn't the new one's.
    let file = FileIdentity(command.executable)
    var describing = command
    describing.arguments = ["--describe"]
    let process = try ChildProcess.spawn(
      describing,
      standardInput: .null,
      standardError: .null,
      endsDescendants: true
    )
    let watch = ExitWatch(process)
    let watchdog = Watchdog(process)
    watchdog.start(until: .now + .seconds(seconds))
    async let output = Self.output(of: watch)
    let status = await withTaskCancellationHandler {
      await process.exitStatus()
    } onCancel: {
      process.signal(SIGKILL)
    }
    // The limit is the process's; what it leaves behind holds up its output a little longer.
    let isTimeUp = watchdog.stop()
    watchdog.dismiss()
    let bytes = try await output.get()
    guard !isTimeUp else {
      throw StatusError(.deadlineExceeded, "--describe did not answer within \(seconds) s")
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
    self.init(manifest: manifest, command: command, file: file)
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
