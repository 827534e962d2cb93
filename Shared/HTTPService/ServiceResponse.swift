package import Core

/// An HTTP answer of a service.
package struct ServiceResponse: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Data
  /// Writes a body whose length isn't known before; `body` is not sent then. If it throws, the
  /// connection is cut: that is how HTTP/1.1 says that an answer isn't whole.
  package var stream: Stream?

  /// Whether the connection is reset instead of an answer: nothing of this is sent then.
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

  /// No answer: the connection is reset.
  package static var cut: ServiceResponse {
    var response = ServiceResponse()
    response.isCut = true
    return response
  }

  /// A body that is made while it is sent.
  package static func stream(
    contentType: String = "application/json; charset=utf-8",
    _ stream: @escaping Stream
  ) -> ServiceResponse {
    var response = ServiceResponse(headers: [("content-type", contentType)])
    response.stream = stream
    return response
  }

  /// Bytes that are JSON already.
  package static func json(_ body: Data, status: Int = 200) -> ServiceResponse {
    ServiceResponse(
      status: status,
      headers: [("content-type", "application/json; charset=utf-8")],
      body: body
    )
  }

  package static func json(_ value: some Encodable, status: Int = 200) -> ServiceResponse {
    guard let body = try? JSON.encode(value) else {
      return .error(StatusError(.internal, "the answer can't be encoded"))
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

  /// A failure as Google's REST APIs write it.
  ///
  /// - Parameters:
  ///   - status: HTTP's status, where it says more than the code's own.
  ///   - body: the error in another form.
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
  /// Says in whole seconds when to try again, one at least, if the error does.
  package mutating func setRetryAfter(of error: StatusError) {
    guard let wait = error.retryAfter else { return }
    headers.append(("retry-after", String(max(1, Int((wait / .seconds(1)).rounded(.up))))))
  }

  /// The same with all of its body.
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

/// Where a streamed body goes.
package protocol ServiceResponseWriter {
  /// Returns when there is room for more: it waits while the client doesn't read.
  mutating func write(_ bytes: Data) async throws

  /// Sends at once what was written; small pieces wait for more otherwise.
  mutating func flush() async throws
}

/// A service behind a port: a request in, an answer out.
package protocol HTTPService: Sendable {
  /// What it is called in the ready file and the hub.
  var name: String { get }

  /// A Boolean value that indicates whether a request is answered at once. Then it is answered on its
  /// connection's own thread, which other connections share.
  func runsOnEventLoop(_ request: ServiceRequest) -> Bool

  /// What is thrown is answered in the form of Google's REST APIs.
  func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse
}

extension HTTPService {
  /// The refusal of a route there isn't.
  package func notFound(_ request: ServiceRequest) -> StatusError {
    StatusError(
      .notFound,
      "\(name) has no \(request.method) /\(request.path.joined(separator: "/"))"
    )
  }
}
