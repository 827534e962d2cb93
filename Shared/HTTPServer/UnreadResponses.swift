import NIOCore
import Synchronization

/// A limit on the total number of response bytes, over all ports, that clients haven't read yet.
///
/// If the limit is exceeded, the connections whose clients have read nothing for the longest time
/// are closed, so that there is memory for clients that read.
package final class UnreadResponses: Sendable {
  private struct Answer {
    var bytes: Int
    /// The time when the client last read something.
    var lastRead: NIODeadline
    var channel: any Channel
  }

  private struct State {
    /// The responses that are being sent, by the number that `begin` returned.
    var answers: [Int: Answer] = [:]
    var bytes = 0
    var count = 0

    /// Removes the response whose client has read nothing for the longest time.
    ///
    /// - Parameter number: The number of a response to keep.
    /// - Returns: The connection to close, or `nil` if there is no other response.
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

  /// The limit that all ports of this process share.
  package static let shared = UnreadResponses(limit: 256 << 20)

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: The limit in bytes. A single response may exceed it.
  package init(limit: Int) { self.limit = limit }

  /// Registers a response.
  ///
  /// - Returns: The response's number.
  func begin(on channel: any Channel) -> Int {
    state.withLock { state in
      state.count += 1
      state.answers[state.count] = Answer(bytes: 0, lastRead: .now(), channel: channel)
      return state.count
    }
  }

  /// Records that the client has read a part of its response, and how many bytes of the response
  /// are still unread.
  func set(_ bytes: Int, of number: Int) {
    let slow = state.withLock { state -> [any Channel] in
      // If the response was removed, its connection is being closed.
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

  /// Removes a response.
  func end(_ number: Int) {
    state.withLock { state in
      if let answer = state.answers.removeValue(forKey: number) { state.bytes -= answer.bytes }
    }
  }
}
