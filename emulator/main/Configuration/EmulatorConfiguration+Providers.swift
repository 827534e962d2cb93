import Core
import GoogleAuth
import HTTPClient
import HTTPService
import ProviderFakes
import ProviderProxy
import Providers
import Services

/// The source of a provider's responses in place of its fake.
enum ProviderSource: Sendable {
  /// A real provider, or another server with the same API.
  ///
  /// - Parameter keys: The environment variables that may contain the key. The first one that is
  ///   set is used. The array is empty if the provider needs no key.
  case real(ProviderTarget, keys: [String])
  /// The recorded responses in the cassettes' folder.
  case cassettes
}

/// The choice of real providers and cassettes.
///
/// Both are used only if `--provider` asks for them. Without this option, keys in the shell's
/// variables aren't read.
extension EmulatorConfiguration {
  /// The name of the variable with the path of a service account's key file.
  private static let accountVariable = "GOOGLE_APPLICATION_CREDENTIALS"

  mutating func chooseProviders(
    _ options: EmulatorOptions,
    folder: String
  ) throws(StatusError) {
    let given = options.providers
    let sources = try Self.pairs(given.provider, of: "--provider", "live, a URL or cassettes")
    let keys = try Self.pairs(given.providerKey, of: "--provider-key", "a variable's name")
    for (provider, name) in keys where !Self.isVariableName(name) {
      // The message leaves out the value, which may be a key that was given by mistake.
      throw StatusError(
        .invalidArgument,
        "--provider-key \(provider.rawValue): the value is not the name of a variable; put the key "
          + "into a variable and give the variable's name"
      )
    }
    for provider in keys.keys where sources[provider] == nil {
      throw StatusError(
        .invalidArgument,
        "--provider-key \(provider.rawValue) needs --provider \(provider.rawValue)=live or a URL"
      )
    }
    for (provider, text) in sources {
      if text == "cassettes" {
        providers[provider] = .cassettes
        continue
      }
      do throws(StatusError) {
        let target = try ProviderTarget(provider, baseURL: text == "live" ? nil : text)
        let usual = text == "live" ? Self.keyVariables(of: provider) : []
        providers[provider] = .real(target, keys: keys[provider].map { [$0] } ?? usual)
      } catch {
        // The message leaves out the value, which may be a key that was given by mistake.
        let meant =
          text.nearest(of: ["live", "cassettes"]).map { "did you mean \($0)? Use" } ?? "use"
        throw StatusError(
          .invalidArgument,
          "--provider \(provider.rawValue): \(meant) live, cassettes or a URL; \(error.message)"
        )
      }
    }
    if !providers.isEmpty, endpoints[.functions] == nil {
      throw StatusError(.invalidArgument, "--provider needs functions: add functions to --only")
    }
    cassetteFolder = options.providers.cassettes?.absolutePath(in: folder)
    if let name = providers.first(where: { $0.value.isCassettes })?.key, cassetteFolder == nil {
      throw StatusError(
        .invalidArgument,
        "--provider \(name.rawValue)=cassettes needs --cassettes DIR"
      )
    }
    if cassetteFolder != nil, providers.isEmpty {
      throw StatusError(.invalidArgument, "--cassettes needs --provider")
    }
    validatesPushes = options.providers.validatePushes
    if validatesPushes, providers[.fcm].map(\.isCassettes) ?? true {
      throw StatusError(.invalidArgument, "--validate-pushes needs --provider fcm=live")
    }
  }

