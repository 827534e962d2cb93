import Core

/// A fault in the next requests to a provider. It skips `after` requests, then applies to `times`
/// requests.
struct ProviderFault: Sendable {
  /// The fault's number, in the order in which faults were requested.
  var id = 0
  var provider: ProviderName
  var kind: FaultKind
  /// The number of requests that are answered normally before the fault applies.
  var after = 0
  /// The number of requests that the fault applies to.
  var times = 1
  /// The HTTP status, for the kinds `status` and `html`.
  var status: Int?
  /// The provider's own error code, for the kind `status`.
  var code: String?
  /// The additional headers, for the kinds `status` and `html`.
  var headers: [String: String] = [:]
  /// The body that replaces the provider's own error, for the kind `status`.
  var body: String?
  /// The delay before the answer, the duration of a timeout, or the delay between the bytes of a
  /// slow body.
  var delay: Duration?

  init(_ provider: ProviderName, _ kind: FaultKind) {
    self.provider = provider
    self.kind = kind
  }

  /// The JSON form of a fault: `{"provider","kind","after"?,"times"?,"status"?,"code"?,"headers"?,
  /// "body"?,"delayMilliseconds"?}`.
  struct Form: Codable {
    /// The assigned ID; ignored in requests.
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

  /// Creates a fault from its JSON form.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the name of the invalid field.
  init(_ form: Form) throws(StatusError) {
    guard let provider = ProviderName(rawValue: form.provider) else {
      throw Self.refusal("provider", form.provider, ProviderName.allCases.map(\.rawValue))
    }
    guard let kind = FaultKind(rawValue: form.kind) else {
      throw Self.refusal("kind", form.kind, FaultKind.allCases.map(\.rawValue))
    }
    guard kind.isPlayed(by: provider) else {
      throw StatusError(
        .invalidArgument,
        "kind: the fake of \(provider.rawValue) can't simulate \(kind.rawValue)"
      )
    }
    self.init(provider, kind)
    after = try Self.number(form.after, "after", 0...1_000_000) ?? 0
    times = try Self.number(form.times, "times", 1...1_000_000) ?? 1
    delay = try Self.number(form.delayMilliseconds, "delayMilliseconds", 0...600_000)
      .map { .milliseconds($0) }
    guard kind != .delay || delay != nil else {
      throw StatusError(
        .invalidArgument,
        "delayMilliseconds is missing: a fault of kind delay needs it"
      )
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
      throw StatusError(
        .invalidArgument,
        "\(name): a fault of kind \(kind.rawValue) has no such field"
      )
    }
    status = try Self.number(form.status, "status", 200...599)
    code = form.code
    headers = form.headers ?? [:]
    body = form.body
    if provider == .fcm, status == nil { status = code.flatMap(PushFake.status(of:)) }
    guard kind != .status || status != nil else {
      throw StatusError(.invalidArgument, "status is missing: a fault of kind status needs it")
    }
  }

  /// The fault as `GET /faults` lists it, with the remaining counts.
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
      "\(name): \(quoted(value)) isn't one of \(known.joined(separator: ", "))"
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
