package import Core
package import GoogleAuth
import HTTPClient

/// A client of the Realtime Database's REST API, which reads and writes as an administrator.
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

  // MARK: Reading and writing

  /// A value, and the tag by which a write can require that the value is still the same.
  package struct Tagged: Sendable {
    package var value: JSONValue
    fileprivate var tag: String
  }

  /// Reads the value at a path, null if there is none.
  ///
  /// - Throws: the errors of `update`.
  package func value(at path: String) async throws(StatusError) -> Tagged {
    let response = try await request("GET", path, headers: [HTTPHeader("X-Firebase-ETag", "true")])
    guard response.status == 200, let value = try? JSONValue(parsing: response.body) else {
      throw error(of: response)
    }
    return Tagged(value: value, tag: response.headers["etag"] ?? "")
  }

  /// Deletes the value at a path if it is still the same.
  ///
  /// - Throws: the errors of `update`.
  package func remove(_ path: String, if known: Tagged) async throws(StatusError) {
    let headers = [HTTPHeader("If-Match", known.tag)]
    let response = try await request("DELETE", path, headers: headers)
    guard [200, 204, 412].contains(response.status) else { throw error(of: response) }
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
    guard let body = try? JSON.encode(JSONValue.object(JSONObject(values))) else {
      throw StatusError(.internal, "the values can't be encoded as JSON")
    }
    let response = try await request("PATCH", "", body: body)
    guard response.status == 204 else { throw error(of: response) }
  }

  /// Sends a request about a path, and returns the response with any status.
  private func request(
    _ method: String,
    _ path: String,
    headers: [HTTPHeader] = [],
    body: Data? = nil
  ) async throws(StatusError) -> HTTPResponse {
    let keys = path.utf8.split(separator: UInt8(ascii: "/"))
      .map { PercentEncoding.encode(String(Substring($0))) }.joined(separator: "/")
    let silent = method == "GET" ? [] : ["print=silent"]
    func send(
      to base: String,
      _ query: [String],
      as authorization: String
    ) async throws(StatusError) -> HTTPResponse {
      let query = query.isEmpty ? "" : "?\(query.joined(separator: "&"))"
      return try await session.send(
        method: method,
        "\(base)/\(keys).json\(query)",
        body: body,
        headers: headers + [HTTPHeader("Authorization", authorization)],
        address: variable,
        key: "the access token",
        retry: HTTPRetryPolicy(),
        // An emulator may run in a container, whose address isn't loopback.
        allowsPlaintext: variable == Self.hostVariable
      )
    }
    switch server {
    case .emulator(let host, let instance):
      let name = "ns=\(PercentEncoding.encode(instance))"
      return try await send(to: "http://\(host)", [name] + silent, as: "Bearer owner")
    case .google(let url, let tokens):
      return try await tokens.authorized(deadline: session.deadline) {
        token throws(StatusError) in
        try await send(to: url.withoutTrailingSlashes, silent, as: token.authorization)
      }
    }
  }

  // MARK: Names

  /// The database's name in errors.
  static let name = "the Realtime Database"
  /// The variable of the database's URL.
  package static let urlVariable = "FIREBASE_DATABASE_URL"
  /// The variable of an emulator's address.
  package static let hostVariable = "FIREBASE_DATABASE_EMULATOR_HOST"

  /// The name of the database, which its URL begins with.
  package var instance: String {
    switch server {
    case .emulator(_, let instance): instance
    case .google(let url, _):
      String(url.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "." })
    }
  }

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
    // A database that an operator has disabled is locked.
    case 423: .configuration(.failedPrecondition, "\(variable): the database is disabled")
    default: .service(Self.name, response, variable)
    }
  }
}
