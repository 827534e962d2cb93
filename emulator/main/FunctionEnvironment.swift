import FunctionRuntime
import Services

/// The variables of functions, and of `exec`'s command.
///
/// A function gets an allowlist: what any process needs, what its manifest declares, and what the
/// emulator sets. A key in the shell, whatever its name, doesn't reach a function.
struct FunctionEnvironment: Sendable {
  /// The key that Translation's fake takes.
  static let translationKey = "emulator-translation-key"
  /// The key that OpenAI's fake takes.
  static let openAIKey = "emulator-openai-key"
  /// The key that Anthropic's fake takes.
  static let anthropicKey = "emulator-anthropic-key"

  /// The shell's variables that every function gets.
  private static let inherited: Set<String> = [
    // Where a process is, and for whom it runs. PATH is the shell's with the functions before it.
    "HOME", "LOGNAME", "SHELL", "TMPDIR", "USER",
    // Languages and times; LC_ is a prefix.
    "LANG", "LANGUAGE", "TZ",
    // Certificate authorities.
    "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE",
    // Where loaders and interpreters find libraries; DYLD_ is a prefix.
    "CLASSPATH", "DOTNET_ROOT", "GEM_HOME", "GEM_PATH", "JAVA_HOME", "LD_LIBRARY_PATH",
    "LD_PRELOAD", "NODE_PATH", "PERL5LIB", "PYTHONHOME", "PYTHONPATH", "RUBYLIB", "VIRTUAL_ENV",
    // What a function logs, and which documents its triggers are about: a manifest says the latter.
    "LOG_LEVEL", "MESSAGES_PATH", "SWIFT_BACKTRACE",
  ]
  private static let inheritedPrefixes = ["DYLD_", "LC_"]

  /// Names of known providers: the shell's values don't pass, though a manifest declares them.
  private static let providerPrefixes = [
    "GOOGLE_", "GCLOUD_", "GCP_", "GCE_", "CLOUDSDK_", "FIREBASE_", "FIRESTORE_", "FCM_",
    "TRANSLATION_", "OPENAI_", "ANTHROPIC_", "AZURE_OPENAI_", "LLM_", "STORAGE_EMULATOR_",
    "INVOCATION_",
  ]

  /// The exceptions: they lead nowhere, and say which API of a language model or a translator is
  /// spoken to the fakes, and how.
  private static let providerChoices: Set<String> = [
    "LLM_PROVIDER", "TRANSLATION_PROVIDER", "TRANSLATION_LOCATION", "TRANSLATION_GLOSSARY",
  ]

  /// The value of a key for which the emulator has no better one.
  private static let dummySecret = "emulator"

  private let shell: [String: String]
  /// The variables that the emulator sets.
  private let own: [String: String]
  private let models: Set<String>
  /// Variables that hold keys: of real providers, and the secrets of all manifests.
  private var keys: Set<String>

  /// - Parameters:
  ///   - models: variables that name a real model, whose name then matters.
  ///   - keys: variables from which the emulator takes keys of real providers.
  init(
    shell: [String: String],
    project: String,
    addresses: Addresses,
    credentials: String,
    functionFolders: [String],
    models: Set<String> = [],
    keys: Set<String> = []
  ) {
    self.shell = shell
    self.models = models
    self.keys = keys
    var own: [String: String] = [:]
    own["GOOGLE_CLOUD_PROJECT"] = project
    own["GCLOUD_PROJECT"] = project
    own["GOOGLE_APPLICATION_CREDENTIALS"] = credentials
    own["GOOGLE_TRANSLATION_API_KEY"] = Self.translationKey
    own["TRANSLATION_API_KEY"] = Self.translationKey
    own["OPENAI_API_KEY"] = Self.openAIKey
    own["ANTHROPIC_API_KEY"] = Self.anthropicKey
    for service in EmulatedService.all {
      own.merge(service.variables(at: addresses[service.name])) { $1 }
    }
    let path = functionFolders + [shell["PATH"] ?? "/usr/bin:/bin"]
    own["PATH"] = path.joined(separator: ":")
    self.own = own
  }

  /// Withholds what a manifest calls a secret from every function, and from `exec`'s command.
  mutating func withhold(_ secrets: Set<String>) { keys.formUnion(secrets) }

  /// The variables of an executable that hasn't told its manifest yet.
  var undescribed: [String: String] { variables(declared: [], secrets: []) }

  /// The variables of a function: of the shell's the allowlist, and those that its manifest declares
  /// in `environment`.
  func variables(of function: FunctionManifest) -> [String: String] {
    variables(declared: Set(function.environment.map(\.name)), secrets: Set(function.secrets))
  }

  /// The variables of `exec`'s command, which is the developer's own: the shell's, except what could
  /// lead to a real provider.
  var commandVariables: [String: String] {
    completed(shell.filter { name, _ in mayPass(name) }, secrets: keys)
  }

  private func variables(declared: Set<String>, secrets: Set<String>) -> [String: String] {
    let passed = shell.filter { name, _ in
      mayPass(name)
        && (Self.inherited.contains(name) || Self.inheritedPrefixes.contains(where: name.hasPrefix)
          || Self.providerChoices.contains(name) || models.contains(name)
          || declared.contains(name))
    }
    return completed(passed, secrets: secrets.union(keys.intersection(declared)))
  }

  /// A Boolean value that indicates whether a variable of the shell can neither open a provider nor
  /// lead to one.
  private func mayPass(_ name: String) -> Bool {
    if keys.contains(name) || name == "TRACEPARENT" { return false }
    return Self.providerChoices.contains(name) || models.contains(name)
      || !Self.providerPrefixes.contains(where: name.hasPrefix)
  }

  private func completed(_ passed: [String: String], secrets: Set<String>) -> [String: String] {
    passed.merging(secrets.map { ($0, Self.dummySecret) }) { _, dummy in dummy }
      .merging(own) { _, own in own }
  }
}
