package import Core
package import GoogleAuth
import HTTPClient

/// A client of the Identity Toolkit API, which administers Firebase Authentication's accounts.
///
/// Source: cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/delete.
package struct AccountClient: Sendable {
  /// Firebase Authentication: Google's, or an emulator's.
  package enum Server: Sendable {
    case google(any AccessTokenSource)
    /// An emulator, by the value of FIREBASE_AUTH_EMULATOR_HOST: `host:port`.
    case emulator(host: String)
  }

  private let server: Server
  private let baseURL: String
  private let project: String
  private let session: ProviderSession

  /// Creates a client.
  ///
  /// - Parameter baseURL: another address of Google's API, without the path.
  package init(
    _ server: Server,
    baseURL: String = "https://identitytoolkit.googleapis.com",
    project: String,
    session: ProviderSession
  ) {
    self.server = server
    self.project = project
    self.session = session
    self.baseURL =
      switch server {
      case .google: baseURL
      case .emulator(let host): "http://\(host)/identitytoolkit.googleapis.com"
      }
  }

  private struct Request: Encodable { var localId: String }

  /// Google's response to a deletion.
  ///
  /// Decoding it makes sure that the response isn't a proxy's HTML page.
  private struct Response: Decodable { var kind: String? }

  /// The maximum length of a user's ID.
  ///
  /// Source: firebase.google.com/docs/auth/admin/manage-users.
  private static let maximumIDLength = 128

  /// Deletes a user's account.
  ///
  /// The request is sent again if its response is lost, because an account that is already deleted
  /// isn't an error.
  ///
  /// - Throws: a configuration error for rejected credentials, `RESOURCE_EXHAUSTED` and
  ///   `UNAVAILABLE` for temporary errors, `INTERNAL` for a request that Google rejects.
  package func delete(_ uid: String) async throws(StatusError) -> AccountDeletion {
    // Google would reject the request. Nobody can have such an account.
    guard uid.utf16.count <= Self.maximumIDLength else { return .absent }
    let response: HTTPResponse
    switch server {
    case .emulator: response = try await send(uid, as: "Bearer owner")
    case .google(let tokens):
      response = try await tokens.authorized(deadline: session.deadline) {
        token throws(StatusError) in
        try await send(uid, as: token.authorization)
      }
    }
    guard response.status == 200 else { return try Self.outcome(of: response) }
    guard (try? JSON.decode(Response.self, from: response.body, what: "the answer")) != nil else {
      throw StatusError(.unavailable, "\(Self.name) returned an invalid response")
    }
    return .deleted
  }

  private func send(
    _ uid: String,
    as authorization: String
  ) async throws(StatusError) -> HTTPResponse {
    var isEmulator = false
    if case .emulator = server { isEmulator = true }
    return try await session.send(
      "\(baseURL)/v1/projects/\(PercentEncoding.encode(project))/accounts:delete",
      Request(localId: uid),
      headers: [HTTPHeader("Authorization", authorization)],
      address: isEmulator ? Self.hostVariable : Self.name,
      key: "the access token",
      retry: HTTPRetryPolicy(),
      // An emulator may run in a container, whose address isn't loopback.
      allowsPlaintext: isEmulator
    )
  }

  // MARK: Errors

  static let name = "Firebase Authentication"
  /// The variable of an emulator's address.
  package static let hostVariable = "FIREBASE_AUTH_EMULATOR_HOST"

  /// The reasons of an error for an API that isn't enabled in the project.
  private static let disabled: Set<String> = ["SERVICE_DISABLED", "accessNotConfigured"]
  /// The reasons of an error for a used-up quota.
  private static let limits: Set<String> = [
    "RATE_LIMIT_EXCEEDED", "rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded",
  ]

  /// Returns the outcome of an error response, by the error's name or, without one, by the status.
  private static func outcome(of response: HTTPResponse) throws(StatusError) -> AccountDeletion {
    let error = GoogleError(response)
    // An explanation may follow the name: `QUOTA_EXCEEDED : Exceeded quota for deleting accounts.`
    let name = error?.error.message?.prefix { $0 != " " && $0 != ":" } ?? ""
    let reasons = error?.reasons ?? []
    switch (name, response.status) {
    case ("USER_NOT_FOUND", 400): return .absent
    case ("CONFIGURATION_NOT_FOUND", 400), ("PROJECT_NOT_FOUND", 400): return .noAuthentication
    case (_, 403) where !reasons.isDisjoint(with: disabled): return .noAuthentication
    case ("QUOTA_EXCEEDED", 400), ("TOO_MANY_ATTEMPTS_TRY_LATER", 400), (_, 429):
      throw quota(response)
    case (_, 403) where !reasons.isDisjoint(with: limits): throw quota(response)
    case ("INSUFFICIENT_PERMISSION", 400), (_, 401), (_, 403):
      throw .configuration(
        .permissionDenied,
        "\(Self.name) refused the function's credentials: its service account needs the role "
          + "worldchatAccountDeleter, or another one with firebaseauth.users.delete"
      )
    case (_, 300..<400): throw .redirect(Self.name, response, hostVariable)
    case (_, 408), (_, 500...):
      throw StatusError(
        .unavailable,
        "\(Self.name) answered \(response.status)",
        retryAfter: response.retryAfter
      )
    default: throw StatusError(.internal, "\(Self.name) answered \(response.status)")
    }
  }

  private static func quota(_ response: HTTPResponse) -> StatusError {
    StatusError(
      .resourceExhausted,
      "\(name) is over its quota",
      retryAfter: response.retryAfter
    )
  }
}
