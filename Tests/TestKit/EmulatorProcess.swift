package import Core
package import FunctionHost
package import HTTPClient

/// A running `emulator start`.
package struct EmulatorProcess: Sendable {
  /// The ports by service name, from the emulator's ready line.
  package let ports: [String: Int]
  package let project: String
  /// The folder in which the emulator runs. It contains the TMPDIR and the working folder.
  package let folder: String
  package let process: ChildProcess
  private let output: OutputLines
  private let errors: OutputLines

  private static let transport = HTTPClient(
    userAgent: "worldchat-tests",
    configuration: HTTPClientConfiguration(environment: [:])
  )

  /// The text that the emulator has written to stderr so far.
  private var errorText: String { errors.text }

  /// The text that the emulator has written to stdout after its ready line so far.
  package var outputText: String { output.text }

  /// Ends the emulator and returns everything that it has written to stderr.
  package func endAndReadErrors() async throws -> String {
    try await end()
    return await errors.all()
  }

  /// Waits until the emulator has written a line with the text to stderr.
  package func waitForError(containing text: String) async throws {
    try await errors.wait(for: text)
  }

  /// Waits until the emulator has written a line with the text to stdout after its ready line.
  package func waitForOutput(containing text: String) async throws {
    try await output.wait(for: text)
  }

  package var temporaryDirectory: String { "\(folder)/tmp" }

  // MARK: Start and end

  /// Starts an emulator on free ports and waits for its ready line.
  ///
  /// `withEmulator` also ends it.
  ///
  /// - Parameter fileLimit: the arguments of a `ulimit` that the shell runs first, such as `-n
  ///   256`.
  package static func start(
    _ options: [String],
    functions: String?,
    environment: [String: String],
    fileLimit: String? = nil,
    folder: String
  ) async throws -> EmulatorProcess {
    ignoreBrokenPipes()
    let project = "demo-\(UUID().uuidString.lowercased())"
    let temporaryDirectory = "\(folder)/tmp"
    try makeFolder(temporaryDirectory)
    if functions == nil { try makeFunctionsFolder("\(folder)/functions") }
    let ports = ["firestore", "auth", "database", "functions", "ui", "hub"]
      .flatMap { ["--\($0)-port", "0"] }
    return try await Permits.starts.hold {
      let process = try ChildProcess.spawn(
        Command(
          executable: "/bin/sh",
          arguments: ["-c", (fileLimit.map { "ulimit \($0) && " } ?? "") + #"exec "$@""#, "sh"]
            + [try Products.path(of: "emulator"), "start", "--project", project]
            + ["--ready-file", "/dev/stdout"] + ports
            + ["--functions", functions ?? "\(folder)/functions"] + options,
          environment: plainEnvironment.merging(environment) { _, new in new }
            .merging(["TMPDIR": temporaryDirectory]) { _, new in new },
          workingDirectory: folder
        )
      )
      let errors = OutputLines(process.errorOutput)
      let ready = try await readyLine(of: process, errors)
      return EmulatorProcess(
        ports: Dictionary(
          uniqueKeysWithValues: ready.map { ($0.string, $1["port"]?.integer ?? 0) }
        ),
        project: project,
        folder: folder,
        process: process,
        // If nobody reads the pipe, the emulator stops once it is full.
        output: OutputLines(process.output),
        errors: errors
      )
    }
  }

  private static func readyLine(
    of process: ChildProcess,
    _ errors: OutputLines
  ) async throws(StatusError) -> JSONObject {
    while let line = try await process.output.nextLine(maximumLength: 1 << 20) {
      guard line.first == UInt8(ascii: "{") else { continue }
      return try JSONValue(parsing: Data(line)).object ?? [:]
    }
    _ = await process.exitStatus()
    throw StatusError(.unavailable, "the emulator ended before it was ready: \(errors.text)")
  }

  /// Sends the signal and waits until the emulator has ended.
  ///
  /// - Throws: `INTERNAL` if it doesn't exit with code 0 within five minutes (enough on a busy
  ///   machine), or if it leaves a file in its TMPDIR or a process running.
  package func end(with signal: Int32 = SIGTERM) async throws(StatusError) {
    process.signal(signal)
    let watchdog = Task { [process] in
      try await Task.sleep(for: .seconds(300))
      await process.terminateGroup(grace: .zero)
    }
    let status = await process.exitStatus()
    watchdog.cancel()
    guard status == .exited(0) else {
      throw StatusError(.internal, "the emulator ended as \(status): \(errorText)")
    }
    let files = try? FileManager.default.contentsOfDirectory(atPath: temporaryDirectory)
    guard files == [] else {
      throw StatusError(.internal, "the emulator left \(files ?? ["no TMPDIR"])")
    }
    try await checkNoProcessIsLeft()
  }

  /// Checks that every process that the emulator started has ended.
  ///
  /// Each of them inherits the emulator's TMPDIR, in whatever process group it is.
  ///
  /// - Throws: `INTERNAL` if one still runs five minutes after the emulator's end.
  package func checkNoProcessIsLeft() async throws(StatusError) {
    let deadline = ContinuousClock.now + .seconds(300)
    var left = processes(inEnvironment: "TMPDIR=\(temporaryDirectory)")
    // A process killed at the end may still be listed for a moment, so the check polls.
    while !left.isEmpty, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(10))
      left = processes(inEnvironment: "TMPDIR=\(temporaryDirectory)")
    }
    guard left.isEmpty else {
      throw StatusError(.internal, "the emulator left processes: \(left)")
    }
  }

  // MARK: HTTP

  /// A response from one of the emulator's ports.
  package struct Answer: Sendable {
    package var status: Int
    package var headers: [HTTPHeader]
    package var body: Data

    package var text: String { String(decoding: body, as: UTF8.self) }
    /// The body as JSON, or `null` if it isn't JSON.
    package var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    /// The value of `error.message` in a body in Google's error format.
    package var message: String? { json.at("error.message")?.string }
    /// The value of `error.status` in a body in the error format of Google or of callable
    /// functions.
    package var code: String? { json.at("error.status")?.string }
  }

  /// Sends a request to one of the services.
  ///
  /// - Parameter target: the path and query, percent-encoded.
  package func request(
    _ method: String,
    _ service: String,
    _ target: String,
    headers: [HTTPHeader] = [],
    body: Data? = nil
  ) async throws(StatusError) -> Answer {
    let response = try await Self.transport.send(
      HTTPRequest(
        method: method,
        url: "http://\(address(service))\(target)",
        headers: headers,
        body: body,
        maximumResponseBytes: 64 << 20
      ),
      deadline: .generous
    )
    return Answer(status: response.status, headers: response.headers, body: response.body)
  }

  /// Sends a request with a JSON body and its content type.
  package func request(
    _ method: String,
    _ service: String,
    _ target: String,
    headers: [HTTPHeader] = [],
    json text: String
  ) async throws(StatusError) -> Answer {
    try await request(
      method,
      service,
      target,
      headers: [HTTPHeader("Content-Type", "application/json")] + headers,
      body: Data(text.utf8)
    )
  }

  package func address(_ service: String) -> String { "127.0.0.1:\(ports[service] ?? 0)" }

  /// Returns the environment variables that `emulator exec` gives a function.
  ///
  /// - Parameter project: the project, or `nil` for the emulator's own.
  package func environment(project: String? = nil) throws(StatusError) -> [String: String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: temporaryDirectory)
    guard let run = names?.first(where: { $0.hasPrefix("worldchat-emulator-") }) else {
      throw StatusError(.notFound, "the emulator has no folder of its run")
    }
    let fakes = "http://\(address("functions"))/providers"
    return plainEnvironment.merging([
      "GOOGLE_CLOUD_PROJECT": project ?? self.project,
      "FIRESTORE_EMULATOR_HOST": address("firestore"),
      "FIREBASE_AUTH_EMULATOR_HOST": address("auth"),
      "FIREBASE_DATABASE_EMULATOR_HOST": address("database"),
      "GOOGLE_APPLICATION_CREDENTIALS": "\(temporaryDirectory)/\(run)/service-account.json",
      "GOOGLE_TRANSLATION_API_KEY": "emulator-translation-key",
      "TRANSLATION_BASE_URL": fakes,
      "FCM_BASE_URL": fakes,
      "OPENAI_API_KEY": "emulator-openai-key",
      "OPENAI_BASE_URL": "\(fakes)/v1",
      "ANTHROPIC_API_KEY": "emulator-anthropic-key",
      "ANTHROPIC_BASE_URL": fakes,
    ]) { _, new in new }
  }
}

