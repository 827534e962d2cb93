import Core
import HTTPService
import Synchronization

/// What was asked of the fakes, and what it would have cost elsewhere.
final class ProviderUsage: Sendable {
  private struct Counts: Encodable {
    /// By provider, then by the answer's status, or by the fault there was instead of an answer.
    var requests: [String: [String: Int]] = [:]
    /// How many texts were translated, and their characters: what Google bills.
    var translatedTexts = 0
    var translatedCharacters = 0
  }

  private let counts = Mutex(Counts())

  func count(_ provider: String, outcome: String) {
    counts.withLock { $0.requests[provider, default: [:]][outcome, default: 0] += 1 }
  }

  func count(translated texts: [String]) {
    counts.withLock { counts in
      counts.translatedTexts += texts.count
      counts.translatedCharacters += texts.reduce(0) { $0 + $1.unicodeScalars.count }
    }
  }

  var answer: ServiceResponse { .json(counts.withLock(\.self)) }
}
