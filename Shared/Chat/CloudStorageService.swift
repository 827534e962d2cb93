package import Core
import FirestoreClient
package import FunctionRuntime
package import Providers

/// Cloud Storage, for the functions that delete what users have uploaded.
package struct CloudStorageService: Sendable {
  private let services: ChatServices
  private let server: CloudStorageClient.Server?
  /// The names of the buckets, none without a server.
  private let buckets: [String]

  /// Creates the service from environment variables.
  ///
  /// An emulator's project has two buckets, of which an app may use either.
  ///
  /// With an emulator of Firestore but none of Cloud Storage, there is no bucket. So a function that
  /// works on an emulator's data never changes production.
  ///
  /// - Throws: a configuration error that names the variable.
  package init(_ configuration: Configuration, _ services: ChatServices) throws(StatusError) {
    self.services = services
    let bucket = configuration[CloudStorageClient.bucketVariable]
    if let host = try configuration.emulatorHost(CloudStorageClient.hostVariable) {
      server = .emulator(host: host)
      buckets = bucket.map { [$0] } ?? ObjectEvent.defaultBuckets(of: services.project)
    } else if let bucket, configuration["FIRESTORE_EMULATOR_HOST"] == nil {
      server = .google(services.tokens)
      buckets = [bucket]
    } else {
      server = nil
      buckets = []
    }
  }

  /// The variables that the initializer reads in addition to those of `ChatServices`, for a
  /// function's manifest.
  package static let environment: [FunctionManifest.Variable] = [
    .init(CloudStorageClient.hostVariable, required: false),
    .init(CloudStorageClient.bucketVariable, required: false),
  ]

  /// The time limit of a request with its retries. Google usually responds within a second.
  private static let budget = Duration.seconds(10)

  /// Returns the clients of the buckets for an invocation, none if there is no bucket.
  package func clients(_ session: ChatSession) -> [CloudStorageClient] {
    guard let server else { return [] }
    return buckets.map { bucket in
      CloudStorageClient(
        server,
        bucket: bucket,
        session: services.provider(session.context, budget: Self.budget)
      )
    }
  }
}
