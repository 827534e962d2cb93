import Chat
import FirestoreModel
import TestKit
import Testing

@testable import sendNotification

struct LastMessageTests {
  private static func time(_ seconds: Int64) -> Value { .timestamp(Timestamp(seconds: seconds)) }

  private func write(_ shown: Fields, _ message: Fields, id: String = "m5") throws -> Write? {
    LastMessage.write(
      for: NewestMessages([], including: Message(try ChatDocuments.message(message, id: id))),
      in: try ChatDocuments.conversation(shown)
    )
  }

  static let shown: [(Fields, moves: Bool)] = [
    ([:], true),
    (["lastMessageAt": time(9), "lastMessageId": "m9"], true),
    (["lastMessageAt": time(11), "lastMessageId": "m1"], false),
    // Of the same instant, and not among those that were looked at: it may be the later one.
    (["lastMessageAt": time(10), "lastMessageId": "m4"], false),
    (["lastMessageAt": time(10), "lastMessageId": "m5"], false),
    (["lastMessageAt": time(10), "lastMessageId": "m6"], false),
    (["lastMessageAt": time(10)], true),
    (["lastMessageAt": time(10), "lastMessageId": 7], true),
    (["lastMessageAt": "yesterday", "lastMessageId": "m9"], true),
    (["lastMessageAt": .null, "lastMessageId": "m9"], true),
    (
      [
        "lastMessageAt": .timestamp(Timestamp(seconds: 10, nanoseconds: 1)),
        "lastMessageId": "m1",
      ], false
    ),
  ]

  @Test(arguments: shown)
  func `the last message moves forward only, by time and then by id`(
    shown: Fields,
    moves: Bool
  ) throws {
    let write = try write(shown, ["text": "Hello", "timestamp": Self.time(10)])
    #expect((write != nil) == moves)
  }

  @Test func `of a batch, which has one time, the last one written is the last message`() throws {
    let batch = try [("zz1", 1), ("mm2", 2), ("aa3", 3), ("kk4", 4), ("bb5", 5)].map {
      (id: String, written: Int64) in
      try ChatDocuments.message(
        ["text": .string(id), "timestamp": Self.time(10), "clientTimestamp": Self.time(written)],
        id: id
      )
    }
    for shownID in ["zz1", "mm2", "aa3", "kk4"] {
      let write = LastMessage.write(
        for: NewestMessages(batch, including: Message(batch[0])),
        in: try ChatDocuments.conversation([
          "lastMessageAt": Self.time(10), "lastMessageId": .string(shownID),
        ])
      )
      guard case .update(let document) = write?.operation else {
        Issue.record("no update from \(shownID)")
        continue
      }
      #expect(document.fields["lastMessageId"] == "bb5")
      #expect(document.fields["lastMessage"] == "bb5")
    }
  }

  @Test(arguments: Value.everyType.filter { $0.timestampValue == nil })
  func `a message without a time can't be the last one`(timestamp: Value) throws {
    #expect(try write([:], ["text": "Hello", "timestamp": timestamp]) == nil)
    #expect(try write([:], ["text": "Hello"]) == nil)
  }

  @Test func `the write touches three fields of the conversation that was read`() throws {
    let write = try #require(
      try write(["name": "Trip"], ["text": "Hello", "timestamp": Self.time(10)])
    )
    #expect(write.name.path.description == "conversations/c1")
    #expect(
      write.updateMask?.fieldPaths.map(\.description) == [
        "lastMessage", "lastMessageAt", "lastMessageId",
      ]
    )
    guard case .update(let document) = write.operation else {
      Issue.record("not an update")
      return
    }
    #expect(
      document.fields == [
        "lastMessage": "Hello", "lastMessageAt": Self.time(10), "lastMessageId": "m5",
      ]
    )
    #expect(write.currentDocument == .updateTime(ChatDocuments.updateTime))
  }
}
