import Chat
import Core
import FirestoreModel
import TestKit
import Testing

@testable import sendNotification

struct LastMessageTests {
  private static func time(_ seconds: Int64) -> Value { .timestamp(Timestamp(seconds: seconds)) }

  private func write(_ shown: Fields, _ message: Fields, id: String = "m5") throws -> Write? {
    LastMessage.write(
      for: NewestMessages([try ChatDocuments.message(message, id: id)]),
      in: try ChatDocuments.conversation(shown)
    )
  }

  static let shown: [(Fields, moves: Bool)] = [
    ([:], true),
    (["lastMessageAt": time(9), "lastMessageId": "m9"], true),
    (["lastMessageAt": time(11), "lastMessageId": "m1"], false),
    // The last message in the conversation has the same time as the newest message that was read.
    // It wasn't read itself, so it may be the later message.
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

  @Test func `the message written last in a batch with one time becomes the last message`() throws {
    let batch = try [("zz1", 1), ("mm2", 2), ("aa3", 3), ("kk4", 4), ("bb5", 5)].map {
      (id: String, written: Int64) in
      try ChatDocuments.message(
        ["text": .string(id), "timestamp": Self.time(10), "clientTimestamp": Self.time(written)],
        id: id
      )
    }
    for shownID in ["zz1", "mm2", "aa3", "kk4"] {
      let write = LastMessage.write(
        for: NewestMessages(batch),
        in: try ChatDocuments.conversation([
          "lastMessageAt": Self.time(10), "lastMessageId": .string(shownID),
        ])
      )
      guard case .update(let document) = write?.operation else {
        Issue.record("no update if the last message is \(shownID)")
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

  @Test func `the message that becomes the last one must still exist`() throws {
    let document = try ChatDocuments.message(["text": "Hello", "timestamp": Self.time(10)])
    let conversation = try ChatDocuments.conversation([:])
    let writes = LastMessage.writes(for: NewestMessages([document]), in: conversation)
    #expect(writes.count == 2)
    #expect(writes.last == Write(.verify(document.name), currentDocument: .exists(true)))
    #expect(LastMessage.writes(for: NewestMessages([]), in: conversation) == [])
  }

  // MARK: Repairs

  private static let second: Fields = [
    "lastMessage": "two", "lastMessageAt": time(20), "lastMessageId": "m2",
    "lastMessageSenderId": "sarah", "lastMessageType": "text",
  ]

  private func repairs(
    after id: String,
    isGone: Bool,
    shown: Fields = Self.second,
    messages: [(id: String, text: String, time: Int64)]
  ) throws -> Fields? {
    let documents = try messages.map {
      try ChatDocuments.message(
        ["senderId": "sarah", "text": .string($0.text), "timestamp": Self.time($0.time)],
        id: $0.id
      )
    }
    let writes = LastMessage.repairs(
      after: try ChatDocuments.message([:], id: id).name,
      isGone: isGone,
      newest: NewestMessages(documents),
      in: try ChatDocuments.conversation(shown)
    )
    guard let write = writes.first else { return nil }
    guard case .update(let document) = write.operation else { return nil }
    #expect(write.updateMask?.fieldPaths.count == 5)
    #expect(write.currentDocument == .updateTime(ChatDocuments.updateTime))
    #expect(writes.count == (documents.isEmpty ? 1 : 2))
    return document.fields
  }

  @Test func `a deleted last message is replaced by the one before, or by none`() throws {
    let first = (id: "m1", text: "one", time: Int64(10))
    #expect(
      try repairs(after: "m2", isGone: true, messages: [first]) == [
        "lastMessage": "one", "lastMessageAt": Self.time(10), "lastMessageId": "m1",
        "lastMessageSenderId": "sarah", "lastMessageType": "text",
      ]
    )
    #expect(try repairs(after: "m2", isGone: true, messages: []) == [:])
    // The event isn't about the last message, so the last message stays the same.
    #expect(try repairs(after: "m1", isGone: true, messages: [first]) == nil)
    #expect(try repairs(after: "m2", isGone: true, shown: [:], messages: [first]) == nil)
  }

  @Test func `an edit changes the last message and nothing else`() throws {
    let edited = [(id: "m2", text: "zwei", time: Int64(20)), (id: "m1", text: "eins", time: 10)]
    #expect(try repairs(after: "m2", isGone: false, messages: edited)?["lastMessage"] == "zwei")
    #expect(try repairs(after: "m1", isGone: false, messages: edited) == nil)
    let same = [(id: "m2", text: "two", time: Int64(20))]
    #expect(try repairs(after: "m2", isGone: false, messages: same) == nil)
    // The event of an edit may arrive before the event of the creation.
    #expect(
      try repairs(after: "m2", isGone: false, shown: [:], messages: edited)?["lastMessageId"]
        == "m2"
    )
    let later: Fields = ["lastMessageAt": Self.time(30), "lastMessageId": "m3"]
    #expect(try repairs(after: "m2", isGone: false, shown: later, messages: edited) == nil)
  }

  @Test func `the write changes five fields of the conversation that was read`() throws {
    let write = try #require(
      try write(["name": "Trip"], ["text": "Hello", "timestamp": Self.time(10)])
    )
    #expect(write.name.path.description == "conversations/c1")
    #expect(
      write.updateMask?.fieldPaths.map(\.description) == [
        "lastMessage", "lastMessageAt", "lastMessageId", "lastMessageSenderId", "lastMessageType",
      ]
    )
    guard case .update(let document) = write.operation else {
      Issue.record("not an update")
      return
    }
    #expect(
      document.fields == [
        "lastMessage": "Hello", "lastMessageAt": Self.time(10), "lastMessageId": "m5",
        "lastMessageType": "text",
      ]
    )
    #expect(write.currentDocument == .updateTime(ChatDocuments.updateTime))
  }

  static let kinds: [(Fields, text: Value, type: Value)] = [
    (["text": "Hello"], "Hello", "text"),
    (["mediaURL": "https://example.com/a.jpg"], "📷 Photo", "photo"),
    (["mediaURL": "https://example.com/a.jpg", "language": "it"], "📷 Foto", "photo"),
    (["mediaURL": "https://example.com/a", "mediaType": "audio/mp4"], "🎤 Voice message", "audio"),
    (["mediaURL": "https://example.com/a.mov", "text": "Look!"], "Look!", "video"),
    (["mediaURL": "https://example.com/a.pdf", "text": " "], "📎 File", "file"),
    (["mediaURL": 7, "text": "Hello"], "Hello", "text"),
  ]

  @Test(arguments: kinds)
  func `an attachment is named, in the message's language`(
    message: Fields,
    text: Value,
    type: Value
  ) throws {
    let fields = message.merging(["timestamp": Self.time(10), "senderId": "marco"]) { $1 }
    let write = try #require(try write([:], fields))
    guard case .update(let document) = write.operation else {
      Issue.record("not an update")
      return
    }
    #expect(document.fields["lastMessage"] == text)
    #expect(document.fields["lastMessageType"] == type)
    #expect(document.fields["lastMessageSenderId"] == "marco")
  }
}
