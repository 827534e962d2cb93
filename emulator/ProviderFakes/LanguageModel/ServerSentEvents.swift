import Core
import HTTPService

/// A complete body of type `text/event-stream`: the client receives all events at once.
struct ServerSentEvents {
  private var text = ""

  /// Appends an event.
  ///
  /// - Parameter name: the event's name, for APIs that use names.
  mutating func append(_ data: JSONValue, name: String? = nil) { append(data.line, name: name) }

  mutating func append(_ data: String, name: String? = nil) {
    if let name { text += "event: \(name)\n" }
    text += "data: \(data)\n\n"
  }

  var response: ServiceResponse {
    ServiceResponse(
      headers: [
        ("content-type", "text/event-stream; charset=utf-8"), ("cache-control", "no-cache"),
      ],
      body: Data(text.utf8)
    )
  }
}
