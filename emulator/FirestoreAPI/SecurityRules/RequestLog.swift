import Core
import FirestoreModel
import Rules
import Synchronization

/// The last requests that security rules have decided on.
///
/// It keeps at most 1,000 requests and about 16 MiB, including the rules that have decided. When it
/// is full, it forgets the oldest tenth. Of the allowed requests it takes 200 a second.
package final class RequestLog: Sendable {
  private struct State {
    /// The requests, the oldest first.
    var requests: [RecordedRequest] = []
    var size = 0
    /// The files of rules, with the numbers of their requests. There are few at a time.
    var uses: [(file: RulesFile, count: Int)] = []
    /// It differs between runs of the emulator, so that a page notices a restart.
    var version = Int.random(in: 0..<1 << 48)

    mutating func count(_ request: RecordedRequest) {
      size += request.size
      if let index = uses.lastIndex(where: { $0.file === request.file }) {
        uses[index].count += 1
      } else {
        uses.append((request.file, 1))
        size += request.file.compiledSize
      }
    }

    mutating func discount(_ request: RecordedRequest) {
      size -= request.size
      guard let index = uses.firstIndex(where: { $0.file === request.file }) else { return }
      uses[index].count -= 1
      if uses[index].count == 0 {
        uses.remove(at: index)
        size -= request.file.compiledSize
      }
    }

    /// Removes the oldest requests if there are too many, and returns them.
    mutating func removeExcess() -> [RecordedRequest] {
      var removed: [RecordedRequest] = []
      while requests.count > mostRequests || size > mostBytes {
        let oldest = requests.prefix(max(1, requests.count / 10))
        for request in oldest { discount(request) }
        removed += oldest
        requests.removeFirst(oldest.count)
      }
      return removed
    }
  }

  /// The most allowed requests of a second. More of them would cost time, and nobody can look at them
  /// before they are forgotten.
  private static let mostAllowedInSecond = 200
  private static let mostRequests = 1_000
  private static let mostBytes = 16 << 20

  private let state = Mutex(State())
  private let lastNumber = Atomic(0)
  /// The number of allowed requests in the current second.
  private let allowed = Mutex((second: Int64(0), count: 0))

  package init() {}

  /// Returns the number of a new request. The requests of one call have one number, even if the call
  /// waits and is decided again.
  func nextNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

  /// Returns whether one more allowed request at a time is to be recorded.
  func takesAllowed(at time: Timestamp) -> Bool {
    allowed.withLock { allowed in
      if allowed.second != time.seconds { allowed = (time.seconds, 0) }
      allowed.count += 1
      return allowed.count <= Self.mostAllowedInSecond
    }
  }

  /// Adds a request.
  ///
  /// - Parameter isRepeat: A Boolean value that indicates whether the request replaces the one with its
  ///   number.
  func record(_ request: RecordedRequest, isRepeat: Bool) {
    let removed = state.withLock { state in
      state.version += 1
      state.count(request)
      let index =
        isRepeat ? state.requests.lastIndex { $0.number == request.number } : nil
      if let index {
        state.discount(state.requests[index])
        state.requests[index] = request
      } else {
        state.requests.append(request)
      }
      return state.removeExcess()
    }
    // Freeing many values takes time, and the store is locked.
    if !removed.isEmpty { Task { withExtendedLifetime(removed) {} } }
  }

  /// A number that is different after each change.
  package var version: Int { state.withLock(\.version) }

  /// The requests, the newest first.
  package var requests: [RecordedRequest] { state.withLock { $0.requests.reversed() } }

  package subscript(number: Int) -> RecordedRequest? {
    state.withLock { $0.requests.last { $0.number == number } }
  }
}

extension RulesFile {
  /// The approximate bytes of the text and of the ruleset that it compiles to.
  fileprivate var compiledSize: Int { 20 * size }
}
