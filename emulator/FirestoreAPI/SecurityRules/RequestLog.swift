import Core
import FirestoreModel
import Synchronization

/// The last requests that security rules have decided on.
///
/// It keeps at most 1,000 requests and about 16 MiB, including the rules that have decided. When it
/// is full, it forgets the oldest tenth.
package final class RequestLog: Sendable {
  private struct State {
    var requests: [Int: RecordedRequest] = [:]
    /// The numbers of the requests, the oldest first.
    var numbers: [Int] = []
    var size = 0
    /// The number of requests that each file of rules has decided on.
    var uses: [ObjectIdentifier: Int] = [:]
    /// It differs between runs of the emulator, so that a page notices a restart.
    var version = Int.random(in: 0..<1 << 48)
    var lastNumber = 0

    mutating func add(_ request: RecordedRequest) {
      size += request.size
      let file = ObjectIdentifier(request.file)
      if uses[file] == nil { size += request.file.compiledSize }
      uses[file, default: 0] += 1
    }

    mutating func remove(_ request: RecordedRequest) {
      size -= request.size
      let file = ObjectIdentifier(request.file)
      uses[file]? -= 1
      if uses[file] == 0 {
        uses[file] = nil
        size -= request.file.compiledSize
      }
    }
  }

  private static let mostRequests = 1_000
  private static let mostBytes = 16 << 20

  private let state = Mutex(State())

  package init() {}

  /// Returns the number of a new request. The requests of one call have one number, even if the call
  /// waits and is decided again.
  func nextNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// Adds a request, or replaces the one with its number.
  func record(_ request: RecordedRequest) {
    state.withLock { state in
      state.version += 1
      state.add(request)
      if let old = state.requests.updateValue(request, forKey: request.number) {
        state.remove(old)
      } else {
        state.numbers.append(request.number)
      }
      while state.numbers.count > Self.mostRequests || state.size > Self.mostBytes {
        let count = max(1, state.numbers.count / 10)
        for number in state.numbers.prefix(count) {
          if let old = state.requests.removeValue(forKey: number) { state.remove(old) }
        }
        state.numbers.removeFirst(count)
      }
    }
  }

  /// A number that is different after each change.
  package var version: Int { state.withLock(\.version) }

  /// The requests, the newest first.
  package var requests: [RecordedRequest] {
    state.withLock { state in state.numbers.reversed().compactMap { state.requests[$0] } }
  }

  package subscript(number: Int) -> RecordedRequest? { state.withLock { $0.requests[number] } }
}

extension RulesFile {
  /// The approximate bytes of the text and of the ruleset that it compiles to.
  fileprivate var compiledSize: Int { 20 * size }
}
