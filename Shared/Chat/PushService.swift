package import FunctionRuntime
package import Providers

/// Firebase Cloud Messaging, for the function that rings phones.
package struct PushService: Sendable {
  private let services: ChatServices
  private let baseURL: String?

  package init(_ configuration: Configuration, _ services: ChatServices) {
    self.services = services
    baseURL = configuration["FCM_BASE_URL"]
  }

  /// The variables read above, for a function's manifest.
  package static let environment: [FunctionManifest.Variable] = [
    .init("FCM_BASE_URL", required: false)
  ]

  private static let budget = Duration.seconds(20)

  package func client(_ session: ChatSession) -> PushClient {
    PushClient(
      baseURL: baseURL,
      project: services.project,
      tokens: services.tokens,
      session: services.provider(session.context, budget: Self.budget)
    )
  }
}
