import FunctionHost
import FunctionRuntime
import Services

/// The environment variables of functions, and of `exec`'s command.
///
/// A function gets the shell's variables on an allowlist, the shell's variables that its manifest
/// declares, and the variables that the emulator sets. A key in the shell doesn't reach a function,
/// whatever its name.
struct FunctionEnvironment: Sendable {
  /// The key that Translation's fake accepts.
  static let translationKey = "emulator-translation-key"
  /// The key that OpenAI's fake accepts.
  static let openAIKey = "emulator-openai-key"
  /// The key that Anthropic's fake accepts.
  static let anthropicKey = "emulator-anthropic-key"

  /// The shell's variables that every function gets.
  private static let inherited: Set<String> = [
    // The process's user and folders. PATH is the shell's, with the functions' folders before it.
    "HOME", "LOGNAME", "SHELL", "TMPDIR", "USER",
    // Locale and time zone. LC_ is in `inheritedPrefixes`.
    "LANG", "LANGUAGE", "TZ",
    // Certificate authorities.
    "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE",
    // Library paths of loaders and interpreters. DYLD_ is in `inheritedPrefixes`.
    "CLASSPATH", "DOTNET_ROOT", "GEM_HOME", "GEM_PATH", "JAVA_HOME", "LD_LIBRARY_PATH",
    "LD_PRELOAD", "NODE_PATH", "PERL5LIB", "PYTHONHOME", "PYTHONPATH", "RUBYLIB", "VIRTUAL_ENV",
    // Functions' log level, the documents that their triggers match, and Swift's crash reports.
    "LOG_LEVEL", "MESSAGES_PATH", "SWIFT_BACKTRACE",
  ]
  private static let inheritedPrefixes = ["DYLD_", "LC_"]

  /// The prefixes of known providers' variables, which functions never get from the shell, even if
  /// a manifest declares them.
  private static let providerPrefixes = [
    "GOOGLE_", "GCLOUD_", "GCP_", "GCE_", "CLOUDSDK_", "FIREBASE_", "FIRESTORE_", "FCM_",
    "TRANSLATION_", "OPENAI_", "ANTHROPIC_", "AZURE_OPENAI_", "LLM_", "STORAGE_EMULATOR_",
    "INVOCATION_",
  ]

  /// The variables that functions get despite `providerPrefixes`. They contain no key and no
  /// address: they choose the API that functions use with the fakes of language models and
  /// translators.
  private static let providerChoices: Set<String> = [
    "LLM_PROVIDER", "TRANSLATION_PROVIDER", "TRANSLATION_LOCATION", "TRANSLATION_GLOSSARY",
  ]

  /// The value of a secret that the emulator doesn't know.
  private static let dummySecret = "emulator"

  private let shell: [String: String]
  /// The variables that the emulator sets.
  private let own: [String: String]
  /// The ID of the emulator's run, which only processes that the emulator starts get.
  private let run: String?
  private let models: Set<String>
  /// The names of variables that contain real providers' keys or any manifest's secrets.
  private var keys: Set<String>

  /// Creates the environment.
  ///
  /// - Parameters:
  ///   - run: The ID of the emulator's run, or `nil` if no later emulator uses its data.
  ///   - models: The names of variables that choose a real model and are passed to functions.
  ///   - keys: The names of variables from which the emulator reads real providers' keys.
  init(
    shell: [String: String],
    project: String,
    addresses: Addresses,
    credentials: String,
    run: String? = nil,
    functionFolders: [String],
    models: Set<String> = [],
    keys: Set<String> = []
  ) {
    self.shell = shell
    self.run = run
    self.models = models
    self.keys = keys
    var own: [String: String] = [:]
    own["GOOGLE_CLOUD_PROJECT"] = project
    own["GCLOUD_PROJECT"] = project
    own["CLOUDSDK_CORE_PROJECT"] = project
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

  /// Withholds the shell's values of manifests' secrets from every function, and from `exec`'s
  /// command.
  mutating func withhold(_ secrets: Set<String>) { keys.formUnion(secrets) }

  /// The variables of an executable whose manifest isn't known yet.
  var undescribed: [String: String] { variables(declared: [], secrets: []) }

  /// Returns the variables of a function: the allowlist, and the ones that its manifest declares in
  /// `environment`.
  func variables(of function: FunctionManifest) -> [String: String] {
    variables(declared: Set(function.environment.map(\.name)), secrets: Set(function.secrets))
  }

  /// The variables of `exec`'s command.
  ///
  /// The command is the developer's own. So it gets all of the shell's variables, except those that
  /// could lead to a real provider.
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
    var variables = completed(passed, secrets: secrets.union(keys.intersection(declared)))
    variables[RunMark.variable] = run
    return variables
  }

  /// Returns a Boolean value that indicates whether a variable of the shell neither holds a
  /// provider's key nor leads to a provider.
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
