package import Core
package import GoogleAuth
import HTTPClient

/// A client of the Realtime Database's REST API, which writes as an administrator.
///
/// Source: firebase.google.com/docs/reference/rest/database.
package struct RealtimeDatabaseClient: Sendable {
  /// The Realtime Database: Google's, or an emulator's.
  package enum Server: Sendable {
    /// Google's, by the database's URL, which has the database's name in its host.
    case google(url: String, any AccessTokenSource)
    /// An emulator, by the value of FIREBASE_DATABASE_EMULATOR_HOST: `host:port`.
    case emulator(host: String, instance: String)
  }

  private let server: Server
  private let session: ProviderSession

  package init(_ server: Server, session: ProviderSession) {
    self.server = server
    self.session = session
  }

  /// Replaces the values at several paths together, or none of them. Null deletes a value.
  ///
  /// The request is sent again if its response is lost, which has the same effect.
  ///
  /// - Parameter values: The paths, such as `members/trip/sarah`, and their new values. No path may
  ///   be above another.
  /// - Throws: a configuration error for rejected credentials or a database that doesn't exist,
  ///   `RESOURCE_EXHAUSTED` and `UNAVAILABLE` for temporary errors, `INTERNAL` for a request that
  ///   Google rejects.
  package func update(_ values: [(String, JSONValue)]) async throws(StatusError) {
    let response: HTTPResponse
    let values = JSONObject(values)
    switch server {
    case .emulator(let host, let instance):
      response = try await send(
        values,
        to: "http://\(host)/.json?ns=\(PercentEncoding.encode(instance))&print=silent",
        as: "Bearer owner"
      )
    case .google(let url, let tokens):
      response = try await tokens.authorized(deadline: session.deadline) {
        token throws(StatusError) in
        try await send(
          values,
          to: "\(url.withoutTrailingSlashes)/.json?print=silent",
          as: token.authorization
        )
      }
    }
    guard response.status == 204 else { throw error(of: response) }
  }

  private func send(
    _ values: JSONObject,
    to url: String,
    as authorization: String
  ) async throws(StatusError) -> HTTPResponse {
    try await session.send(
      method: "PATCH",
      url,
      JSONValue.object(values),
      headers: [HTTPHeader("Authorization", authorization)],
      address: variable,
      key: "the access token",
      retry: HTTPRetryPolicy(),
      // An emulator may run in a container, whose address isn't loopback.
      allowsPlaintext: variable == Self.hostVariable
    )
  }

  // MARK: Names

  static let name = "the Realtime Database"
  /// The variable of the database's URL.
  package static let urlVariable = "FIREBASE_DATABASE_URL"
  /// The variable of an emulator's address.
  package static let hostVariable = "FIREBASE_DATABASE_EMULATOR_HOST"

  private var variable: String {
    if case .emulator = server { Self.hostVariable } else { Self.urlVariable }
  }

  /// The maximum size of a key in bytes.
  private static let maximumKeyBytes = 768

  /// Returns a Boolean value that indicates whether a text can be a key.
  ///
  /// Source: firebase.google.com/docs/database/web/structure-data.
  package static func isKey(_ text: String) -> Bool {
    (1...maximumKeyBytes).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0..<0x20, 0x7F: false
        default: !".#$[]/".utf8.contains(byte)
        }
      }
  }

  // MARK: Errors

  private func error(of response: HTTPResponse) -> StatusError {
    switch response.status {
    case 401, 403:
      .configuration(
        .permissionDenied,
        "\(Self.name) refused the function's credentials: its service account needs the role "
          + "worldchatDatabaseEditor, or another one with firebasedatabase.instances.update"
      )
    case 404: .configuration(.notFound, "\(variable): there is no such database")
    case 300..<400: .redirect(Self.name, response, variable)
    // A database that an operator has disabled is locked.
    case 423: .configuration(.failedPrecondition, "\(variable): the database is disabled")
    case 429:
      StatusError(
        .resourceExhausted,
        "\(Self.name) is over its quota",
        retryAfter: response.retryAfter
      )
    // A proxy's page isn't the database's response.
    case 200..<300, 408, 500...:
      StatusError(
        .unavailable,
        "\(Self.name) answered \(response.status)",
        retryAfter: response.retryAfter
      )
    default: StatusError(.internal, "\(Self.name) answered \(response.status)")
    }
  }
}
