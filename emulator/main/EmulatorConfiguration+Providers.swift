import Core
import GoogleAuth
import HTTPClient
import HTTPService
import ProviderFakes
import ProviderProxy
import Providers
import Services

/// Where a provider's answers come from, if not from its fake.
enum ProviderSource: Sendable {
  /// - Parameter keys: variables, of which the first that is set has the key; none if the provider
  ///   takes everybody.
  case real(ProviderTarget, keys: [String])
  case cassettes
}

/// Real providers, and what was kept of them. They are asked only if a flag says so: a key that
/// happens to be in the shell isn't looked at.
extension EmulatorConfiguration {
  /// The variable that holds the path of a service account's key file.
  private static let accountVariable = "GOOGLE_APPLICATION_CREDENTIALS"

  mutating func chooseProviders(
    _ options: EmulatorOptions,
    folder: String
  ) throws(StatusError) {
    let sources = try Self.pairs(options.provider, of: "--provider", "live, a URL or cassettes")
    let keys = try Self.pairs(options.providerKey, of: "--provider-key", "a variable")
    for (provider, name) in keys where !Self.isVariableName(name) {
      // The value may be a key, given by mistake: it isn't repeated.
      throw StatusError(
        .invalidArgument,
        "--provider-key \(provider.rawValue): the value is no name of a variable; put the key into a "
          + "variable, and give the variable's name"
      )
    }
    for provider in keys.keys where sources[provider] == nil {
      throw StatusError(
        .invalidArgument,
        "--provider-key \(provider.rawValue) is nothing without --provider \(provider.rawValue)"
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
        throw StatusError(
          .invalidArgument,
          "--provider \(provider.rawValue): neither live nor cassettes, and \(error.message)"
        )
      }
    }
    if !providers.isEmpty, endpoints[.functions] == nil {
      throw StatusError(.invalidArgument, "--provider needs functions, which --only leaves out")
    }
    cassetteFolder = options.cassettes?.absolutePath(in: folder)
    if let name = providers.first(where: { $0.value.isCassettes })?.key, cassetteFolder == nil {
      throw StatusError(
        .invalidArgument,
        "--provider \(name.rawValue)=cassettes needs --cassettes, the folder they are in"
      )
    }
    if cassetteFolder != nil, providers.isEmpty {
      throw StatusError(.invalidArgument, "--cassettes is nothing without --provider")
    }
    validatesPushes = options.validatePushes
    if validatesPushes, providers[.fcm].map(\.isCassettes) ?? true {
      throw StatusError(.invalidArgument, "--validate-pushes needs --provider fcm=live")
    }
  }

  private static func pairs(
    _ texts: [String],
    of option: String,
    _ what: String
  ) throws(StatusError) -> [FaultyProvider: String] {
    var pairs: [FaultyProvider: String] = [:]
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].isEmpty else {
        // What it is may be a key, put there by mistake.
        throw StatusError(.invalidArgument, "\(option) \(parts[0]): it is NAME=, and then \(what)")
      }
      guard let provider = FaultyProvider(rawValue: String(parts[0])),
        ProviderTarget.providers.contains(provider)
      else {
        let names = ProviderTarget.providers.map(\.rawValue).joined(separator: ", ")
        throw StatusError(.invalidArgument, "\(option) \(parts[0]): there are \(names)")
      }
      guard pairs[provider] == nil else {
        throw StatusError(.invalidArgument, "\(option) names \(provider.rawValue) twice")
      }
      pairs[provider] = String(parts[1])
    }
    return pairs
  }

  /// A Boolean value that indicates whether a shell can have a variable of the name.
  private static func isVariableName(_ name: String) -> Bool {
    name.utf8.first.map { !(0x30...0x39).contains($0) } == true
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: false
        }
      }
  }

  /// What the provider's own clients read.
  private static func keyVariables(of provider: FaultyProvider) -> [String] {
    switch provider {
    case .translation: ["GOOGLE_TRANSLATION_API_KEY", accountVariable]
    case .openai: ["OPENAI_API_KEY"]
    case .anthropic: ["ANTHROPIC_API_KEY"]
    case .fcm, .oauth: [accountVariable]
    }
  }

  /// The variables of models that are real ones, or were when they were recorded.
  var modelVariables: Set<String> {
    let names: [FaultyProvider: String] = [
      .openai: "OPENAI_MODEL", .anthropic: "ANTHROPIC_MODEL",
    ]
    return Set(providers.keys.compactMap { names[$0] })
  }

  /// The variables from which keys of real providers are taken.
  var keyVariables: Set<String> {
    providers.values.reduce(into: []) { names, source in
      if case .real(_, let keys) = source { names.formUnion(keys) }
    }
  }

  /// What a developer should know before a function asks, a line for each provider.
  var providerLines: [String] {
    providers.sorted { $0.key.rawValue < $1.key.rawValue }.map { provider, source in
      switch source {
      case .cassettes: "\(provider.rawValue) from \(cassetteFolder ?? "")"
      case .real(let target, _):
        "\(provider.rawValue) is \(target.baseURL)"
          + (provider == .fcm ? validatesPushes ? ", checks pushes only" : ", rings phones" : "")
          + (cassetteFolder.map { ", kept in \($0)" } ?? "")
      }
    }
  }

  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - report: gets a sentence about each request that a real provider didn't answer.
  /// - Throws: what is missing of what the options name, before anything asks for it.
  func realProviders(
    shell: [String: String],
    transport: HTTPClient,
    now: @escaping @Sendable () -> Int64,
    report: @escaping @Sendable (_ problem: String) -> Void
  ) throws(StatusError) -> [FaultyProvider: any HTTPService] {
    let folder = cassetteFolder.map { CassetteFolder(path: $0) }
    var recorder: CassetteRecorder?
    var services: [FaultyProvider: any HTTPService] = [:]
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

  /// Functions send to the emulator's project; another's account may not.
  private func checkProject(ofKeyFile path: String, variable: String) throws(StatusError) {
    let file = FileManager.default.contents(atPath: path).flatMap { try? JSONValue(parsing: $0) }
    guard let own = file?["project_id"]?.string, own != project else { return }
    throw StatusError(
      .failedPrecondition,
      "--provider fcm: \(variable) is of project \(own); say --project \(own)"
    )
  }
}

extension ProviderSource {
  fileprivate var isCassettes: Bool {
    if case .cassettes = self { true } else { false }
  }
}
