/// What a provider does to a request instead of answering it well.
enum FaultKind: String, CaseIterable, Sendable {
  /// Answers with a status, headers and a body; the request has no effect.
  case status
  /// Answers well, but late.
  case delay
  /// Says nothing, then cuts the connection; the request has no effect.
  case timeoutBeforeHeaders = "timeout-before-headers"
  /// Carries the request out, sends the headers and half of the body, and nothing more.
  case timeoutAfterHeaders = "timeout-after-headers"
  /// Resets the connection; the request has no effect.
  case reset
  /// Carries the request out and sends the body byte by byte.
  case slowBody = "slow-body"
  /// A 200 whose body says that it is JSON and isn't; the request has no effect.
  case malformedJSON = "malformed-json"
  /// Carries the request out, promises its whole body, and cuts the connection in the middle of it.
  case truncatedJSON = "truncated-json"
  /// The page of a proxy that can't reach the provider: a 502 in HTML.
  case html
  /// A 200 without a body; the request has no effect.
  case empty

  // A model's own; the last three are a translator's, too.

  /// The answer ends at the limit of tokens, in the middle.
  case length
  /// The model declines.
  case refusal
  /// A filter stops the answer.
  case contentFilter = "content-filter"
  /// An answer of the right form in a language nobody asked for.
  case wrongLanguage = "wrong-language"
  /// An answer of the right form without a meaning.
  case nonsense
  /// An answer of the right form with markup and a link that the request didn't have.
  case link

  func isPlayed(by provider: FaultyProvider) -> Bool {
    switch self {
    case .length, .refusal, .contentFilter: provider.isModel
    case .wrongLanguage, .nonsense, .link: provider.isModel || provider == .translation
    default: true
    }
  }

  /// Whether it is a change of a good answer, which has to be whole: a stream passes unharmed.
  var changesTheAnswer: Bool {
    switch self {
    case .length, .refusal, .contentFilter, .wrongLanguage, .nonsense, .link: true
    default: false
    }
  }
}
