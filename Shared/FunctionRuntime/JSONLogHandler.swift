package import Core
import FirestoreModel
package import Logging

/// A log handler that writes each entry to stderr as a line of JSON with Cloud Logging's field
/// names.
///
/// Source: cloud.google.com/logging/docs/structured-logging. Log only IDs, counts and similar data,
/// never a user's text, a token or a key.
package struct JSONLogHandler: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel: Logger.Level

  /// Creates a handler. If the variable `LOG_LEVEL` is invalid, the level is `info`, so that the
  /// configuration error can be logged.
  package init(function: String, _ configuration: Configuration) {
    logLevel = (try? configuration.logLevel()) ?? .info
    metadata["function"] = "\(function)"
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    guard let line = line(of: event, at: .now) else { return }
    StandardError.write(line: line)
  }

  /// Returns the entry's line without a line feed, or `nil` if it can't be encoded.
  func line(of event: LogEvent, at time: Timestamp) -> Data? {
    var fields = metadata.merging(event.metadata ?? [:]) { _, new in new }
      .mapValues(\.description)
    fields["severity"] = event.level.severity
    fields["message"] = event.message.description
    fields["time"] = time.description
    return try? JSON.encode(fields)
  }
}

extension Configuration {
  /// Returns the log level of the variable `LOG_LEVEL`: one of swift-log's levels.
  ///
  /// - Throws: The errors of `choice`.
  package func logLevel(default level: Logger.Level = .info) throws(StatusError) -> Logger.Level {
    try choice("LOG_LEVEL", of: Logger.Level.self) ?? level
  }
}

extension Logger.Level {
  /// The level's name in Cloud Logging.
  package var severity: String {
    switch self {
    case .trace, .debug: "DEBUG"
    case .info: "INFO"
    case .notice: "NOTICE"
    case .warning: "WARNING"
    case .error: "ERROR"
    case .critical: "CRITICAL"
    }
  }
}
