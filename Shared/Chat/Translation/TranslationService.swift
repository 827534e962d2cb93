package import Core
package import FunctionRuntime
import GoogleAuth
import Providers

/// The translation provider from the configuration, for the functions that translate.
package struct TranslationService: Sendable {
  private let services: ChatServices
  private let baseURL: String?
  private let choice: Choice

  private enum Choice: Sendable {
    case google(GoogleCredential)
    case googleAdvanced(location: String, glossary: String?)
    case libreTranslate(baseURL: String, key: Secret?)
  }

  /// Creates the service from environment variables.
  ///
  /// - Throws: a configuration error that names the variable.
  package init(_ configuration: Configuration, _ services: ChatServices) throws(StatusError) {
    self.services = services
    baseURL = try configuration.baseURL("TRANSLATION_BASE_URL")
    switch configuration["TRANSLATION_PROVIDER"] ?? "google" {
    case "google":
      choice = .google(try Self.credential(configuration, services))
    case "google-v3":
      choice = try Self.advanced(configuration)
    case "libretranslate":
      choice = .libreTranslate(
        baseURL: try configuration.require("TRANSLATION_BASE_URL"),
        key: configuration["TRANSLATION_API_KEY"].map { Secret($0) }
      )
    default:
      throw .configuration(
        .invalidArgument,
        "TRANSLATION_PROVIDER must be google, google-v3 or libretranslate"
      )
    }
    guard configuration["TRANSLATION_GLOSSARY"] == nil || isAdvanced else {
      throw .configuration(
        .invalidArgument,
        "TRANSLATION_GLOSSARY needs TRANSLATION_PROVIDER to be google-v3"
      )
    }
  }

  private var isAdvanced: Bool {
    if case .googleAdvanced = choice { true } else { false }
  }

  /// Returns the credential for Google: the key, or else the function's service account.
  ///
  /// The account is available with a key file or with a metadata server. Cloud Run has a metadata
  /// server, and sets the variable `K_SERVICE`.
  private static func credential(
    _ configuration: Configuration,
    _ services: ChatServices
  ) throws(StatusError) -> GoogleCredential {
    if let key = configuration["GOOGLE_TRANSLATION_API_KEY"] { return .key(Secret(key)) }
    let accounts = ["GOOGLE_APPLICATION_CREDENTIALS", "GCE_METADATA_HOST", "K_SERVICE"]
    guard accounts.contains(where: { configuration[$0] != nil }) else {
      throw .configuration(
        .failedPrecondition,
        "GOOGLE_TRANSLATION_API_KEY is not set: set it, or run with a service account"
      )
    }
    return .account(services.tokens)
  }

  private static func advanced(_ configuration: Configuration) throws(StatusError) -> Choice {
    let location = configuration["TRANSLATION_LOCATION"] ?? "global"
    guard isName(location) else {
      throw .configuration(
        .invalidArgument,
        "TRANSLATION_LOCATION must be a location's name, such as global or us-central1"
      )
    }
    let glossary = configuration["TRANSLATION_GLOSSARY"]
    guard glossary.map(isName) != false else {
      throw .configuration(
        .invalidArgument,
        "TRANSLATION_GLOSSARY must be a glossary's id: letters, digits, - and _"
      )
    }
    guard glossary == nil || location != "global" else {
      throw .configuration(
        .invalidArgument,
        "TRANSLATION_LOCATION must be the glossary's region, such as us-central1"
      )
    }
    return .googleAdvanced(location: location, glossary: glossary)
  }

  /// Returns a Boolean value that indicates whether a text is safe as a part of a URL's path.
  private static func isName(_ text: String) -> Bool {
    text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  /// The variables with API keys: Google's, and LibreTranslate's if the server requires a key.
  package static let secrets = ["GOOGLE_TRANSLATION_API_KEY", "TRANSLATION_API_KEY"]
  /// The other variables that the initializer reads, for a function's manifest.
  package static let environment: [FunctionManifest.Variable] = [
    .init("TRANSLATION_BASE_URL", required: false),
    .init("TRANSLATION_GLOSSARY", required: false),
    .init("TRANSLATION_LOCATION", required: false),
    .init("TRANSLATION_PROVIDER", required: false),
  ]

  /// Returns a translator for one invocation.
  ///
  /// - Parameters:
  ///   - uid: the user who wrote the texts or requests them, and whose limits apply.
  ///   - budget: the time limit for the provider and for waits on other invocations with the same
  ///     texts, or `nil` for the invocation's time limit.
  ///   - headStart: the delay before the provider is called, as in `Translator.init`.
  package func translator(
    _ session: ChatSession,
    for uid: String?,
    budget: Duration? = nil,
    headStart: Duration = .zero
  ) -> Translator {
    let requests = services.provider(session.context, budget: budget)
    let provider: any TranslationProvider =
      switch choice {
      case .google(let credential):
        TranslationClient(baseURL: baseURL, credential: credential, session: requests)
      case .googleAdvanced(let location, let glossary):
        AdvancedTranslationClient(
          baseURL: baseURL,
          project: services.project,
          location: location,
          glossary: glossary,
          tokens: services.tokens,
          session: requests
        )
      case .libreTranslate(let baseURL, let key):
        LibreTranslateClient(baseURL: baseURL, key: key, session: requests)
      }
    return Translator(
      session: session,
      provider: provider,
      // Translation continues even if counting fails.
      spending: services.spending(of: "translateMessage", by: uid, session, withoutCount: .proceed),
      headStart: headStart
    )
  }
}
