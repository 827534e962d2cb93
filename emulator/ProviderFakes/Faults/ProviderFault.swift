import Core

/// What is to go wrong with the next requests to a provider: after so many, so many times.
struct ProviderFault: Sendable {
  /// Its number among those that were asked for.
  var id = 0
  var provider: FaultyProvider
  var kind: FaultKind
  /// How many requests pass before it.
  var after = 0
  /// How many requests it meets then.
  var times = 1
  /// HTTP's, of the kinds `status` and `html`.
  var status: Int?
  /// The provider's own name of its error, of the kind `status`.
  var code: String?
  /// Of the kinds `status` and `html`.
  var headers: [String: String] = [:]
  /// Of the kind `status`, where the provider's own error won't do.
  var body: String?
  /// Before the answer; before a timeout's connection is cut; between two bytes of a slow body.
  var delay: Duration?

  init(_ provider: FaultyProvider, _ kind: FaultKind) {
    self.provider = provider
    self.kind = kind
  }

  /// Its JSON: `{"provider","kind","after"?,"times"?,"status"?,"code"?,"headers"?,"body"?,
  /// "delayMilliseconds"?}`.
  struct Form: Codable {
    /// Given by us: what a request says there is not read.
    var id: Int?
    var provider: String
    var kind: String
    var after: Int?
    var times: Int?
    var status: Int?
    var code: String?
    var headers: [String: String]?
    var body: String?
    var delayMilliseconds: Int?

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case id, provider, kind, after, times, status, code, headers, body, delayMilliseconds
    }
  }

  /// - Throws: `INVALID_ARGUMENT` that names the member.
  init(_ form: Form) throws(StatusError) {
    guard let provider = FaultyProvider(rawValue: form.provider) else {
      throw Self.refusal("provider", form.provider, FaultyProvider.allCases.map(\.rawValue))
    }
    guard let kind = FaultKind(rawValue: form.kind) else {
      throw Self.refusal("kind", form.kind, FaultKind.allCases.map(\.rawValue))
    }
    guard kind.isPlayed(by: provider) else {
      throw StatusError(.invalidArgument, "kind: \(provider.rawValue) has no \(kind.rawValue)")
    }
    self.init(provider, kind)
    after = try Self.number(form.after, "after", 0...1_000_000) ?? 0
    times = try Self.number(form.times, "times", 1...1_000_000) ?? 1
    delay = try Self.number(form.delayMilliseconds, "delayMilliseconds", 0...600_000)
      .map { .milliseconds($0) }
    guard kind != .delay || delay != nil else {
      throw StatusError(.invalidArgument, "delayMilliseconds is missing, which a delay needs")
    }
    try setAnswer(form)
  }

  private mutating func setAnswer(_ form: Form) throws(StatusError) {
    let given = [
      ("status", form.status != nil), ("code", form.code != nil),
      ("headers", form.headers != nil), ("body", form.body != nil),
    ]
    let taken: Set<String> =
      switch kind {
      case .status: ["status", "code", "headers", "body"]
      case .html: ["status", "headers"]
      default: []
      }
    if let (name, _) = given.first(where: { $0.1 && !taken.contains($0.0) }) {
      throw StatusError(.invalidArgument, "\(name): a fault of kind \(kind.rawValue) has none")
    }
    status = try Self.number(form.status, "status", 200...599)
    code = form.code
    headers = form.headers ?? [:]
    body = form.body
    if provider == .fcm, status == nil { status = code.flatMap(PushFake.status(of:)) }
    guard kind != .status || status != nil else {
      throw StatusError(.invalidArgument, "status is missing, which a fault of kind status needs")
    }
  }

  /// As `GET /faults` lists it: what is left of it.
  var form: Form {
    Form(
      id: id,
      provider: provider.rawValue,
      kind: kind.rawValue,
      after: after,
      times: times,
      status: status,
      code: code,
      headers: headers.isEmpty ? nil : headers,
      body: body,
      delayMilliseconds: delay.map { Int($0 / .milliseconds(1)) }
    )
  }

  private static func number(
    _ value: Int?,
    _ name: String,
    _ range: ClosedRange<Int>
  ) throws(StatusError) -> Int? {
    guard let value else { return nil }
    guard range.contains(value) else {
      throw StatusError(
        .invalidArgument,
        "\(name) is not between \(range.lowerBound) and \(range.upperBound)"
      )
    }
    return value
  }

  private static func refusal(_ name: String, _ value: String, _ known: [String]) -> StatusError {
    StatusError(
      .invalidArgument,
      "\(name): \(quoted(value)) is none of \(known.joined(separator: ", "))"
    )
  }
}

extension ProviderFault.Form {
  init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    provider = try container.decode(String.self, forKey: .provider)
    kind = try container.decode(String.self, forKey: .kind)
    after = try container.decodeIfPresent(Int.self, forKey: .after)
    times = try container.decodeIfPresent(Int.self, forKey: .times)
    status = try container.decodeIfPresent(Int.self, forKey: .status)
    code = try container.decodeIfPresent(String.self, forKey: .code)
    headers = try container.decodeIfPresent([String: String].self, forKey: .headers)
    body = try container.decodeIfPresent(String.self, forKey: .body)
    delayMilliseconds = try container.decodeIfPresent(Int.self, forKey: .delayMilliseconds)
  }
}
