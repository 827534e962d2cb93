import NIOCore
import Synchronization

/// The answers that the clients of all ports haven't read, bounded in total.
///
/// Beyond the limit, the connections whose clients have read nothing for longest are closed: who
/// reads soon makes room for the others.
package final class UnreadResponses: Sendable {
  private struct Answer {
    var bytes: Int
    /// When the client last read something.
    var lastRead: NIODeadline
    var channel: any Channel
  }

  private struct State {
    /// The answers that are being sent, by number.
    var answers: [Int: Answer] = [:]
    var bytes = 0
    var count = 0

    /// - Parameter number: of the one that isn't taken.
    /// - Returns: the connection that is to be closed for the others.
    mutating func removeSlowest(but number: Int) -> (any Channel)? {
      let others = answers.lazy.filter { $0.key != number && $0.value.bytes > 0 }
      guard let slowest = others.min(by: { $0.value.lastRead < $1.value.lastRead }) else {
        return nil
      }
      answers[slowest.key] = nil
      bytes -= slowest.value.bytes
      return slowest.value.channel
    }
  }

  /// The answers of this process.
  package static let shared = UnreadResponses(limit: 256 << 20)

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: in bytes; one answer alone may have more.
  package init(limit: Int) { self.limit = limit }

  /// Begins an answer.
  ///
  /// - Returns: its number.
  func begin(on channel: any Channel) -> Int {
    state.withLock { state in
      state.count += 1
      state.answers[state.count] = Answer(bytes: 0, lastRead: .now(), channel: channel)
      return state.count
    }
  }

  /// Notes how many bytes of an answer its client has still to read, having read something.
  func set(_ bytes: Int, of number: Int) {
    let slow = state.withLock { state -> [any Channel] in
      // Its connection is being closed.
      guard let answer = state.answers[number] else { return [] }
      state.bytes += bytes - answer.bytes
      state.answers[number] = Answer(bytes: bytes, lastRead: .now(), channel: answer.channel)
      var slow: [any Channel] = []
      while state.bytes > limit, let channel = state.removeSlowest(but: number) {
        slow.append(channel)
      }
      return slow
    }
    for channel in slow { channel.close(promise: nil) }
  }

  /// Ends an answer.
  func end(_ number: Int) {
    state.withLock { state in
      if let answer = state.answers.removeValue(forKey: number) { state.bytes -= answer.bytes }
    }
  }
}