  /// Parses an option's NAME=VALUE arguments.
  private static func pairs(
    _ texts: [String],
    of option: String,
    _ what: String
  ) throws(StatusError) -> [ProviderName: String] {
    var pairs: [ProviderName: String] = [:]
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].isEmpty else {
        // The message leaves out the value, which may be a key that was given by mistake.
        throw StatusError(
          .invalidArgument,
          "\(option) \(parts[0]): use NAME=VALUE, where VALUE is \(what)"
        )
      }
      guard let provider = ProviderName(rawValue: String(parts[0])),
        ProviderTarget.providers.contains(provider)
      else {
        let names = ProviderTarget.providers.map(\.rawValue)
        let meant = String(parts[0]).nearest(of: names).map { "did you mean \($0)?" }
        throw StatusError(
          .invalidArgument,
          "\(option) \(parts[0]): no provider has this name: "
            + (meant ?? "use one of \(names.joined(separator: ", "))")
        )
      }
      guard pairs[provider] == nil else {
        throw StatusError(.invalidArgument, "\(option) names \(provider.rawValue) twice")
      }
      pairs[provider] = String(parts[1])
    }
    return pairs
  }

  /// Returns a Boolean value that indicates whether a text can be the name of a shell variable.
  private static func isVariableName(_ name: String) -> Bool {
    name.utf8.first.map { !(0x30...0x39).contains($0) } == true
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: false
        }
      }
  }

  /// Returns the names of the variables from which the provider's own clients read the key.
  private static func keyVariables(of provider: ProviderName) -> [String] {
    switch provider {
    case .translation: ["GOOGLE_TRANSLATION_API_KEY", accountVariable]
    case .openai: ["OPENAI_API_KEY"]
    case .anthropic: ["ANTHROPIC_API_KEY"]
    case .fcm, .oauth: [accountVariable]
    }
  }

  /// The names of the variables that choose the models of real or recorded providers.
  var modelVariables: Set<String> {
    let names: [ProviderName: String] = [
      .openai: "OPENAI_MODEL", .anthropic: "ANTHROPIC_MODEL",
    ]
    return Set(providers.keys.compactMap { names[$0] })
  }

  /// The names of the variables from which real providers' keys are read.
  var keyVariables: Set<String> {
    providers.values.reduce(into: []) { names, source in
      if case .real(_, let keys) = source { names.formUnion(keys) }
    }
  }

  /// The lines that the console prints about providers that aren't fakes.
  var providerLines: [String] {
    providers.sorted { $0.key.rawValue < $1.key.rawValue }.map { provider, source in
      switch source {
      case .cassettes: "\(provider.rawValue) from \(cassetteFolder ?? "")"
      case .real(let target, _):
        "\(provider.rawValue) is \(target.baseURL)"
          + (provider == .fcm ? validatesPushes ? ", checks pushes only" : ", sends pushes" : "")
          + (cassetteFolder.map { ", recorded in \($0)" } ?? "")
      }
    }
  }

  /// Makes the services that replace the fakes of providers.
  ///
  /// - Parameters:
  ///   - now: Returns the time in seconds since 1970.
  ///   - report: Logs a sentence about a request for which there was no response.
  /// - Throws: `StatusError` if a key or a cassette that the options name is missing.
  func realProviders(
    shell: [String: String],
    transport: HTTPClient,
    now: @escaping @Sendable () -> Int64,
    report: @escaping @Sendable (_ problem: String) -> Void
  ) throws(StatusError) -> [ProviderName: any HTTPService] {
    let folder = cassetteFolder.map { CassetteFolder(path: $0) }
    var recorder: CassetteRecorder?
    var services: [ProviderName: any HTTPService] = [:]
    for (provider, source) in providers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      switch source {
      case .cassettes:
        guard let folder else { continue }
        services[provider] = CassetteProvider(
          try folder.exchanges(of: provider),
          report: report
        )
      case .real(let target, let keys):
        let credential = try credential(
          of: target,
          variables: keys,
          shell: shell,
          transport: transport,
          now: now
        )
        if recorder == nil, let folder { recorder = try CassetteRecorder(folder) }
        services[provider] = LiveProvider(
          target,
          credential: credential,
          validatesOnly: validatesPushes,
          transport: transport,
          recorder: recorder,
          report: report
        )
      }
    }
    return services
  }

  /// Returns the credential for a real provider, read from the first variable that is set.
  ///
  /// - Throws: `FAILED_PRECONDITION` if no variable is set.
  private func credential(
    of target: ProviderTarget,
    variables: [String],
    shell: [String: String],
    transport: HTTPClient,
    now: @escaping @Sendable () -> Int64
  ) throws(StatusError) -> ProviderCredential {
    guard !variables.isEmpty else { return .none }
    guard let variable = variables.first(where: { shell[$0] ?? "" != "" }),
      let value = shell[variable]
    else {
      throw StatusError(
        .failedPrecondition,
        "--provider \(target.provider.rawValue): \(variables.joined(separator: " or ")) is not set"
      )
    }
    guard variable == Self.accountVariable || target.provider == .fcm else {
      return .key(Secret(value))
    }
    let account = try ServiceAccount(path: value, transport: transport, now: now)
    if target.provider == .fcm { try checkProject(ofKeyFile: value, variable: variable) }
    return .account(CachedAccessToken(account))
  }

  /// Checks that a key file belongs to the emulator's project, in whose name functions send pushes.
  private func checkProject(ofKeyFile path: String, variable: String) throws(StatusError) {
    let file = FileManager.default.contents(atPath: path).flatMap { try? JSONValue(parsing: $0) }
    guard let own = file?["project_id"]?.string, own != project else { return }
    throw StatusError(
      .failedPrecondition,
      "--provider fcm: \(variable) is a key of project \(own); start with --project \(own)"
    )
  }
}

extension ProviderSource {
  fileprivate var isCassettes: Bool {
    if case .cassettes = self { true } else { false }
  }
}
