import FirestoreModel
import JSONCoding
package import Logging
import Platform

/// Writes each entry as a line of JSON on stderr, with Cloud Logging's field names.
///
/// Source: cloud.google.com/logging/docs/structured-logging. Entries carry ids and counts; a
/// user's text, tokens and keys never reach a logger.
package struct JSONLogHandler: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel: Logger.Level

  /// Environment: `LOG_LEVEL`, one of swift-log's levels, default `info`.
  package init(function: String, _ configuration: Configuration) {
    logLevel = configuration["LOG_LEVEL"].flatMap(Logger.Level.init(rawValue:)) ?? .info
    metadata["function"] = "\(function)"
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    guard let line = line(of: event, at: .now) else { return }
    writeAll(line + [0x0A], to: STDERR_FILENO)
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
