package import Core
package import GoogleAuth
import HTTPClient

/// A client of Cloud Storage's JSON API for one bucket, which reads and deletes as an administrator.
///
/// Source: cloud.google.com/storage/docs/json_api.
package struct CloudStorageClient: Sendable {
  /// Cloud Storage: Google's, or an emulator's.
  package enum Server: Sendable {
    case google(any AccessTokenSource)
    /// An emulator, by the value of FIREBASE_STORAGE_EMULATOR_HOST: `host:port`.
    case emulator(host: String)
  }

  private let server: Server
  private let bucket: String
  private let session: ProviderSession

  package init(_ server: Server, bucket: String, session: ProviderSession) {
    self.server = server
    self.bucket = bucket
    self.session = session
  }

  // MARK: Requests

  /// An object of a list.
  package struct Object: Sendable {
    package var name: String
    /// The custom metadata.
    package var metadata: JSONObject
  }

  /// Deletes the objects whose names have a prefix, and returns their number.
  ///
  /// - Parameter isDeleted: Returns whether an object is deleted.
  /// - Throws: a configuration error for rejected credentials or a bucket that doesn't exist,
  ///   `RESOURCE_EXHAUSTED` and `UNAVAILABLE` for temporary errors, `INTERNAL` for a request that
  ///   Google rejects.
  package func deleteObjects(
    prefix: String,
    where isDeleted: (Object) -> Bool
  ) async throws(StatusError) -> Int {
    var (count, token): (Int, String?) = (0, nil)
    repeat {
      var query = [("prefix", prefix), ("fields", "items(name,metadata),nextPageToken")]
      if let token { query.append(("pageToken", token)) }
      let response = try await request("GET", "o?\(PercentEncoding.query(query))")
      // In an emulator, nobody has uploaded anything to a bucket that doesn't exist.
      if response.status == 404, case .emulator = server { return count }
      guard response.status == 200, let page = try? JSONValue(parsing: response.body) else {
        throw error(of: response)
      }
      for item in page["items"]?.array ?? [] {
        let object = Object(
          name: item["name"]?.string ?? "",
          metadata: item["metadata"]?.object ?? [:]
        )
        guard isDeleted(object) else { continue }
        try await delete(object.name)
        count += 1
      }
      token = page["nextPageToken"]?.string
    } while token != nil
    return count
  }

  /// Deletes an object. An object that doesn't exist is no error.
  private func delete(_ name: String) async throws(StatusError) {
    let response = try await request("DELETE", "o/\(PercentEncoding.encode(name))")
    let isMissing = response.status == 404 && response.isAboutObject
    guard response.status == 204 || isMissing else { throw error(of: response) }
  }

  /// Sends a request, and returns the response with any status. Sending it again has the same effect.
  private func request(
    _ method: String,
    _ path: String
  ) async throws(StatusError) -> HTTPResponse {
    func send(to base: String, as authorization: String) async throws(StatusError) -> HTTPResponse {
      try await session.send(
        method: method,
        "\(base)/storage/v1/b/\(PercentEncoding.encode(bucket))/\(path)",
        body: nil,
        headers: [HTTPHeader("Authorization", authorization)],
        address: variable,
        key: "the access token",
        retry: HTTPRetryPolicy(),
        // An emulator may run in a container, whose address isn't loopback.
        allowsPlaintext: variable == Self.hostVariable
      )
    }
    switch server {
    case .emulator(let host): return try await send(to: "http://\(host)", as: "Bearer owner")
    case .google(let tokens):
      return try await tokens.authorized(deadline: session.deadline) {
        token throws(StatusError) in
        try await send(to: "https://storage.googleapis.com", as: token.authorization)
      }
    }
  }

  // MARK: Names

  /// The service's name in errors.
  static let name = "Cloud Storage"
  /// The variable of the bucket's name.
  package static let bucketVariable = "STORAGE_BUCKET"
  /// The variable of an emulator's address.
  package static let hostVariable = "FIREBASE_STORAGE_EMULATOR_HOST"

  private var variable: String {
    if case .emulator = server { Self.hostVariable } else { Self.bucketVariable }
  }

  // MARK: Errors

  private func error(of response: HTTPResponse) -> StatusError {
    switch response.status {
    case 401, 403:
      .configuration(
        .permissionDenied,
        "\(Self.name) refused the function's credentials: its service account must be allowed to "
          + "list and delete the bucket's objects"
      )
    case 404: .configuration(.notFound, "\(Self.bucketVariable): there is no such bucket")
    default: .service(Self.name, response, variable)
    }
  }
}

extension HTTPResponse {
  /// A Boolean value that indicates whether an error 404 is about an object, not about its bucket.
  fileprivate var isAboutObject: Bool {
    let message = (try? JSONValue(parsing: body))?["error"]?["message"]?.string
    return message?.utf8.starts(with: "No such object".utf8) == true
  }
}
