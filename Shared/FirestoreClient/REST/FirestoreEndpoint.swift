package import Core
package import FirestoreModel
package import GoogleAuth

/// Which Firestore a client talks to, and as whom.
package struct FirestoreEndpoint: Sendable {
  package enum Authorization: Sendable {
    /// What Firebase's emulators take for an administrator.
    case owner
    case accessToken(any AccessTokenSource)
  }

  /// `https://firestore.googleapis.com` or the emulator, without the version.
  package var baseURL: String
  package var authorization: Authorization
  package var database: DatabaseName

  package init(baseURL: String, authorization: Authorization, database: DatabaseName) {
    self.baseURL = baseURL
    self.authorization = authorization
    self.database = database
  }

  /// Whether this is an emulator's address.
  package var isEmulator: Bool {
    if case .owner = authorization { true } else { false }
  }

  /// The real Firestore.
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

  /// - Parameter host: FIRESTORE_EMULATOR_HOST, `host:port` without a scheme.
  /// - Throws: a configuration error that names the variable.
  package static func emulator(
    host: String,
    database: DatabaseName
  ) throws(StatusError) -> FirestoreEndpoint {
    guard !host.contains("/"), host.contains(":") else {
      throw .configuration(
        .failedPrecondition,
        "FIRESTORE_EMULATOR_HOST must be host:port, without a scheme"
      )
    }
    return FirestoreEndpoint(
      baseURL: "http://\(host)",
      authorization: .owner,
      database: database
    )
  }
}
