import Core
import HTTPService
import Synchronization

/// The numbers of requests to the fakes, and of the characters that Google would bill.
final class ProviderUsage: Sendable {
  private struct Counts: Encodable {
    /// The number of requests by provider, then by the status of the response, or by the fault that
    /// replaced the response.
    var requests: [String: [String: Int]] = [:]
    /// The number of translated texts.
    var translatedTexts = 0
    /// The number of Unicode scalars in the translated texts, which Google bills.
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
