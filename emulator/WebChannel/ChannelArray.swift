import Core

/// A numbered array, the unit in which a channel sends, and which its client acknowledges.
struct ChannelArray: Sendable {
  enum Content: Sendable {
    case message(ChannelMessage)
    /// Nothing, to show that the connection is alive.
    case noop
    /// The end of the channel.
    case close
  }

  /// The array's number, one more than that of the array before it.
  let id: Int
  let content: Content

  var byteCount: Int {
    switch content {
    case .message(let message): message.json.count
    case .noop, .close: 0
    }
  }
}

extension Data {
  /// The size of the messages in a frame, in bytes, above which another frame begins. A client
  /// handles a frame when it is complete, so with small frames a broken connection loses less.
  private static let frameBytes = 16 << 10

  /// Creates frames with all arrays.
  init(framesOf arrays: [ChannelArray]) {
    self.init()
    var frame: [ChannelArray] = []
    var bytes = 0
    for array in arrays {
      frame.append(array)
      bytes += array.byteCount
      guard bytes > Self.frameBytes || array.id == arrays.last?.id else { continue }
      append(Data(frameOf: frame))
      (frame, bytes) = ([], 0)
    }
  }

  /// Creates a frame: the length of a JSON text in UTF-16 code units, a line feed, and the text
  /// with arrays and their numbers, such as `[[1,["noop"]],[2,["close"]]]`.
  private init(frameOf arrays: [ChannelArray]) {
    var text = Data("[".utf8)
    var length = 2
    for (position, array) in arrays.enumerated() {
      let start = position == 0 ? "[\(array.id),[" : ",[\(array.id),["
      text.append(contentsOf: start.utf8)
      length += start.utf8.count + 2
      switch array.content {
      case .message(let message):
        text.append(message.json)
        length += message.length
      case .noop:
        text.append(contentsOf: "\"noop\"".utf8)
        length += 6
      case .close:
        text.append(contentsOf: "\"close\"".utf8)
        length += 7
      }
      text.append(contentsOf: "]]".utf8)
    }
    text.append(UInt8(ascii: "]"))
    self = Data("\(length)\n".utf8) + text
  }

  /// Creates a frame with a text in ASCII.
  init(frameOf text: String) { self = Data("\(text.utf8.count)\n\(text)".utf8) }
}
