package import Core
package import FunctionHost

/// A session with a function's `--worker`: lines to its stdin, and lines from its stdout.
package struct WorkerSession: Sendable {
  package let process: ChildProcess

  /// Starts the worker and waits for its ready line.
  ///
  /// - Throws: `INTERNAL` if the first line isn't the ready line.
  package init(
    _ function: String,
    environment: [String: String]
  ) async throws(StatusError) {
    ignoreBrokenPipes()
    let process = try ChildProcess.spawn(
      Command(
        executable: try Products.path(of: function),
        arguments: ["--worker"],
        environment: environment
      ),
      standardError: .null
    )
    self.process = process
    let ready = try await nextLine()
    guard
      ready
        == .object([
          "contract": .integer(1), "function": .string(function), "ready": .boolean(true),
        ])
    else { throw StatusError(.internal, "the first line was \(ready?.text ?? "missing")") }
  }

  /// Writes a line and a line feed to the worker's stdin.
  package func send(_ line: String) async throws(StatusError) {
    try await process.write("\(line)\n".utf8)
  }

  /// Closes the worker's stdin and waits until the worker ends.
  package func end() async -> ExitStatus {
    process.closeInput()
    return await process.exitStatus()
  }

  /// Returns the next line, or `nil` if the worker has closed its stdout.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the line isn't a result that matches the schema.
  package func nextResult() async throws(StatusError) -> JSONValue? {
    guard let line = try await nextLine() else { return nil }
    try Schema.result.check(line)
    return line
  }

  /// Returns the next line, which may be a result or a partial result.
  package func nextLine() async throws(StatusError) -> JSONValue? {
    guard let line = try await process.output.nextLine(maximumLength: 1 << 24) else { return nil }
    return try JSONValue(parsing: Data(line))
  }
}
