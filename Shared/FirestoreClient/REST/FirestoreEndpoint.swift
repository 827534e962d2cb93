package import Core
package import FirestoreModel
package import GoogleAuth

/// The address, credentials and database of a Firestore client.
package struct FirestoreEndpoint: Sendable {
  package enum Authorization: Sendable {
    /// The token `owner`, with which Firebase's emulators grant administrator access.
    case owner
    case accessToken(any AccessTokenSource)
  }

  /// The URL without the API version: `https://firestore.googleapis.com` or an emulator's.
  package var baseURL: String
  package var authorization: Authorization
  package var database: DatabaseName

  package init(baseURL: String, authorization: Authorization, database: DatabaseName) {
    self.baseURL = baseURL
    self.authorization = authorization
    self.database = database
  }

  /// A Boolean value that indicates whether this is an emulator.
  package var isEmulator: Bool {
    if case .owner = authorization { true } else { false }
  }

  /// Returns the endpoint of Google's Firestore.
  package static func production(
    database: DatabaseName,
    tokens: any AccessTokenSource
  ) -> FirestoreEndpoint {
    FirestoreEndpoint(
      baseURL: "https://firestore.googleapis.com",
      authorization: .accessToken(tokens),
      database: database
    )
  }

  /// Returns the endpoint of an emulator.
  ///
  /// - Parameter host: The value of FIRESTORE_EMULATOR_HOST, `host:port` without a scheme.
  /// - Throws: A configuration error that names the variable.
  package static func emulator(
    host: String,
    database: DatabaseName
  ) throws(StatusError) -> FirestoreEndpoint {
    let host = try EmulatorHost.checked(host, variable: "FIRESTORE_EMULATOR_HOST")
    return FirestoreEndpoint(
      baseURL: "http://\(host)",
      authorization: .owner,
      database: database
    )
  }
}
