package import Core
package import FunctionRuntime
import HTTPClient
import Providers

/// The language model from the configuration, for the functions that need one.
///
/// The model is behind OpenAI's API, a compatible API, or Anthropic's API.
package struct ModelService: Sendable {
  private enum Provider: String { case openai, anthropic }

  private let services: ChatServices
  private let provider: Provider
  private let baseURL: String?
  /// The API key, or `nil` for a local server that requires none.
  private let key: Secret?
  private let model: String?
  private let azureVersion: String?
  private let dialect = KnownDialect()

  /// Creates the service from environment variables.
  ///
  /// - Throws: a configuration error that names the variable.
  package init(_ configuration: Configuration, _ services: ChatServices) throws(StatusError) {
    self.services = services
    provider = try Self.provider(configuration)
    let prefix = provider.rawValue.uppercased()
    baseURL = try configuration.baseURL("\(prefix)_BASE_URL")
    key = try Self.key("\(prefix)_API_KEY", for: baseURL, configuration)
    model = configuration["\(prefix)_MODEL"]
    azureVersion = provider == .openai ? configuration["OPENAI_API_VERSION"] : nil
    guard azureVersion == nil || baseURL != nil else {
      throw .configuration(
        .failedPrecondition,
        "OPENAI_API_VERSION is for Azure: set OPENAI_BASE_URL to its address"
      )
    }
    guard azureVersion.map(Self.isVersion) != false else {
      throw .configuration(
        .invalidArgument,
        "OPENAI_API_VERSION must be a version of Azure's API, such as 2024-10-21"
      )
    }
  }

  /// Returns the API key, or `nil` for a local server without one, such as Ollama.
  private static func key(
    _ name: String,
    for baseURL: String?,
    _ configuration: Configuration
  ) throws(StatusError) -> Secret? {
    if configuration[name] == nil, let baseURL,
      HTTPRequest(method: "POST", url: baseURL).isToLoopback
    {
      return nil
    }
    return Secret(try configuration.require(name))
  }

  /// Returns a Boolean value that indicates whether a text is safe as an API version in a URL's
  /// query.
  private static func isVersion(_ text: String) -> Bool {
    text.utf8.count <= 40
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-"
      }
  }

  private static func provider(_ configuration: Configuration) throws(StatusError) -> Provider {
    guard let name = configuration["LLM_PROVIDER"] else { return .openai }
    guard let provider = Provider(rawValue: name) else {
      throw .configuration(.invalidArgument, "LLM_PROVIDER must be openai or anthropic")
    }
    return provider
  }

  /// Returns the name of the variable with the key of the configured provider.
  ///
  /// - Throws: a configuration error if LLM_PROVIDER names no provider.
  package static func secrets(_ configuration: Configuration) throws(StatusError) -> [String] {
    ["\(try provider(configuration).rawValue.uppercased())_API_KEY"]
  }

  /// The other variables that the initializer reads, for a function's manifest.
  package static let environment: [FunctionManifest.Variable] = [
    .init("ANTHROPIC_BASE_URL", required: false),
    .init("ANTHROPIC_MODEL", required: false),
    .init("LLM_PROVIDER", required: false),
    .init("OPENAI_API_VERSION", required: false),
    .init("OPENAI_BASE_URL", required: false),
    .init("OPENAI_MODEL", required: false),
  ]

  /// The time limit of two attempts at an answer. It is short because a user is waiting.
  private static let budget = Duration.seconds(20)

  /// Returns the model for one invocation.
  ///
  /// - Parameter uid: the user who asks, and whose limits apply.
  package func model(_ session: ChatSession, for uid: String?) -> ModelSession {
    let requests = services.provider(session.context, budget: Self.budget)
    // If counting fails, the call fails. Otherwise the number of answers would have no limit.
    let spending = services.spending(
      of: session.context.function,
      by: uid,
      session,
      withoutCount: .fail
    )
    return switch provider {
    case .openai:
      ModelSession(
        ChatCompletionsModel(
          baseURL: baseURL,
          key: key,
          model: model,
          azureVersion: azureVersion,
          dialect: dialect,
          session: requests
        ),
        context: session.context,
        prices: session.prices,
        spending: spending
      )
    case .anthropic:
      ModelSession(
        MessagesModel(baseURL: baseURL, key: key, model: model, session: requests),
        context: session.context,
        prices: session.prices,
        spending: spending
      )
    }
  }
}
