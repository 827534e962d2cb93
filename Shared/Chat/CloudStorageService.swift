package import Core
import FirestoreClient
package import FunctionRuntime
package import Providers

/// Cloud Storage, for the functions that delete what users have uploaded.
package struct CloudStorageService: Sendable {
  private let services: ChatServices
  /// The server and the bucket, or `nil` if there is none.
  private let place: (server: CloudStorageClient.Server, bucket: String)?

  /// Creates the service from environment variables.
  ///
  /// With an emulator of Firestore but none of Cloud Storage, there is no bucket. So a function that
  /// works on an emulator's data never changes production.
  ///
  /// - Throws: a configuration error that names the variable.
  package init(_ configuration: Configuration, _ services: ChatServices) throws(StatusError) {
    self.services = services
    let bucket = configuration[CloudStorageClient.bucketVariable]
    if let host = try configuration.emulatorHost(CloudStorageClient.hostVariable) {
      place = (.emulator(host: host), bucket ?? ObjectEvent.defaultBucket(of: services.project))
    } else if let bucket, configuration["FIRESTORE_EMULATOR_HOST"] == nil {
      place = (.google(services.tokens), bucket)
    } else {
      place = nil
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

  /// Returns the client for an invocation, or `nil` if there is no bucket.
  package func client(_ session: ChatSession) -> CloudStorageClient? {
    place.map { server, bucket in
      CloudStorageClient(
        server,
        bucket: bucket,
        session: services.provider(session.context, budget: Self.budget)
      )
    }
  }
}
