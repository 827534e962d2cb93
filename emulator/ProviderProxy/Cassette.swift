import Core
import ProviderFakes

/// A recorded exchange with a real provider, stored as a file:
/// `{"version","provider","request","response"}`.
///
/// A cassette contains no secrets: no request headers, keys or tokens. A device's token is replaced
/// by a part of its hash. Users' texts are included.
struct Cassette: Sendable, Equatable {
  /// The version of the file format, increased with every change.
  static let version = 1

  var provider: ProviderName
  var exchange: ProviderExchange

  init(_ exchange: ProviderExchange, of provider: ProviderName) {
    self.provider = provider
    self.exchange = exchange
    self.exchange.request = Self.withoutSecrets(exchange.request)
    self.exchange.response.body = Self.withoutSecrets(exchange.response.body)
  }

  // MARK: Secrets

  /// Returns a request in its stored form, by which playback finds it.
  static func withoutSecrets(_ request: ProviderExchange.Request) -> ProviderExchange.Request {
    var request = request
    let parts = request.path.split(separator: "?", maxSplits: 1)
    if parts.count == 2 {
      let fields = parts[1].split(separator: "&").filter { !$0.hasPrefix("key=") }
      request.path = String(parts[0]) + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
    }
    request.body = withoutSecrets(request.body)
    return request
  }

  private static func withoutSecrets(_ body: ProviderExchange.Body) -> ProviderExchange.Body {
    guard case .json(let json) = body else { return body }
    return .json(withoutSecrets(json))
  }

  private static let secrets: Set<ByteKey> = [
    "api_key", "access_token", "refresh_token", "id_token", "assertion", "client_secret",
  ]

  private static func withoutSecrets(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      return .object(
        Dictionary(
          uniqueKeysWithValues: members.compactMap { name, member in
            if secrets.contains(name) { return nil }
            guard name == "token", let token = member.string else {
              return (name, withoutSecrets(member))
            }
            return (name, .string(DeviceToken.placeholder(for: token)))
          }
        )
      )
    case .array(let values): return .array(values.map(withoutSecrets))
    default: return value
    }
  }

  // MARK: Files

  /// The minimum length of a key that is replaced. A shorter key, for a local server, may be a word
  /// that occurs in other text.
  private static let minimumKeyLength = 16

  /// Returns the content of the file.
  ///
  /// - Parameter secret: the key that is replaced if it occurs anywhere, even in the response.
  /// - Throws: `FAILED_PRECONDITION` if the file would contain text that looks like a key.
  func file(without secret: String?) throws(StatusError) -> Data {
    var members = exchange.json.object ?? [:]
    members["version"] = .integer(Int64(Self.version))
    members["provider"] = .string(provider.rawValue)
    var text = String(decoding: try JSONValue.object(members).file, as: UTF8.self)
    if let secret, secret.utf8.count >= Self.minimumKeyLength {
      text = text.replacing(secret, with: "[key]")
    }
    let file = Data(text.utf8)
    if let found = LiveSecret.first(in: file) {
      throw StatusError(
        .failedPrecondition,
        "an exchange isn't recorded because it contains what looks like \(found)"
      )
    }
    return file
  }

  /// Creates a cassette from a file's content.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the reason if the content isn't a cassette; `UNIMPLEMENTED`
  ///   for another version.
  init(file: Data) throws(StatusError) {
    let json = try JSONValue(file: file)
    guard let version = json["version"],
      let provider = json["provider"]?.string.flatMap(ProviderName.init)
    else { throw StatusError(.invalidArgument, "the cassette has no version or provider") }
    try version.checkVersion(Self.version)
    self.provider = provider
    exchange = try ProviderExchange(json)
  }
}
