package import Core
import HTTPService
import Synchronization

/// The fake of Firebase Cloud Messaging, HTTP v1: validates a message as FCM does and keeps it in
/// an inbox.
///
/// - `POST /v1/projects/{project}/messages:send` sends a message
/// - `GET /fcm/inbox` lists the received pushes; `?limit=20` lists the newest 20
/// - `DELETE /fcm/inbox` empties the inbox
/// - `POST /fcm/devices {"token":…}` or `{"tokens":[…]}` registers devices, and makes all others
///   unknown; `GET /fcm/devices` lists them; `DELETE /fcm/devices` resets them
/// - `DELETE /fcm/devices/{token}` uninstalls the app: the token is unregistered from now on
package final class PushFake: Sendable {
  /// A push that FCM accepted.
  private struct Push: Sendable {
    var name: String
    /// The time of reception, in seconds since 1970.
    var received: Int64
    var target: PushRules.Target
    var message: JSONValue

    var json: JSONValue {
      let (kind, address) =
        switch target {
        case .device(let token): ("token" as ByteKey, token)
        case .topic(let topic): ("topic", topic)
        case .condition(let condition): ("condition", condition)
        }
      return .object([
        "name": .string(name), "receivedSeconds": .integer(received), kind: .string(address),
        "message": message,
      ])
    }
  }

  private struct State {
    var inbox: [Push] = []
    var devices = DeviceRegistry()

    /// Appends a push. Removes the older half of the inbox first if the inbox is full.
    mutating func keep(_ push: Push) {
      if inbox.count >= PushFake.maximumKept { inbox.removeFirst(PushFake.maximumKept / 2) }
      inbox.append(push)
    }
  }

  private struct Registration: Decodable {
    var token: String?
    var tokens: [String]?
  }

  private static let maximumKept = 10_000

  private let oauth: OAuthFake
  private let now: @Sendable () -> Int64
  private let newID: @Sendable () -> String
  private let onPush: @Sendable (JSONValue) -> Void
  private let state = Mutex(State())

  init(
    oauth: OAuthFake,
    now: @escaping @Sendable () -> Int64,
    newID: @escaping @Sendable () -> String,
    onPush: @escaping @Sendable (JSONValue) -> Void
  ) {
    self.oauth = oauth
    self.now = now
    self.newID = newID
    self.onPush = onPush
  }

  func respond(to request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    switch (request.method, request.path) {
    case ("GET", ["fcm", "inbox"]):
      guard let text = request[query: "limit"] else { return .json(inbox) }
      guard let limit = Int(text), limit >= 0 else {
        throw StatusError(.invalidArgument, "limit must be a whole number of at least 0")
      }
      return .json(Self.listing(of: state.withLock { $0.inbox.suffix(limit) }))
    case ("DELETE", ["fcm", "inbox"]):
      state.withLock { $0.inbox = [] }
      return .json(JSONValue.object([:]))
    case (_, let path) where path.prefix(2) == ["fcm", "devices"]: return try devices(request)
    case ("POST", let path)
    where path.count == 4 && path.prefix(2) == ["v1", "projects"] && path[3] == "messages:send":
      return send(request, project: path[2])
    default:
      throw .notServed(by: "the FCM fake", "path or method")
    }
  }

  /// The pushes that devices received, oldest first:
  /// `{"messages":[{"name","receivedSeconds","token","message"}]}`. A push to a topic or a
  /// condition has `topic` or `condition` in place of `token`.
  package var inbox: JSONValue { Self.listing(of: state.withLock { $0.inbox[...] }) }

  private static func listing(of pushes: ArraySlice<Push>) -> JSONValue {
    .object(["messages": .array(pushes.map(\.json))])
  }

  private func devices(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    switch (request.method, request.path.count) {
    case ("GET", 2): break
    case ("POST", 2):
      let registration = try request.json(Registration.self)
      let tokens = (registration.tokens ?? []) + [registration.token].compactMap(\.self)
      guard !tokens.isEmpty else {
        throw StatusError(.invalidArgument, "the registration has no device: give token or tokens")
      }
      state.withLock { $0.devices.register(tokens) }
    case ("DELETE", 2): state.withLock { $0.devices = DeviceRegistry() }
    case ("DELETE", 3): state.withLock { $0.devices.unregister(request.path[2]) }
    default:
      throw .notServed(by: "the FCM fake", "path or method")
    }
    return .json(state.withLock(\.devices).json)
  }

  private func send(_ request: ServiceRequest, project: String) -> ServiceResponse {
    if let refusal = oauth.refusal(of: request, scope: .messaging) { return refusal }
    guard request.body.isValidUTF8, let body = try? JSONValue(parsing: request.body) else {
      return googleError(.invalidArgument, "Invalid JSON payload received.")
    }
    let violations = PushSchema.violations(in: body)
    guard violations.isEmpty else { return violations.refusal }
    guard let message = body["message"], message != .null else {
      return [PushViolation(field: "message", message: "The message is not set.")].refusal
    }
    guard let target = PushRules.target(of: message) else {
      return [PushRules.noTarget].refusal
    }
    if let violation = PushRules.violation(in: message, to: target) { return [violation].refusal }

    let isDryRun = body.member("validate_only") == .boolean(true)
    let name = "projects/\(project)/messages/\(isDryRun ? "fake_message_id" : newID())"
    let push = Push(name: name, received: now(), target: target, message: message)
    let isKnown = state.withLock { state in
      if case .device(let token) = target, !state.devices.contains(token) { return false }
      if !isDryRun { state.keep(push) }
      return true
    }
    guard isKnown else {
      return googleError(
        .notFound,
        "Requested entity was not found.",
        details: [Self.error("UNREGISTERED")]
      )
    }
    if !isDryRun { onPush(push.json) }
    return .json(JSONValue.object(["name": .string(name)]))
  }

  /// Returns the HTTP status of an FCM error code, or `nil` for an unknown code.
  ///
  /// Source: firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode.
  static func status(of code: String) -> Int? {
    switch code {
    case "INVALID_ARGUMENT": 400
    case "THIRD_PARTY_AUTH_ERROR": 401
    case "SENDER_ID_MISMATCH": 403
    case "UNREGISTERED": 404
    case "QUOTA_EXCEEDED": 429
    case "INTERNAL": 500
    case "UNAVAILABLE": 503
    default: nil
    }
  }

  /// Returns FCM's own detail of an error.
  static func error(_ code: String) -> JSONValue {
    .object([
      "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
      "errorCode": .string(code),
    ])
  }
}
