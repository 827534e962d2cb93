import FunctionRuntime
import Platform
import RPCStatus

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

  enum AnonymousCalls: String { case refuse, allow }

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
    if let name = configuration["FUNCTION_SIGNATURE_TYPE"] {
      guard let signature = Signature(rawValue: name) else {
        let known = Signature.allCases.map(\.rawValue).joined(separator: ", ")
        throw .configuration(
          .invalidArgument,
          "FUNCTION_SIGNATURE_TYPE \(name) is none of \(known)"
        )
      }
      self.signature = signature
    }
    anonymousCalls = try Self.choice("ANONYMOUS_CALLS", ["refuse", "allow"], configuration)
      .flatMap(AnonymousCalls.init)
    showsMetrics = try Self.choice("METRICS", ["on", "off"], configuration) != "off"
    self.configuration = configuration
  }

  /// - Returns: nil if the variable isn't set.
  private static func choice(
    _ variable: String,
    _ choices: [String],
    _ configuration: Configuration
  ) throws(StatusError) -> String? {
    guard let choice = configuration[variable] else { return nil }
    guard choices.contains(choice) else {
      let known = choices.joined(separator: " nor ")
      throw .configuration(.invalidArgument, "\(variable) is neither \(known)")
    }
    return choice
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
