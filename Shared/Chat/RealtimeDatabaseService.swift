package import Core
import FirestoreClient
package import FunctionRuntime
package import Providers

/// The Realtime Database, for the functions that write to it.
package struct RealtimeDatabaseService: Sendable {
  private let services: ChatServices
  /// The server of the database, or `nil` if there is none.
  private let server: RealtimeDatabaseClient.Server?

  /// Creates the service from environment variables.
  ///
  /// With an emulator of Firestore but none of the Realtime Database, there is no database. So a
  /// function that works on an emulator's data never writes to production.
  ///
  /// - Throws: a configuration error that names the variable.
  package init(_ configuration: Configuration, _ services: ChatServices) throws(StatusError) {
    self.services = services
    let url = try configuration.baseURL(RealtimeDatabaseClient.urlVariable)
    if let host = try configuration.emulatorHost(RealtimeDatabaseClient.hostVariable) {
      server = .emulator(host: host, instance: ReferenceEvent.defaultInstance(of: services.project))
    } else if let url, configuration["FIRESTORE_EMULATOR_HOST"] == nil {
      server = .google(url: url, services.tokens)
    } else {
      server = nil
    }
  }

  /// The variables that the initializer reads in addition to those of `ChatServices`, for a
  /// function's manifest.
  package static let environment: [FunctionManifest.Variable] = [
    .init(RealtimeDatabaseClient.hostVariable, required: false),
    .init(RealtimeDatabaseClient.urlVariable, required: false),
  ]

  /// The time limit of a write with its retries. Google usually responds within a second.
  private static let budget = Duration.seconds(10)

  /// Returns the client for an invocation, for a function that can't work without it. It is `nil` in
  /// an emulator without a Realtime Database.
  ///
  /// - Throws: a configuration error outside of emulators if there is no database.
  package func required(_ session: ChatSession) throws(StatusError) -> RealtimeDatabaseClient? {
    if let client = client(session) { return client }
    guard session.firestore.endpoint.isEmulator else {
      throw .configuration(
        .failedPrecondition,
        "\(RealtimeDatabaseClient.urlVariable) is not set: set it to the Realtime Database's URL"
      )
    }
    return nil
  }

  /// The outcome of a function that can't work without the database, if `required` is `nil`.
  package static var isMissing: FunctionOutcome {
    .skipped(reason: "there is no Realtime Database in this emulator")
  }

  /// Returns the client for an invocation, or `nil` if there is no database.
  package func client(_ session: ChatSession) -> RealtimeDatabaseClient? {
    server.map { server in
      RealtimeDatabaseClient(
        server,
        session: services.provider(session.context, budget: Self.budget)
      )
    }
  }
}
