package import Core
package import GoogleAuth
import HTTPClient

/// A client of Firebase Cloud Messaging, HTTP v1.
package struct PushClient: Sendable {
  /// The outcome of a push.
  package enum Outcome: Sendable, Equatable {
    case sent
    /// A token that no longer reaches a device and must be deleted.
    case dead(DeadToken)
  }

  /// The reason why a token is invalid.
  package enum DeadToken: String, Sendable {
    /// The token of an app that was uninstalled, or that has another token now.
    case unregistered
    /// A text that isn't a token.
    case invalid
    /// A token of another project.
    case senderMismatch
  }

  private let baseURL: String
  private let project: String
  private let tokens: any AccessTokenSource
  private let session: ProviderSession
  private let webAppURL: String?
  private let analyticsLabel: String?

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - baseURL: FCM_BASE_URL, without the path.
  ///   - webAppURL: WEB_APP_URL, which FCM accepts only with https.
  ///   - analyticsLabel: FCM_ANALYTICS_LABEL, valid by `isAnalyticsLabel`.
  package init(
    baseURL: String?,
    project: String,
    tokens: any AccessTokenSource,
    session: ProviderSession,
    webAppURL: String? = nil,
    analyticsLabel: String? = nil
  ) {
    self.baseURL = (baseURL ?? "https://fcm.googleapis.com").withoutTrailingSlashes
    self.project = project
    self.tokens = tokens
    self.session = session
    self.webAppURL = webAppURL?.withoutTrailingSlashes
    self.analyticsLabel = analyticsLabel
  }

  /// Returns a Boolean value that indicates whether FCM accepts a text as an analytics label: up to
  /// 50 letters, digits and `-_.~%`.
  package static func isAnalyticsLabel(_ text: String) -> Bool {
    (1...50).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-_.~%".utf8.contains($0)
        }
      }
  }

  private struct Request<Message: Encodable>: Encodable { var message: Message }

  /// FCM's response to an accepted message.
  ///
  /// Decoding `name` makes sure that the response is FCM's, not a proxy's HTML page.
  private struct Accepted: Decodable { var name: String }

  /// Sends one push, with its texts cut to FCM's limit.
  ///
  /// FCM has no idempotency key, and a retry after a lost response might notify the user twice. So
  /// the push is sent once, and the event's redelivery reaches the devices that are not yet in the
  /// ledger. If FCM rejects the access token, the push is sent again with a new token, since no
  /// notification was shown.
  ///
  /// - Parameter deadline: the deadline of this push, if it is earlier than the session's.
  /// - Throws: `INVALID_ARGUMENT` for an event whose ids are too large for a push, `INTERNAL` for a
  ///   message that FCM rejects, a configuration error for rejected credentials,
  ///   `RESOURCE_EXHAUSTED` and `UNAVAILABLE` for temporary errors.
  package func send(
    _ message: PushMessage,
    deadline: ContinuousClock.Instant? = nil
  ) async throws(StatusError) -> Outcome {
    var message = message
    (message.webAppURL, message.analyticsLabel) = (webAppURL, analyticsLabel)
    return try await send(Request(message: try message.fitted()), deadline: deadline)
  }

  /// Sends one silent push. Sending it twice does no harm.
  package func send(
    _ message: BadgeMessage,
    deadline: ContinuousClock.Instant? = nil
  ) async throws(StatusError) -> Outcome {
    var message = message
    message.analyticsLabel = analyticsLabel
    return try await send(Request(message: message), deadline: deadline)
  }

  private func send(
    _ request: Request<some Encodable>,
    deadline: ContinuousClock.Instant?
  ) async throws(StatusError) -> Outcome {
    let session = session.ending(by: deadline)
    let response = try await tokens.authorized(
      deadline: session.deadline,
      isRefused: { $0.status == 401 && Self.code(of: $0) == nil }
    ) { token throws(StatusError) in
      try await session.send(
        "\(baseURL)/v1/projects/\(PercentEncoding.encode(project))/messages:send",
        request,
        headers: [HTTPHeader("Authorization", token.authorization)],
        address: "FCM_BASE_URL",
        key: "the access token",
        retry: HTTPRetryPolicy(maximumAttempts: 1)
      )
    }
    if response.status == 200 {
      guard (try? JSON.decode(Accepted.self, from: response.body, what: "the answer")) != nil else {
        throw StatusError(.unavailable, "FCM returned an invalid response")
      }
      return .sent
    }
    return try Self.outcome(of: response)
  }

  /// Returns FCM's error code in a response, or `nil` if it has none.
  private static func code(of response: HTTPResponse) -> String? {
    (GoogleError(response)?.error.details ?? []).compactMap(\.errorCode).first
  }

  /// A part of FCM's message for an invalid token. That error names no field.
  private static let invalidToken = "not a valid FCM registration token"

  /// Returns the outcome of an error response, by FCM's code or, without one, by the status.
  private static func outcome(of response: HTTPResponse) throws(StatusError) -> Outcome {
    switch (code(of: response), response.status) {
    case ("UNREGISTERED", _): return .dead(.unregistered)
    case ("SENDER_ID_MISMATCH", _): return .dead(.senderMismatch)
    case ("INVALID_ARGUMENT", _), (nil, 400):
      let error = GoogleError(response)?.error
      let fields = (error?.details ?? []).flatMap { $0.fieldViolations ?? [] }.compactMap(\.field)
      let isAboutToken =
        fields.isEmpty
        ? error?.message?.contains(invalidToken) == true : fields == ["message.token"]
      if isAboutToken { return .dead(.invalid) }
      let place = fields.isEmpty ? "" : ": " + fields.map { quoted($0) }.joined(separator: ", ")
      throw StatusError(.internal, "FCM refused the message\(place)")
    case ("QUOTA_EXCEEDED", _), (_, 429):
      throw StatusError(
        .resourceExhausted,
        "FCM is over its quota",
        retryAfter: response.retryAfter ?? .seconds(60)
      )
    case ("THIRD_PARTY_AUTH_ERROR", _), ("APNS_AUTH_ERROR", _):
      throw .configuration(
        .permissionDenied,
        "FCM can't deliver to Apple or the web: the Firebase project's key for them is missing or was refused"
      )
    case (nil, 401), (nil, 403):
      throw .configuration(
        .permissionDenied,
        "FCM refused the function's credentials: check its service account and the FCM role"
      )
    case (nil, 300..<400):
      throw .redirect("FCM", response, "FCM_BASE_URL")
    case (nil, 404):
      throw .configuration(.notFound, "FCM does not know the project: check GOOGLE_CLOUD_PROJECT")
    default:
      throw StatusError(
        .unavailable,
        "FCM answered \(response.status)",
        retryAfter: response.retryAfter
      )
    }
  }
}
