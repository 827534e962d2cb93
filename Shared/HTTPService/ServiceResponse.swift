package import Core

/// An HTTP response of a service.
package struct ServiceResponse: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Data
  /// A part of a file that is sent instead of `body`.
  package var file: FileBody?
  /// A closure that writes a body of unknown length, which is sent instead of `body`. If it throws
  /// an error, the connection is closed, so that the client notices that the response is
  /// incomplete.
  package var stream: Stream?
  /// A Boolean value that indicates whether `stream` is cancelled when the client closes its side of
  /// the connection. Set it for a stream without an end, whose client may leave silently.
  package var endsWithClient = false

  /// A Boolean value that indicates whether the connection is reset instead of sending a response.
  package var isCut = false

  /// A Boolean value that indicates whether the status allows a body.
  package var mayHaveBody: Bool { ![204, 304].contains(status) }

  package typealias Stream = @Sendable (inout any ServiceResponseWriter) async throws -> Void

  package init(
    status: Int = 200,
    headers: [(name: String, value: String)] = [],
    body: Data = Data()
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A response that resets the connection instead of sending anything.
  package static var cut: ServiceResponse {
    var response = ServiceResponse()
    response.isCut = true
    return response
  }

  /// Returns a response whose body is sent while a closure writes it.
  package static func stream(
    contentType: String = "application/json; charset=utf-8",
    _ stream: @escaping Stream
  ) -> ServiceResponse {
    var response = ServiceResponse(headers: [("content-type", contentType)])
    response.stream = stream
    return response
  }

  /// Returns a response whose body is encoded JSON.
  package static func json(_ body: Data, status: Int = 200) -> ServiceResponse {
    ServiceResponse(
      status: status,
      headers: [("content-type", "application/json; charset=utf-8")],
      body: body
    )
  }

  package static func json(_ value: some Encodable, status: Int = 200) -> ServiceResponse {
    guard let body = try? JSON.encode(value) else {
      return .error(StatusError(.internal, "the response can't be encoded"))
    }
    return json(body, status: status)
  }

  package static func text(_ text: String, status: Int = 200) -> ServiceResponse {
    ServiceResponse(
      status: status,
      headers: [("content-type", "text/plain; charset=utf-8")],
      body: Data(text.utf8)
    )
  }

  /// Returns an error response in the format of Google's REST APIs.
  ///
  /// - Parameters:
  ///   - status: The HTTP status, or `nil` for the one that belongs to the error's code.
  ///   - body: The error in another format, or `nil` for Google's format.
  package static func error(
    _ error: StatusError,
    status: Int? = nil,
    body: JSONValue? = nil
  ) -> ServiceResponse {
    let status = status ?? error.code.httpStatus
    let standard = JSONValue.object([
      "error": .object([
        "code": .integer(Int64(status)),
        "message": .string(error.message),
        "status": .string(error.code.rawValue),
      ])
    ])
    var response = json(body ?? standard, status: status)
    response.setRetryAfter(of: error)
    return response
  }
}

extension ServiceResponse {
  /// Adds the header Retry-After, in whole seconds and at least 1, if the error has a retry delay.
  package mutating func setRetryAfter(of error: StatusError) {
    guard let wait = error.retryAfter else { return }
    headers.append(("retry-after", String(max(1, Int((wait / .seconds(1)).rounded(.up))))))
  }

  /// Returns the response with its streamed body collected in `body`. The body of a file stays there.
  package func collected() async throws(StatusError) -> ServiceResponse {
    guard let stream else { return self }
    var writer: any ServiceResponseWriter = Collector()
    do {
      try await stream(&writer)
    } catch {
      throw error as? StatusError ?? StatusError(.internal, "\(error)")
    }
    var response = self
    response.stream = nil
    response.body = (writer as? Collector)?.body ?? Data()
    return response
  }

  private struct Collector: ServiceResponseWriter {
    var body = Data()
    mutating func write(_ bytes: Data) { body.append(bytes) }
    func flush() {}
  }
}

/// A writer of a streamed body.
package protocol ServiceResponseWriter {
  /// Writes bytes, and waits while the client doesn't read.
  mutating func write(_ bytes: Data) async throws

  /// Sends the bytes written so far. Without this call, a writer may collect small pieces before it
  /// sends them.
  mutating func flush() async throws
}

/// A service that answers the HTTP requests of a port.
package protocol HTTPService: Sendable {
  /// The service's name, which the ready file and the hub list.
  var name: String { get }

  /// Returns whether to handle a request on its connection's event loop. Return `true` only if the
  /// response is available at once, because other connections share the event loop.
  func runsOnEventLoop(_ request: ServiceRequest) -> Bool

  /// Returns whether the service reads the body of a request while it arrives, from
  /// `ServiceRequest.stream`. The size of such a body has no limit.
  func streamsBody(of head: RequestHead) -> Bool

  /// Returns the response to a request. If it throws an error, the error is sent in the format of
  /// Google's REST APIs.
  func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse
}

extension HTTPService {
  package func streamsBody(of head: RequestHead) -> Bool { false }

  /// Returns the error for a route that doesn't exist.
  package func notFound(_ request: ServiceRequest) -> StatusError {
    StatusError(
      .notFound,
      "\(name) has no route \(request.method) /\(request.path.joined(separator: "/"))"
    )
  }
}
