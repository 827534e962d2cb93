package import FunctionRuntime
import Providers
package import RPCStatus

/// Google Cloud Translation, for the functions that translate.
package struct TranslationService: Sendable {
  private let services: ChatServices
  private let baseURL: String?
  private let key: Secret

  /// - Throws: a configuration error that names the variable.
  package init(_ configuration: Configuration, _ services: ChatServices) throws(StatusError) {
    self.services = services
    key = Secret(try configuration.require("GOOGLE_TRANSLATION_API_KEY"))
    baseURL = try configuration.baseURL("TRANSLATION_BASE_URL")
  }

  /// The variables that hold keys.
  package static let secrets = ["GOOGLE_TRANSLATION_API_KEY"]
  /// The others read above, for a function's manifest.
  package static let environment: [FunctionManifest.Variable] = [
    .init("TRANSLATION_BASE_URL", required: false)
  ]

  /// - Parameter budget: how long the provider may take in all, and others who ask it for the same;
  ///   nil for as long as the invocation has.
  package func translator(_ session: ChatSession, budget: Duration? = nil) -> Translator {
    Translator(
      session: session,
      provider: TranslationClient(
        baseURL: baseURL,
        key: key,
        session: services.provider(session.context, budget: budget)
      )
    )
  }
}
