package import Core
package import FunctionRuntime
package import Providers

/// The accounts of Firebase Authentication, for the function that deletes users.
package struct AccountService: Sendable {
  private let services: ChatServices
  /// The server of the accounts, or `nil` if there are none.
  private let server: AccountClient.Server?

  /// Creates the service from environment variables.
  ///
  /// With an emulator of Firestore but none of Authentication, there are no accounts. So a function
  /// that works on an emulator's data never deletes an account in production.
  ///
  /// - Throws: a configuration error that names the variable.
  package init(_ configuration: Configuration, _ services: ChatServices) throws(StatusError) {
    self.services = services
    if let host = try configuration.emulatorHost(AccountClient.hostVariable) {
      server = .emulator(host: host)
    } else if configuration["FIRESTORE_EMULATOR_HOST"] != nil {
      server = nil
    } else {
      server = .google(services.tokens)
    }
  }

  /// The variables that the initializer reads in addition to those of `ChatServices`, for a
  /// function's manifest.
  package static let environment: [FunctionManifest.Variable] = [
    .init(AccountClient.hostVariable, required: false)
  ]

  /// The time limit of a deletion with its retries. Google usually responds within a second.
  private static let budget = Duration.seconds(20)

  /// Deletes a user's account. If there is none, that isn't an error.
  package func delete(
    _ uid: String,
    _ session: ChatSession
  ) async throws(StatusError) -> AccountDeletion {
    guard let server else { return .noAuthentication }
    return try await AccountClient(
      server,
      project: services.project,
      session: services.provider(session.context, budget: Self.budget)
    ).delete(uid)
  }
}
