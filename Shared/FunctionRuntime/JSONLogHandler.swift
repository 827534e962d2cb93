package import Core
import FirestoreModel
package import Logging

/// Writes each entry as a line of JSON on stderr, with Cloud Logging's field names.
///
/// Source: cloud.google.com/logging/docs/structured-logging. Entries carry ids and counts; a
/// user's text, tokens and keys never reach a logger.
package struct JSONLogHandler: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel: Logger.Level

  /// Where `LOG_LEVEL` is no level, what can be logged of that is.
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

  /// The entry without its line feed.
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
  /// Environment: `LOG_LEVEL`, one of swift-log's levels.
  ///
  /// - Throws: as `choice` does.
  package func logLevel(default level: Logger.Level = .info) throws(StatusError) -> Logger.Level {
    try choice("LOG_LEVEL", of: Logger.Level.self) ?? level
  }
}

extension Logger.Level {
  /// Cloud Logging's name of this level.
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
