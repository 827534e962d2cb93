package import Core
package import FunctionHost

/// A conversation with a function's `--worker`, line by line.
package struct WorkerSession: Sendable {
  package let process: ChildProcess

  /// Starts the worker and reads its first line.
  ///
  /// - Throws: `INTERNAL` if that line doesn't say that the worker is ready.
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

  /// Sends a line; the line feed is added.
  package func send(_ line: String) async throws(StatusError) {
    try await process.write("\(line)\n".utf8)
  }

  /// Closes the worker's stdin and waits for its end.
  package func end() async -> ExitStatus {
    process.closeInput()
    return await process.exitStatus()
  }

  /// Returns the next final line, which must be a result that matches the schema, or `nil` at the
  /// end.
  package func nextResult() async throws(StatusError) -> JSONValue? {
    guard let line = try await nextLine() else { return nil }
    try Schema.result.check(line)
    return line
  }

  /// Returns the next line, which may be a partial result.
  package func nextLine() async throws(StatusError) -> JSONValue? {
    guard let line = try await process.output.nextLine(maximumLength: 1 << 24) else { return nil }
    return try JSONValue(parsing: Data(line))
  }
}
