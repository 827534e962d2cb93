package import Core

/// The environment variables of a process. Only the code that creates a function reads them; other
/// code gets values as arguments.
package struct Configuration: Sendable {
  private let environment: [String: String]

  package init(environment: [String: String]) { self.environment = environment }

  /// The environment that the process was started with.
  package static var process: Configuration {
    Configuration(environment: ProcessInfo.processInfo.environment)
  }

  /// A variable's value, or `nil` if it is unset or empty.
  package subscript(name: String) -> String? {
    guard let value = environment[name], !value.isEmpty else { return nil }
    return value
  }

  /// Returns the value of a required variable.
  ///
  /// - Throws: `FAILED_PRECONDITION` with exit code 78, naming the variable, if it isn't set.
  package func require(_ name: String) throws(StatusError) -> String {
    guard let value = self[name] else {
      throw .configuration(.failedPrecondition, "\(name) is not set")
    }
    return value
  }

  /// Returns the enum case whose raw value is a variable's value in lower case.
  ///
  /// - Returns: `nil` if the variable isn't set.
  /// - Throws: `INVALID_ARGUMENT` with exit code 78, naming the variable and the allowed values.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String,
    of type: Choice.Type
  ) throws(StatusError) -> Choice? {
    guard let value = self[name] else { return nil }
    guard let choice = Choice(rawValue: value.lowercased()) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw .configuration(.invalidArgument, "\(name) must be one of \(known)")
    }
    return choice
  }

  /// All environment variables, for libraries that read variables themselves.
  package var all: [String: String] { environment }
}
