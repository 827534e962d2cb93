import Core
import FunctionRuntime
import GoogleAuth

/// The settings of a server, from flags and environment variables; flags take precedence.
struct ServeSettings: Sendable {
  /// The kind of requests that the server accepts. The names are those of the Functions Framework's
  /// contract.
  enum Signature: String, CaseIterable {
    /// Events only, passed to the function as CloudEvents.
    case cloudevent
    /// Events only, passed to the function as first-generation events.
    case event
    /// Calls only.
    case http
  }

  enum AnonymousCalls: String, CaseIterable { case refuse, allow }
  private enum Switch: String, CaseIterable { case on, off }

  var function: String
  var host: String
  var port: Int
  /// The maximum number of concurrent invocations, or `nil` for the manifest's.
  var concurrency: Int?
  /// The maximum number of waiting invocations, or `nil` for four times the concurrency.
  var queue: Int?
  var drain: Duration
  var readyFile: String?
  /// The kind of requests, or `nil` for events and calls.
  var signature: Signature?
  /// The name that the function must have, or `nil` for any.
  var target: String?
  /// The rule for calls without a token, or `nil` if it depends on the project.
  var anonymousCalls: AnonymousCalls?
  var enforcesAppCheck: Bool
  var showsMetrics: Bool
  var configuration: Configuration

  /// Reads the settings from the command's flags and the environment variables.
  ///
  /// - Throws: `INVALID_ARGUMENT` or a configuration error, naming the flag or the variable.
  init(_ command: ServeCommand, _ configuration: Configuration) throws(StatusError) {
    function = command.function
    host = command.host
    port = try Self.number(command.port, "--port", "PORT", 0...65_535, configuration) ?? 8080
    concurrency = try Self.number(
      command.concurrency,
      "--concurrency",
      "FUNCTION_CONCURRENCY",
      1...1_000,
      configuration
    )
    queue = try Self.number(
      command.queue,
      "--queue",
      "FUNCTION_QUEUE",
      0...100_000,
      configuration
    )
    guard (0.0...3_600).contains(command.drain) else {
      throw StatusError(
        .invalidArgument,
        "--drain is \(command.drain): it must be from 0 to 3600 seconds"
      )
    }
    drain = .milliseconds(Int64(command.drain * 1_000))
    readyFile = command.readyFile
    target = configuration["FUNCTION_TARGET"]
    signature = try configuration.choice("FUNCTION_SIGNATURE_TYPE", of: Signature.self)
    anonymousCalls = try configuration.choice("ANONYMOUS_CALLS", of: AnonymousCalls.self)
    enforcesAppCheck = try CallerVerifier.enforcesAppCheck(in: configuration.all)
    showsMetrics = try configuration.choice("METRICS", of: Switch.self) != .off
    _ = try configuration.logLevel()
    self.configuration = configuration
  }

  private static func number(
    _ flag: Int?,
    _ flagName: String,
    _ variable: String,
    _ range: ClosedRange<Int>,
    _ configuration: Configuration
  ) throws(StatusError) -> Int? {
    if let flag {
      guard range.contains(flag) else {
        throw StatusError(
          .invalidArgument,
          "\(flagName) is \(flag): it must be from \(range.lowerBound) to \(range.upperBound)"
        )
      }
      return flag
    }
    guard let text = configuration[variable] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .configuration(
        .invalidArgument,
        "\(variable) must be a number from \(range.lowerBound) to \(range.upperBound)"
      )
    }
    return number
  }

  var takesEvents: Bool { signature != .http }
  var takesCalls: Bool { signature == nil || signature == .http }

  /// A Boolean value that indicates whether calls need a token.
  ///
  /// By default, calls need a token if a project is set and it isn't a `demo-` project.
  var needsTokens: Bool {
    if let anonymousCalls { return anonymousCalls == .refuse }
    return configuration["GOOGLE_CLOUD_PROJECT"].map { !$0.hasPrefix("demo-") } ?? false
  }
}
