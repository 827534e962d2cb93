package import HTTPService
import JSONCoding
import Platform
import RPCStatus
import Synchronization

/// Firebase Cloud Messaging, HTTP v1: checks a message as FCM does and keeps it in an inbox.
///
/// - `POST /v1/projects/{project}/messages:send`
/// - `GET /fcm/inbox` lists what phones got, `DELETE /fcm/inbox` empties it
/// - `DELETE /fcm/devices/{token}` uninstalls the app there: the token is unregistered from now on
package final class PushDouble: Sendable {
  /// A push that FCM accepted.
  private struct Push: Sendable {
    var name: String
    var token: String
    var message: JSONValue
  }

  private struct State {
    var inbox: [Push] = []
    var unregistered: Set<String> = []

    /// Of very many pushes the newest stay.
    mutating func keep(_ push: Push) {
      if inbox.count >= PushDouble.maximumKept { inbox.removeFirst(PushDouble.maximumKept / 2) }
      inbox.append(push)
    }
  }

  private static let maximumKept = 10_000

  private let oauth: OAuthDouble
  private let newID: @Sendable () -> String
  private let state = Mutex(State())

  init(oauth: OAuthDouble, newID: @escaping @Sendable () -> String) {
    self.oauth = oauth
    self.newID = newID
  }

  func respond(to request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    switch (request.method, request.path) {
    case ("GET", ["fcm", "inbox"]): return .json(inbox)
    case ("DELETE", ["fcm", "inbox"]):
      state.withLock { $0.inbox = [] }
      return .json(JSONValue.object([:]))
    case ("DELETE", let path) where path.count == 3 && path.prefix(2) == ["fcm", "devices"]:
      state.withLock { _ = $0.unregistered.insert(path[2]) }
      return .json(JSONValue.object([:]))
    case ("POST", let path)
    where path.count == 4 && path.prefix(2) == ["v1", "projects"] && path[3] == "messages:send":
      return try send(request, project: path[2])
    default: throw StatusError(.notFound, "FCM has no such path")
    }
  }

  /// What phones got, the oldest first: `{"messages":[{"name","token","message"}]}`.
  package var inbox: JSONValue {
    let pushes = state.withLock(\.inbox)
    return .object([
      "messages": .array(
        pushes.map {
          .object([
            "name": .string($0.name), "token": .string($0.token), "message": $0.message,
          ])
        }
      )
    ])
  }

  private func send(
    _ request: ServiceRequest,
    project: String
  ) throws(StatusError) -> ServiceResponse {
    guard let token = request.bearerToken, oauth.accepts(token) else {
      return googleError(
        .unauthenticated,
        "Request had invalid authentication credentials. Expected OAuth 2 access token."
      )
    }
    guard request.body.isValidUTF8, let body = try? JSONValue(parsing: request.body) else {
      return googleError(.invalidArgument, "Invalid JSON payload received.")
    }
    if let violation = PushSchema.violation(in: body) {
      return googleError(
        .invalidArgument,
        violation.message,
        details: [
          .object([
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": .array([
              .object([
                "field": .string(violation.field), "description": .string(violation.message),
              ])
            ]),
          ]),
          Self.error("INVALID_ARGUMENT"),
        ]
      )
    }
    let message = body["message"] ?? .null
    let device = message["token"]?.string ?? ""
    let isDryRun = (body["validateOnly"] ?? body["validate_only"]) == .boolean(true)
    let name = "projects/\(project)/messages/\(isDryRun ? "fake_message_id" : newID())"
    let isRegistered = state.withLock { state in
      guard !state.unregistered.contains(device) else { return false }
      if !isDryRun { state.keep(Push(name: name, token: device, message: message)) }
      return true
    }
    guard isRegistered else {
      return googleError(
        .notFound,
        "Requested entity was not found.",
        details: [Self.error("UNREGISTERED")]
      )
    }
    return .json(JSONValue.object(["name": .string(name)]))
  }

  /// The status of an error by FCM's own code; nil for a code it doesn't have.
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

  /// FCM's own detail of an error.
  static func error(_ code: String) -> JSONValue {
    .object([
      "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
      "errorCode": .string(code),
    ])
  }
}
