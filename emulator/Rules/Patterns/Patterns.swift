import Core
import Synchronization

/// The regular expressions that were compiled last, by their text.
///
/// Rules compile the same few expressions for each request.
final class Patterns: Sendable {
  static let shared = Patterns(capacity: 64)

  private let capacity: Int
  private let compiled = Mutex<[ByteKey: Pattern]>([:])

  init(capacity: Int) { self.capacity = capacity }

  func pattern(_ text: String) throws(EvaluationError) -> Pattern {
    let key = ByteKey(text)
    if let pattern = compiled.withLock({ $0[key] }) { return pattern }
    let pattern = try Pattern(text)
    compiled.withLock { compiled in
      if compiled.count >= capacity { compiled.removeAll() }
      compiled[key] = pattern
    }
    return pattern
  }
}
