package import Core
package import FunctionRuntime
package import Providers

/// Firebase Cloud Messaging, for the function that rings phones.
package struct PushService: Sendable {
  private let services: ChatServices
  private let baseURL: String?
  private let analyticsLabel: String?

  /// - Throws: a configuration error that names the variable.
  package init(_ configuration: Configuration, _ services: ChatServices) throws(StatusError) {
    self.services = services
    baseURL = try configuration.baseURL("FCM_BASE_URL")
    analyticsLabel = configuration["FCM_ANALYTICS_LABEL"]
    guard analyticsLabel.map(PushClient.isAnalyticsLabel) ?? true else {
      throw .configuration(
        .invalidArgument,
        "FCM_ANALYTICS_LABEL is not 1 to 50 letters, digits and -_.~%"
      )
    }
  }

  /// The variables read above, for a function's manifest.
  package static let environment: [FunctionManifest.Variable] = [
    .init("FCM_ANALYTICS_LABEL", required: false), .init("FCM_BASE_URL", required: false),
  ]

  /// A push whose answer isn't waited for may ring twice: what bounds it is the lease of the one who
  /// rings, not a budget that ends in the middle of many.
  package func client(_ session: ChatSession) -> PushClient {
    PushClient(
      baseURL: baseURL,
      project: services.project,
      tokens: services.tokens,
      session: services.provider(session.context, budget: nil),
      analyticsLabel: analyticsLabel
    )
  }
}
