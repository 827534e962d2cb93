package import Core

/// The process's environment, read where the composition root asks for it and nowhere else.
package struct Configuration: Sendable {
  private let environment: [String: String]

  package init(environment: [String: String]) { self.environment = environment }

  /// What the process was started with.
  package static var process: Configuration {
    Configuration(environment: ProcessInfo.processInfo.environment)
  }

  /// A variable's value; unset and empty are the same.
  package subscript(name: String) -> String? {
    guard let value = environment[name], !value.isEmpty else { return nil }
    return value
  }

  /// - Throws: `FAILED_PRECONDITION` with exit code 78, naming the variable, if it isn't set.
  package func require(_ name: String) throws(StatusError) -> String {
    guard let value = self[name] else {
      throw .configuration(.failedPrecondition, "\(name) is not set")
    }
    return value
  }

  /// One of some words, in small letters or large.
  ///
  /// - Returns: nil if the variable isn't set.
  /// - Throws: `INVALID_ARGUMENT` with exit code 78, naming the variable and what it may be.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String,
    of type: Choice.Type
  ) throws(StatusError) -> Choice? {
    guard let value = self[name] else { return nil }
    guard let choice = Choice(rawValue: value.lowercased()) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw .configuration(.invalidArgument, "\(name) is none of \(known)")
    }
    return choice
  }

  /// All of it, for libraries that read variables of their own.
  package var all: [String: String] { environment }
}
