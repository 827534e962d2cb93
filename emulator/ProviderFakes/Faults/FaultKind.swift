/// The kinds of failures that a provider's fake can simulate.
enum FaultKind: String, CaseIterable, Sendable {
  /// Answers with a status, headers and a body; the request has no effect.
  case status
  /// Answers correctly, but late.
  case delay
  /// Sends nothing, then closes the connection; the request has no effect.
  case timeoutBeforeHeaders = "timeout-before-headers"
  /// Carries out the request, sends the headers and half of the body, then nothing more.
  case timeoutAfterHeaders = "timeout-after-headers"
  /// Resets the connection; the request has no effect.
  case reset
  /// Carries out the request and sends the body byte by byte.
  case slowBody = "slow-body"
  /// Answers 200 with a body of type JSON that isn't valid JSON; the request has no effect.
  case malformedJSON = "malformed-json"
  /// Carries out the request, announces the full body length, and closes the connection halfway.
  case truncatedJSON = "truncated-json"
  /// Answers 502 with HTML, like a proxy that can't reach the provider.
  case html
  /// Answers 200 without a body; the request has no effect.
  case empty

  // The following faults apply to language models; the last three also apply to translation.

  /// Cuts the answer at the token limit.
  case length
  /// Refuses to answer.
  case refusal
  /// Stops the answer by a content filter.
  case contentFilter = "content-filter"
  /// Answers in the right form, but in a language that wasn't requested.
  case wrongLanguage = "wrong-language"
  /// Answers in the right form, but without meaning.
  case nonsense
  /// Answers in the right form, with markup and a link that the request didn't contain.
  case link

  /// Returns a Boolean value that indicates whether the provider's fake can simulate this fault.
  func isPlayed(by provider: ProviderName) -> Bool {
    switch self {
    case .length, .refusal, .contentFilter: provider.isModel
    case .wrongLanguage, .nonsense, .link: provider.isModel || provider == .translation
    default: true
    }
  }

  /// A Boolean value that indicates whether the fault rewrites a complete correct answer. Such a
  /// fault doesn't apply to streamed answers.
  var changesTheAnswer: Bool {
    switch self {
    case .length, .refusal, .contentFilter, .wrongLanguage, .nonsense, .link: true
    default: false
    }
  }
}
