import Core
import HTTPClient
import Synchronization

/// Reads server-sent events: the data of each, whatever its name.
///
/// Source: html.spec.whatwg.org, section 9.2.6.
struct EventStream {
  private var line: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var lastWasReturn = false

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

  /// All the events of a body.
  static func events(in body: Data) -> [Data] {
    var stream = EventStream()
    // An end that isn't followed by an empty line completes nothing; it is no event.
    return stream.append(body)
  }
}

/// Puts a model's answer together while its events come.
final class StreamedText: ResponseReceiver {
  private struct State {
    var stream = EventStream()
    var text = ""
    var isAnswer = false
  }

  private let state = Mutex(State())
  private let delta: @Sendable (Data) -> String?
  private let onText: @Sendable (String) -> Void

  /// - Parameters:
  ///   - delta: what an event adds to the answer, nil if nothing.
  ///   - onText: gets all there is of it, each time it has grown.
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
    // Each of them, however many came in one piece: what is told doesn't hang on the network.
    for text in texts { onText(text) }
  }
}

extension HTTPResponse {
  var isEventStream: Bool {
    self["content-type"]?.lowercased().hasPrefix("text/event-stream") ?? false
  }
}
