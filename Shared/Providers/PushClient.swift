package import GoogleAuth
import HTTPTransport
import JSONCoding
package import RPCStatus

/// Firebase Cloud Messaging, HTTP v1.
package struct PushClient: Sendable {
  /// What became of a push.
  package enum Outcome: Sendable, Equatable {
    case sent
    /// FCM doesn't know the token any more, or it belongs to another project: forget it.
    case unregistered
  }

  private let baseURL: String
  private let project: String
  private let tokens: any AccessTokenSource
  private let session: ProviderSession

  /// - Parameter baseURL: FCM_BASE_URL, without the path.
  package init(
    baseURL: String?,
    project: String,
    tokens: any AccessTokenSource,
    session: ProviderSession
  ) {
    self.baseURL = (baseURL ?? "https://fcm.googleapis.com").withoutTrailingSlashes
    self.project = project
    self.tokens = tokens
    self.session = session
  }

  private struct Request: Encodable { var message: PushMessage }

  /// FCM names the message it has taken; a proxy's page doesn't.
  private struct Accepted: Decodable { var name: String }

  /// Sends one push.
  ///
  /// It is sent once: FCM has no idempotency key, so an attempt whose answer was lost might ring
  /// twice. The event's redelivery comes back to the devices that are not yet in the ledger.
  ///
  /// - Parameter deadline: for this push, if it is earlier than the session's.
  /// - Throws: `INVALID_ARGUMENT` for a message FCM won't take, a configuration error for our
  ///   credentials, `RESOURCE_EXHAUSTED` and `UNAVAILABLE` for what may pass.
  package func send(
    _ message: PushMessage,
    deadline: ContinuousClock.Instant? = nil
  ) async throws(StatusError) -> Outcome {
    let session = session.ending(by: deadline)
    let token = try await tokens.accessToken(deadline: session.deadline)
    let response = try await session.post(
      "\(baseURL)/v1/projects/\(PercentEncoding.encode(project))/messages:send",
      Request(message: message),
      headers: [HTTPHeader("Authorization", token.authorization)],
      address: "FCM_BASE_URL",
      key: "the access token",
      retry: RetryPolicy(maximumAttempts: 1)
    )
    if response.status == 200 {
      guard (try? JSON.decode(Accepted.self, from: response.body, what: "the answer")) != nil else {
        throw StatusError(.unavailable, "FCM answered with nonsense")
      }
      return .sent
    }
    return try Self.outcome(of: response)
  }

  /// FCM's own code decides; the status only where there is none.
  private static func outcome(of response: HTTPResponse) throws(StatusError) -> Outcome {
    let details = GoogleError(response)?.error.details ?? []
    let code = details.compactMap(\.errorCode).first
    switch (code, response.status) {
    case ("UNREGISTERED", _), ("SENDER_ID_MISMATCH", _): return .unregistered
    case ("INVALID_ARGUMENT", _), (nil, 400):
      let fields = details.flatMap { $0.fieldViolations ?? [] }.compactMap(\.field)
      if fields == ["message.token"] { return .unregistered }
      let place = fields.isEmpty ? "" : ": " + fields.joined(separator: ", ")
      throw StatusError(.invalidArgument, "FCM refused the message\(place)")
    case ("QUOTA_EXCEEDED", _), (_, 429):
      throw StatusError(
        .resourceExhausted,
        "FCM is over its quota",
        retryAfter: response.retryAfter ?? .seconds(60)
      )
    case ("THIRD_PARTY_AUTH_ERROR", _), (nil, 401), (nil, 403):
      throw .configuration(.permissionDenied, "FCM refused our credentials")
    case (nil, 404):
      throw .configuration(.notFound, "FCM does not know the project")
    default:
      throw StatusError(
        .unavailable,
        "FCM answered \(response.status)",
        retryAfter: response.retryAfter
      )
    }
  }
}
