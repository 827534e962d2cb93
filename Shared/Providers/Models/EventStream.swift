import Core
import HTTPClient
import Synchronization

/// A parser of server-sent events that returns each event's data and ignores its name.
///
/// Source: html.spec.whatwg.org, section 9.2.6.
struct EventStream {
  private var line: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var lastWasReturn = false

  /// Parses the next bytes of the stream.
  ///
  /// - Returns: the data of the events that these bytes complete.
  mutating func append(_ bytes: some Sequence<UInt8>) -> [Data] {
    var events: [Data] = []
    for byte in bytes {
      let isPair = lastWasReturn && byte == 0x0A
      lastWasReturn = byte == 0x0D
      if isPair { continue }
      guard byte == 0x0A || byte == 0x0D else {
        line.append(byte)
        continue
      }
      if let event = endLine() { events.append(event) }
    }
    return events
  }

  private mutating func endLine() -> Data? {
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty else {
      defer {
        data = []
        hasData = false
      }
      return hasData ? Data(data) : nil
    }
    let field = Array("data:".utf8)
    guard line.starts(with: field) else { return nil }
    if hasData { data.append(0x0A) }
    let value = line.dropFirst(field.count)
    data += value.first == 0x20 ? value.dropFirst() : value
    hasData = true
    return nil
  }

  /// Returns all events of a body.
  static func events(in body: Data) -> [Data] {
    var stream = EventStream()
    // Without a final empty line, the last event is incomplete and is dropped.
    return stream.append(body)
  }
}

/// A receiver that assembles a model's answer from its events while they arrive.
final class StreamedText: ResponseReceiver {
  private struct State {
    var stream = EventStream()
    var text = ""
    var isAnswer = false
  }

  private let state = Mutex(State())
  private let delta: @Sendable (Data) -> String?
  private let onText: @Sendable (String) -> Void

  /// Creates a receiver.
  ///
  /// - Parameters:
  ///   - delta: a closure that returns the text that an event adds to the answer, or `nil`.
  ///   - onText: a closure that receives the whole answer so far, each time more has arrived.
  init(
    delta: @escaping @Sendable (Data) -> String?,
    onText: @escaping @Sendable (String) -> Void
  ) {
    self.delta = delta
    self.onText = onText
  }

  func begin(status: Int, headers: [HTTPHeader]) {
    state.withLock { state in
      state = State()
      state.isAnswer = status == 200
    }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) {
    let texts = state.withLock { state -> [String] in
      guard state.isAnswer else { return [] }
      return state.stream.append(bytes).compactMap(delta).map { delta in
        state.text += delta
        return state.text
      }
    }
    // Every step is reported, even if several arrived at once, so that the number of calls doesn't
    // depend on the network.
    for text in texts { onText(text) }
  }
}

extension HTTPResponse {
  var isEventStream: Bool {
    self["content-type"]?.lowercased().hasPrefix("text/event-stream") ?? false
  }
}
