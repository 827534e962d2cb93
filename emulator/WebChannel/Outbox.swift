import Core
import DequeModule

/// The arrays that a channel has sent or will send, until its client acknowledges them.
struct Outbox {
  /// The number of the newest array. Array 0 is the response that opens the channel.
  private(set) var lastID = 0
  /// The size of the messages that the client hasn't acknowledged, in bytes.
  private(set) var byteCount = 0
  private var arrays: Deque<ChannelArray> = []

  mutating func append(_ content: ChannelArray.Content) {
    lastID += 1
    let array = ChannelArray(id: lastID, content: content)
    arrays.append(array)
    byteCount += array.byteCount
  }

  /// Drops the arrays up to a number, which the client has received.
  ///
  /// - Throws: `INVALID_ARGUMENT` if no such array was sent.
  mutating func acknowledge(_ id: Int) throws(StatusError) {
    guard id <= lastID else {
      throw StatusError(.invalidArgument, "AID is \(id), but the last array sent is \(lastID)")
    }
    while let first = arrays.first, first.id <= id {
      byteCount -= first.byteCount
      arrays.removeFirst()
    }
  }

  /// A Boolean value that indicates whether the newest array isn't acknowledged and has no message.
  var endsWithNoop: Bool {
    if case .noop = arrays.last?.content { true } else { false }
  }

  /// Returns the arrays after a number.
  ///
  /// - Throws: `INVALID_ARGUMENT` if one of them was dropped.
  func arrays(after id: Int) throws(StatusError) -> [ChannelArray] {
    let first = lastID - arrays.count
    guard id >= first else {
      throw StatusError(
        .invalidArgument,
        "AID is \(id), but the client has acknowledged the arrays up to \(first)"
      )
    }
    return Array(arrays.dropFirst(id - first))
  }
}
