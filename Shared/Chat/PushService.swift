package import Core
package import FunctionRuntime
package import Providers

/// The client of Firebase Cloud Messaging, for the function that sends pushes.
package struct PushService: Sendable {
  private let services: ChatServices
  private let baseURL: String?
  private let webAppURL: String?
  private let analyticsLabel: String?

  /// Creates the service from environment variables.
  ///
  /// - Throws: a configuration error that names the variable.
  package init(_ configuration: Configuration, _ services: ChatServices) throws(StatusError) {
    self.services = services
    baseURL = try configuration.baseURL("FCM_BASE_URL")
    // Capitals in a scheme mean the same, but not every reader of a link knows that.
    webAppURL = try configuration.baseURL("WEB_APP_URL")
      .map { $0.prefix(6).lowercased() + $0.dropFirst(6) }
    // FCM refuses every push whose link isn't https. Its emulator accepts a web app on this machine.
    guard baseURL != nil || webAppURL?.utf8.starts(with: "https:".utf8) ?? true else {
      throw .configuration(.invalidArgument, "WEB_APP_URL must begin with https://")
    }
    analyticsLabel = configuration["FCM_ANALYTICS_LABEL"]
    guard analyticsLabel.map(PushClient.isAnalyticsLabel) ?? true else {
      throw .configuration(
        .invalidArgument,
        "FCM_ANALYTICS_LABEL must be 1 to 50 letters, digits or -_.~%"
      )
    }
  }

  /// The variables that the initializer reads, for a function's manifest.
  package static let environment: [FunctionManifest.Variable] = [
    .init("FCM_ANALYTICS_LABEL", required: false), .init("FCM_BASE_URL", required: false),
    .init("WEB_APP_URL", required: false),
  ]

  /// Returns the client for an invocation, without a time budget.
  ///
  /// A push whose response isn't awaited may be sent twice. A budget could end in the middle of
  /// many pushes, so the sender's lease limits the time instead.
  package func client(_ session: ChatSession) -> PushClient {
    PushClient(
      baseURL: baseURL,
      project: services.project,
      tokens: services.tokens,
      session: services.provider(session.context, budget: nil),
      webAppURL: webAppURL,
      analyticsLabel: analyticsLabel
    )
  }
}
