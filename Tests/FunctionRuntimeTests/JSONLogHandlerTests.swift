import Core
import FirestoreModel
import Logging
import Testing

@testable import FunctionRuntime

struct JSONLogHandlerTests {
  private func handler(_ environment: [String: String] = [:]) -> JSONLogHandler {
    JSONLogHandler(function: "greet", Configuration(environment: environment))
  }

  private func line(
    _ handler: JSONLogHandler,
    _ level: Logger.Level,
    _ message: Logger.Message,
    _ metadata: Logger.Metadata? = nil
  ) -> String? {
    let event = LogEvent(
      level: level,
      message: message,
      metadata: metadata,
      source: nil,
      file: "",
      function: "",
      line: 0
    )
    return handler.line(of: event, at: Timestamp(seconds: 0))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `an entry is one line with Cloud Logging's names`() {
    var handler = handler()
    handler[metadataKey: "eventId"] = "e1"
    handler[metadataKey: "logging.googleapis.com/trace"] = "t"
    #expect(
      line(handler, .warning, "two\nlines \"quoted\"", ["count": "2", "eventId": "e2"])
        == #"{"count":"2","eventId":"e2","function":"greet","logging.googleapis.com/trace":"t","#
        + #""message":"two\nlines \"quoted\"","severity":"WARNING","time":"1970-01-01T00:00:00Z"}"#
    )
  }

  @Test func `metadata can't replace message, severity or time`() {
    #expect(
      line(handler(), .info, "m", ["message": "x", "severity": "x", "time": "x"])
        == #"{"function":"greet","message":"m","severity":"INFO","time":"1970-01-01T00:00:00Z"}"#
    )
  }

  @Test(arguments: Logger.Level.allCases)
  func `every level has a severity of Cloud Logging`(level: Logger.Level) {
    let known = ["DEBUG", "INFO", "NOTICE", "WARNING", "ERROR", "CRITICAL"]
    #expect(known.contains(level.severity))
    #expect(line(handler(), level, "m")?.contains("\"severity\":\"\(level.severity)\"") == true)
  }

  @Test(arguments: [
    (nil, Logger.Level.info), ("debug", .debug), ("ERROR", .error), ("", .info), ("loud", .info),
  ])
  func `LOG_LEVEL sets the lowest level written`(value: String?, level: Logger.Level) {
    let environment = value.map { ["LOG_LEVEL": $0] } ?? [:]
    #expect(handler(environment).logLevel == level)
  }
}
