package import Core

/// The outcome of running a function on one event.
package struct FunctionRun: Sendable {
  /// The only line on stdout: a result that matches the schema.
  package var line: JSONValue
  package var exitCode: Int32
  package var errorText: String

  package var status: String? { line["status"]?.string }
  package var reason: String? { line["reason"]?.string }
  package var result: JSONValue? { line["result"] }
  package var errorCode: String? { line["error"]?["code"]?.string }
  package var errorMessage: String? { line["error"]?["message"]?.string }

  /// The paths of the documents that the function wrote.
  package var writes: [String] {
    (line["writes"]?.array ?? []).compactMap { $0["document"]?.string }
  }
}

/// Runs a function on one event and checks that its output follows the contract.
///
/// Stdout must have one line: a result that matches the schema and contains the process's exit
/// code. Stderr must have only log lines.
///
/// - Parameter secondsToLive: the time after which SIGALRM ends the function, even if the test
///   process is too busy to end it.
package func runFunction(
  _ name: String,
  input: some Sequence<UInt8> & Sendable,
  inputEnd: InputEnd = .closed,
  secondsToLive: Int? = nil,
  environment: [String: String]
) async throws -> FunctionRun {
  let path = try Products.path(of: name)
  let output = try await runProgram(
    secondsToLive == nil ? path : "/usr/bin/perl",
    secondsToLive.map { ["-e", "alarm \($0); exec @ARGV", path] } ?? [],
    input: input,
    inputEnd: inputEnd,
    environment: environment
  )
  guard output.text.hasSuffix("\n"), output.lines.count == 1 else {
    throw StatusError(.internal, "\(name) did not print one line: \(output)")
  }
  let line = try JSONValue(parsing: Data(output.text.utf8))
  try Schema.result.check(line)
  guard line["exitCode"] == .integer(Int64(output.exitCode)) else {
    throw StatusError(.internal, "\(name) ended with \(output.exitCode) after \(output.text)")
  }
  for log in output.errorText.split(separator: "\n") {
    guard let entry = try? JSONValue(parsing: Data(log.utf8)), entry["severity"]?.string != nil
    else { throw StatusError(.internal, "\(name) wrote to stderr: \(log)") }
  }
  return FunctionRun(line: line, exitCode: output.exitCode, errorText: output.errorText)
}

package func runFunction(
  _ name: String,
  input: String,
  environment: [String: String]
) async throws -> FunctionRun {
  try await runFunction(name, input: Array(input.utf8), environment: environment)
}
