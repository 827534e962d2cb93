import Core
import TestKit
import Testing

/// A provider's error response, and the error that a client throws for it.
struct ProviderFailure: Sendable, CustomTestStringConvertible {
  var answer: ScriptedAnswer
  var error: StatusError
  var testDescription: String { "\(answer.status) \(answer.body)" }

  init(_ answer: ScriptedAnswer, _ error: StatusError) {
    self.answer = answer
    self.error = error
  }
}