/// Returns the IDs of the processes whose environment contains this variable.
///
/// Linux only: elsewhere the list is empty.
private func processes(inEnvironment variable: String) -> [String] {
  let wanted = Data(variable.utf8)
  let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
  return all.filter { name in
    guard Int(name) != nil,
      let environment = try? Data(contentsOf: URL(filePath: "/proc/\(name)/environ"))
    else { return false }
    return environment.split(separator: 0).contains { $0.elementsEqual(wanted) }
  }
}

/// Runs `body` with a new emulator, and ends the emulator afterwards (see `EmulatorProcess.end`).
///
/// - Parameters:
///   - options: the options of `emulator start`.
///   - functions: the folder of its functions, or `nil` for this package's functions.
///   - environment: the variables of the shell that starts the emulator.
///   - fileLimit: the arguments of a `ulimit` that the shell runs first, such as `-n 256`.
package func withEmulator(
  _ options: String...,
  functions: String? = nil,
  environment: [String: String] = [:],
  fileLimit: String? = nil,
  _ body: (EmulatorProcess) async throws -> Void
) async throws {
  try await Permits.emulators.hold {
    try await run(options, functions, environment, fileLimit, body)
  }
}

/// Runs the tests of a whole suite with one emulator.
///
/// A test of the suite may start another emulator at the same time.
package func withSharedEmulator(
  _ options: [String],
  _ body: (EmulatorProcess) async throws -> Void
) async throws {
  try await Permits.suites.hold {
    try await run(options, nil, [:], nil, body)
  }
}

private func run(
  _ options: [String],
  _ functions: String?,
  _ environment: [String: String],
  _ fileLimit: String?,
  _ body: (EmulatorProcess) async throws -> Void
) async throws {
  try await withTemporaryFolder { folder in
    let emulator = try await EmulatorProcess.start(
      options,
      functions: functions,
      environment: environment,
      fileLimit: fileLimit,
      folder: folder
    )
    do {
      try await body(emulator)
    } catch {
      await emulator.process.terminateGroup(grace: .seconds(5))
      throw error
    }
    try await emulator.end()
  }
}
