import Core
import Foundation
import Testing

@testable import WebChannel

struct OutboxTests {
  @Test func arraysAreNumberedFromOneAndKeptUntilTheyAreAcknowledged() throws {
    var outbox = Outbox()
    for text in ["1", "22", "333"] {
      outbox.append(.message(ChannelMessage(json: Data(text.utf8))))
    }
    #expect(outbox.lastID == 3 && outbox.byteCount == 6)
    #expect(try outbox.arrays(after: 1).map(\.id) == [2, 3])
    try outbox.acknowledge(2)
    #expect(outbox.byteCount == 3)
    // A late request may acknowledge less.
    try outbox.acknowledge(1)
    #expect(try outbox.arrays(after: 2).map(\.id) == [3])
    #expect(try outbox.arrays(after: 3).isEmpty)
  }

  @Test func whatWasDroppedCantBeSentAgain() throws {
    var outbox = Outbox()
    for _ in 0..<3 { outbox.append(.noop) }
    try outbox.acknowledge(2)
    #expect(throws: StatusError.self) { try outbox.arrays(after: 1) }
    #expect(throws: StatusError.self) { try outbox.acknowledge(4) }
  }
}

struct ChannelArrayTests {
  private func frames(_ contents: ChannelArray.Content...) -> String {
    let arrays = contents.enumerated().map { ChannelArray(id: $0 + 1, content: $1) }
    return String(decoding: Data(framesOf: arrays), as: UTF8.self)
  }

  private func message(_ text: String) -> ChannelArray.Content {
    .message(ChannelMessage(json: Data(text.utf8)))
  }

  @Test func aFrameBeginsWithItsLengthInUTF16CodeUnits() {
    #expect(frames(.noop) == "14\n[[1,[\"noop\"]]]")
    #expect(frames(message("{}"), .close) == "24\n[[1,[{}]],[2,[\"close\"]]]")
    let text = "\"é日😀\""
    let frame = frames(message(text))
    #expect(frame == "\(text.utf16.count + 8)\n[[1,[\(text)]]]")
  }

  @Test func manyMessagesAreSplitIntoFrames() {
    let long = "\"" + String(repeating: "x", count: 10_000) + "\""
    let text = frames(message(long), message(long), message(long))
    #expect(text.matches(of: /[0-9]+\n\[\[/).count == 2)
  }
}
