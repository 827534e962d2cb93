import Core
import HTTPService

extension ProviderFault {
  /// The default duration of a timeout, longer than any client waits.
  private static let longTimeout = Duration.seconds(60)
  /// The default delay between the bytes of a slow body.
  private static let slowness = Duration.milliseconds(100)

  /// Returns the faulty response to a request.
  ///
  /// - Parameter carryOut: returns the correct response.
  func answer(
    _ request: ServiceRequest,
    carryOut: () async throws(StatusError) -> ServiceResponse
  ) async throws(StatusError) -> ServiceResponse {
    switch kind {
    case .timeoutBeforeHeaders:
      await Self.wait(delay ?? Self.longTimeout)
      return .cut
    case .timeoutAfterHeaders:
      let good = try await carryOut()
      return Self.cutOff(good, after: delay ?? Self.longTimeout)
    case .slowBody:
      return Self.trickling(try await carryOut(), every: delay ?? Self.slowness)
    default: break
    }
    if let delay { await Self.wait(delay) }
    switch kind {
    case .status: return statusAnswer
    case .reset: return .cut
    case .malformedJSON: return .json(Data(#"{"data":,]}"#.utf8))
    case .truncatedJSON: return Self.cutOff(try await carryOut(), after: .zero)
    case .html: return page
    case .empty: return ServiceResponse(headers: Self.jsonType)
    case .delay: return try await carryOut()
    default:
      let good = try await carryOut()
      return good.status == 200 ? ResponseMutation(kind, request).apply(to: good) : good
    }
  }

  /// The outcome that `/providers/usage` counts: a status, or the fault that replaced the response.
  /// The outcome is `nil` if the request is carried out, because its response is counted instead.
  var outcome: String? {
    switch kind {
    case .status, .html: "\(status ?? 502)"
    case .timeoutBeforeHeaders, .reset: kind.rawValue
    case .malformedJSON, .empty: "200"
    default: nil
    }
  }

  private static let jsonType = [(name: "content-type", value: "application/json")]

  private static func wait(_ duration: Duration) async { try? await Task.sleep(for: duration) }

  private var statusAnswer: ServiceResponse {
    let status = status ?? 500
    var response =
      body.map { ServiceResponse(status: status, headers: Self.jsonType, body: Data($0.utf8)) }
      ?? provider.error(status: status, code: code)
    add(headers, to: &response)
    return response
  }

  private var page: ServiceResponse {
    let text = "<html><head><title>Bad Gateway</title></head><body>Bad Gateway</body></html>\n"
    var response = ServiceResponse(
      status: status ?? 502,
      headers: [(name: "content-type", value: "text/html; charset=utf-8")],
      body: Data(text.utf8)
    )
    add(headers, to: &response)
    return response
  }

  private func add(_ headers: [String: String], to response: inout ServiceResponse) {
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      response.headers.removeAll { $0.name == name.lowercased() }
      response.headers.append((name: name.lowercased(), value: value))
    }
  }

  /// Returns a response that announces the full body length, sends half of the body, and closes the
  /// connection after the delay.
  private static func cutOff(_ good: ServiceResponse, after delay: Duration) -> ServiceResponse {
    var response = good
    response.headers.append((name: "content-length", value: "\(good.body.count)"))
    response.stream = { [body = good.body] writer in
      try await writer.write(body.prefix(body.count / 2))
      try await writer.flush()
      await wait(delay)
      throw StatusError(.unavailable, "a requested fault ends this response early")
    }
    return response
  }

  private static func trickling(
    _ good: ServiceResponse,
    every delay: Duration
  ) -> ServiceResponse {
    var response = good
    response.stream = { [body = good.body] writer in
      for index in body.indices {
        try await writer.write(body[index...index])
        try await writer.flush()
        try await Task.sleep(for: delay)
      }
    }
    return response
  }
}
