import Platform
import Server

/// The variables functions and `exec`'s command are given.
///
/// The shell's own stay, except what could lead to a real provider: what begins with a known
/// provider's prefix, and what a function's manifest calls a secret, is the emulator's to say.
enum FunctionEnvironment {
  /// What Translation's double takes for a key.
  static let translationKey = "emulator-translation-key"
  /// The same of OpenAI's.
  static let openAIKey = "emulator-openai-key"
  /// The same of Anthropic's.
  static let anthropicKey = "emulator-anthropic-key"

  /// Stands for a service that was not started. Left out, the variable would lead to the real one.
  /// Port 1 is reserved (RFC 1078), and nobody listens there.
  private static let nowhere = Addresses.Address(host: "127.0.0.1", port: 1)

  /// Whatever begins so is the emulator's to say.
  private static let replacedPrefixes = [
    "GOOGLE_", "GCLOUD_", "GCP_", "GCE_", "CLOUDSDK_", "FIREBASE_", "FIRESTORE_", "FCM_",
    "TRANSLATION_", "OPENAI_", "ANTHROPIC_", "AZURE_OPENAI_", "LLM_", "STORAGE_EMULATOR_",
    "INVOCATION_",
  ]

  /// They lead nowhere: they say which API of a language model or a translator is spoken to the
  /// doubles, and how.
  private static let providerChoices: Set<String> = [
    "LLM_PROVIDER", "TRANSLATION_PROVIDER", "TRANSLATION_LOCATION", "TRANSLATION_GLOSSARY",
  ]

  /// What a declared secret is that the emulator has no better value for.
  private static let dummySecret = "emulator"

  /// - Parameters:
  ///   - tokenFolder: where the functions share their access tokens, or `off`.
  ///   - models: variables that name a real model, whose name then matters.
  ///   - secrets: names of variables; known only once the functions have been asked, so that they
  ///     are asked without them.
  static func make(
    shell: [String: String],
    project: String,
    addresses: Addresses,
    credentials: String,
    tokenFolder: String,
    functionFolders: [String],
    models: Set<String> = [],
    secrets: Set<String> = []
  ) -> [String: String] {
    var variables: [String: String] = [:]
    variables["GOOGLE_CLOUD_PROJECT"] = project
    variables["GCLOUD_PROJECT"] = project
    variables["GOOGLE_APPLICATION_CREDENTIALS"] = credentials
    variables["GOOGLE_TOKEN_CACHE"] = tokenFolder
    variables["GOOGLE_TRANSLATION_API_KEY"] = translationKey
    variables["TRANSLATION_API_KEY"] = translationKey
    variables["OPENAI_API_KEY"] = openAIKey
    variables["ANTHROPIC_API_KEY"] = anthropicKey
    variables["FIRESTORE_EMULATOR_HOST"] =
      (addresses["firestore"] ?? nowhere).reachable.description
    let doubles = "http://\((addresses["functions"] ?? nowhere).reachable)/providers"
    variables["TRANSLATION_BASE_URL"] = doubles
    variables["FCM_BASE_URL"] = doubles
    variables["OPENAI_BASE_URL"] = "\(doubles)/v1"
    variables["ANTHROPIC_BASE_URL"] = doubles
    if let functions = addresses["functions"] {
      variables["FUNCTIONS_EMULATOR_HOST"] = functions.reachable.description
    }
    if let ui = addresses["ui"] { variables["EMULATOR_UI_HOST"] = ui.reachable.description }
    if let hub = addresses["hub"] { variables["FIREBASE_EMULATOR_HUB"] = hub.reachable.description }
    let path = functionFolders + [shell["PATH"] ?? "/usr/bin:/bin"]
    variables["PATH"] = path.joined(separator: ":")
    for name in secrets where variables[name] == nil { variables[name] = dummySecret }
    let kept = shell.filter { name, _ in
      providerChoices.contains(name) || models.contains(name)
        || !replacedPrefixes.contains(where: name.hasPrefix) && name != "TRACEPARENT"
    }
    return kept.merging(variables) { _, own in own }
  }
}
