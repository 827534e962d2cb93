import Core
import FunctionRuntime
import GoogleAuth

/// What a served function is told by flags and variables; flags win.
struct ServeSettings: Sendable {
  /// What comes in, as the Functions Framework's contract names it.
  enum Signature: String, CaseIterable {
    /// Events only, given to the function as CloudEvents.
    case cloudevent
    /// Events only, given to the function in their first generation's form.
    case event
    /// Calls only.
    case http
  }

  enum AnonymousCalls: String, CaseIterable { case refuse, allow }
  private enum Switch: String, CaseIterable { case on, off }

  var function: String
  var host: String
  var port: Int
  /// nil: the manifest's.
  var concurrency: Int?
  /// nil: four times the concurrency.
  var queue: Int?
  var drain: Duration
  var readyFile: String?
  /// nil: events and calls.
  var signature: Signature?
  /// What the function must be called.
  var target: String?
  /// What is said of calls without a token; nil: it depends on the project.
  var anonymousCalls: AnonymousCalls?
  var enforcesAppCheck: Bool
  var showsMetrics: Bool
  var configuration: Configuration

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
      throw StatusError(.invalidArgument, "--drain \(command.drain) is not in 0...3600")
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
          "\(flagName) \(flag) is not in \(range.lowerBound)...\(range.upperBound)"
        )
      }
      return flag
    }
    guard let text = configuration[variable] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .configuration(
        .invalidArgument,
        "\(variable) is not a number in \(range.lowerBound)...\(range.upperBound)"
      )
    }
    return number
  }

  var takesEvents: Bool { signature != .http }
  var takesCalls: Bool { signature == nil || signature == .http }

  /// Whether a call must say whose it is. Unless that is said: not where no token could.
  var needsTokens: Bool {
    if let anonymousCalls { return anonymousCalls == .refuse }
    return configuration["GOOGLE_CLOUD_PROJECT"].map { !$0.hasPrefix("demo-") } ?? false
  }
}
