package import Core
package import HTTPService

/// A call whose result is streamed to the client as server-sent events.
///
/// The stream is any number of `data: {"message":…}`, then either `data: {"result":…}` or `data:
/// {"error":…}`. As with Firebase's own functions, the status is always 200, and comments in the
/// stream keep the connection alive.
package struct StreamingCall: Sendable {
  private static let heartbeat = Duration.seconds(30)

  /// A closure that runs the function. Whenever a line with a partial result arrives, the closure
  /// calls `onPartial` with it.
  package typealias Invoke =
    @Sendable (_ onPartial: @escaping @Sendable (_ line: Data) -> Void) async -> InvocationResult

  private let function: String
  private let invoke: Invoke

  package init(of function: String, _ invoke: @escaping Invoke) {
    self.function = function
    self.invoke = invoke
  }

  /// Returns whether the request's Accept header names `text/event-stream`. `*/*` doesn't count,
  /// because clients send it by default.
  ///
  /// Source: RFC 9110, section 12.5.1.
  package static func isWanted(by request: ServiceRequest) -> Bool {
    (request.headers["accept"] ?? "").lowercased().split(separator: ",").contains { range in
      let parts = range.filter { !$0.isWhitespace }.split(separator: ";")
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      return parts.first == "text/event-stream" && quality.flatMap { Double($0) } != 0
    }
  }

  private enum Occurrence: Sendable {
    case partial(Data)
    case heartbeat
    case result(InvocationResult)
  }

  private static let contentType = "text/event-stream; charset=utf-8"

  package var response: ServiceResponse {
    var response = ServiceResponse.stream(contentType: Self.contentType, send)
    response.headers.append(("cache-control", "no-cache"))
    return response
  }

  /// Sends the stream. If the client has disconnected, the next write fails and ends the call. The
  /// next write is the next heartbeat at the latest.
  private func send(_ writer: inout any ServiceResponseWriter) async throws {
    let (occurrences, continuation) = AsyncStream.makeStream(of: Occurrence.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        let result = await invoke { continuation.yield(.partial($0)) }
        continuation.yield(.result(result))
      }
      group.addTask {
        while true {
          try await Task.sleep(for: Self.heartbeat)
          continuation.yield(.heartbeat)
        }
      }
      for await occurrence in occurrences {
        switch occurrence {
        case .partial(let line):
          guard let partial = (try? JSONValue(parsing: line))?["partial"] else { continue }
          try await writer.write(Self.event(.object(["message": partial])))
        case .heartbeat: try await writer.write(Data(": ping\n\n".utf8))
        case .result(let result):
          let end =
            result.error.map { $0.toCaller(of: function).callable }
            ?? .object(["result": result.result ?? .null])
          return try await writer.write(Self.event(end))
        }
        try await writer.flush()
      }
    }
  }

  /// Returns a response in JSON as a stream with one event. The status and other headers stay.
  static func stream(of response: ServiceResponse) -> ServiceResponse {
    var stream = response
    stream.headers.removeAll { $0.name == "content-type" }
    stream.headers.append(("content-type", contentType))
    stream.body = event(response.body)
    return stream
  }

  private static func event(_ data: JSONValue) throws -> Data { event(try JSON.encode(data)) }

  private static func event(_ json: Data) -> Data {
    Data("data: ".utf8) + json + Data("\n\n".utf8)
  }
}
