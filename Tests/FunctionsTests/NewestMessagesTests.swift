import Chat
import Core
import FirestoreModel
import TestKit
import Testing

@testable import sendNotification

struct NewestMessagesTests {
  private func messages(_ list: [(String, [Value])]) throws -> [Document] {
    try list.enumerated().map { index, message in
      try ChatDocuments.message(
        ["senderId": .string(message.0), "text": "x", "readBy": .array(message.1)],
        id: "m\(index)"
      )
    }
  }

  /// A group, in which only `readBy` says who has read a message.
  private static func group(joinedAt: Fields = [:]) throws -> Conversation {
    try Conversation(
      ChatDocuments.document(
        "conversations/c1",
        ["type": "group", "participants": ["sarah", "marco", "ana"], "joinedAt": .map(joinedAt)]
      )
    )
  }

  private let group: Conversation

  init() throws { group = try Self.group() }

  private func message(_ id: String, from sender: String = "sarah") throws -> Message {
    Message(try ChatDocuments.message(["senderId": .string(sender), "text": "x"], id: id))
  }

  @Test func `others' messages that the reader hasn't read are unread`() throws {
    let newest = try messages([
      ("sarah", []), ("sarah", ["marco"]), ("marco", []), ("ana", ["sarah", "sarah"]),
      ("ana", ["marco", 7]),
    ])
    let counts = try NewestMessages(newest, including: message("m0"))
    #expect(counts.unread(by: "marco", in: group) == 2)
    #expect(counts.unread(by: "sarah", in: group) == 2)
    #expect(counts.unread(by: "ana", in: group) == 3)
    #expect(counts.unread(by: "nobody", in: group) == 5)
  }

  @Test func `the message itself counts once, even before it has a timestamp`() throws {
    #expect(try NewestMessages([], including: message("m9")).unread(by: "marco", in: group) == 1)
    let newest = try messages([("sarah", [])])
    #expect(
      try NewestMessages(newest, including: message("m0")).unread(by: "marco", in: group) == 1
    )
    #expect(
      try NewestMessages(newest, including: message("m9")).unread(by: "marco", in: group) == 2
    )
  }

  @Test func `a message whose timestamp is of another type counts once`() throws {
    let fields: Fields = [
      "senderId": "sarah", "text": "x", "timestamp": "today",
      "serverTimestamp": .timestamp(Timestamp(seconds: 1)),
    ]
    let message = Message(try ChatDocuments.message(fields, id: "m9"))
    #expect(message.missingTimestamp == Timestamp(seconds: 1))
    #expect(NewestMessages([], including: message).unread(by: "marco", in: group) == 1)
    let newest = NewestMessages([message.document], including: message)
    #expect(newest.unread(by: "marco", in: group) == 1)
  }

  @Test(arguments: Value.everyType)
  func `messages with members of any type are counted without harm`(value: Value) throws {
    let document = try ChatDocuments.message(["senderId": value, "text": "x", "readBy": value])
    let counts = try NewestMessages([document], including: message("m1"))
    #expect(counts.unread(by: "marco", in: group) == 1)
  }

  @Test func `the newest messages are queried in two parts, with only the needed fields`() throws {
    let query = { (limit: Int, start: String, filter: String) in
      #"{"from":[{"collectionId":"texts"}],"limit":\#(limit),"#
        + #""orderBy":[{"direction":"DESCENDING","field":{"fieldPath":"timestamp"}},"#
        + #"{"direction":"DESCENDING","field":{"fieldPath":"__name__"}}],"#
        + #""select":{"fields":[{"fieldPath":"senderId"},{"fieldPath":"readBy"},"#
        + #"{"fieldPath":"readAt"},{"fieldPath":"status"},"#
        + #"{"fieldPath":"text"},{"fieldPath":"timestamp"},{"fieldPath":"clientTimestamp"},"#
        + #"{"fieldPath":"clientId"},{"fieldPath":"tempId"},{"fieldPath":"language"},"#
        + #"{"fieldPath":"mediaURL"},{"fieldPath":"mediaType"}]}\#(start)\#(filter)}"#
    }
    #expect(try text(NewestMessages.query("texts")) == query(20, "", ""))
    #expect(
      try text(NewestMessages.query("texts", since: Timestamp(seconds: 7)))
        == query(
          20,
          "",
          #","where":{"fieldFilter":{"field":{"fieldPath":"timestamp"},"op":"GREATER_THAN","#
            + #""value":{"timestampValue":"1970-01-01T00:00:07Z"}}}"#
        )
    )
    let oldest = try ChatDocuments.message(
      ["timestamp": .timestamp(Timestamp(seconds: 7))],
      id: "m1"
    )
    #expect(
      try text(NewestMessages.query("texts", after: oldest))
        == query(
          80,
          #","startAt":{"before":false,"values":[{"timestampValue":"1970-01-01T00:00:07Z"},"#
            + #"{"referenceValue":"\#(oldest.name)"}]}"#,
          ""
        )
    )
  }

  @Test func `reading the oldest message of others means having read all older ones`() throws {
    func part(_ count: Int, oldest: (String, [Value])) throws -> [Document] {
      try messages(Array(repeating: ("sarah", []), count: count - 1) + [oldest])
    }
    #expect(NewestMessages.suffices([], for: ["marco"], in: group))
    #expect(try NewestMessages.suffices(part(19, oldest: ("sarah", [])), for: ["marco"], in: group))
    #expect(
      try NewestMessages.suffices(part(20, oldest: ("sarah", ["marco"])), for: ["marco"], in: group)
    )
    // If Marco sent the oldest message, that doesn't show that he has read the older ones.
    #expect(
      try !NewestMessages.suffices(part(20, oldest: ("marco", [])), for: ["marco"], in: group)
    )
    let own = try messages(Array(repeating: ("marco", []), count: 20))
    #expect(!NewestMessages.suffices(own, for: ["marco"], in: group))
    let read = try messages(
      Array(repeating: ("sarah", []), count: 18) + [("sarah", ["marco"]), ("marco", [])]
    )
    #expect(NewestMessages.suffices(read, for: ["marco"], in: group))
    #expect(
      try !NewestMessages.suffices(part(20, oldest: ("sarah", [])), for: ["marco"], in: group)
    )
    #expect(
      try !NewestMessages.suffices(
        part(20, oldest: ("sarah", ["marco"])),
        for: ["marco", "ana"],
        in: group
      )
    )
  }

  private func timed(_ id: String, _ time: Int64, _ fields: Fields = [:]) throws -> Document {
    let all: Fields = [
      "senderId": "sarah", "text": "x", "timestamp": .timestamp(Timestamp(seconds: time)),
    ]
    return try ChatDocuments.message(all.merging(fields) { $1 }, id: id)
  }

  @Test func `a message without text and attachment doesn't count, and isn't the last one`() throws
  {
    let newest = try NewestMessages([
      timed("m3", 30, ["text": " "]), timed("m2", 20, ["text": "", "mediaURL": "https://a/b.jpg"]),
      timed("m1", 10),
    ])
    #expect(newest.unread(by: "marco", in: group) == 2)
    #expect(newest.last?.document.name.id == "m2")
    #expect(newest.last(for: "marco", in: group)?.document.name.id == "m2")
  }

  @Test func `a reader's last message is one since the reader joined`() throws {
    let newest = try NewestMessages([timed("m2", 20), timed("m1", 10)])
    let group = try Self.group(joinedAt: [
      "marco": .timestamp(Timestamp(seconds: 21)), "ana": .timestamp(Timestamp(seconds: 15)),
    ])
    #expect(newest.last(for: "marco", in: group) == nil)
    #expect(newest.last(for: "ana", in: group)?.document.name.id == "m2")
  }

  @Test func `a message that was sent twice counts once, and is read with either copy`() throws {
    let day: Int64 = 86_400
    func unread(_ fields: [Fields], seconds: Int64 = 1) throws -> Int {
      let found = try fields.enumerated().map { index, fields in
        try timed("m\(index)", 10 * day - Int64(index) * seconds, fields)
      }
      return NewestMessages(found).unread(by: "marco", in: group)
    }
    #expect(try unread([["clientId": "k"], ["clientId": "k"]]) == 1)
    #expect(try unread([["clientId": "k"], ["tempId": "k"], ["clientId": "l"]]) == 2)
    #expect(try unread([["clientId": "k"], ["clientId": "k", "readBy": ["marco"]]]) == 0)
    #expect(try unread([["clientId": "k"], ["clientId": "k", "senderId": "ana"]]) == 2)
    #expect(try unread([["clientId": "k"], ["clientId": "k"]], seconds: day) == 2)
    #expect(try unread([["clientId": 7], ["clientId": 7]]) == 2)
  }

  @Test func `messages from before a reader joined don't count`() throws {
    let found = try [timed("m3", 30), timed("m2", 20), timed("m1", 10)]
    let newest = NewestMessages(found)
    for (joined, count) in [(5, 3), (10, 3), (11, 2), (20, 2), (31, 0)] as [(Int64, Int)] {
      let group = try Self.group(joinedAt: ["marco": .timestamp(Timestamp(seconds: joined))])
      #expect(newest.unread(by: "marco", in: group) == count)
    }
    let part = try (0..<20).map { try timed("m\($0)", 100 - Int64($0)) }
    let joined = try Self.group(joinedAt: ["marco": .timestamp(Timestamp(seconds: 82))])
    #expect(NewestMessages.suffices(part, for: ["marco"], in: joined))
    #expect(!NewestMessages.suffices(part, for: ["ana"], in: joined))
  }

  @Test func `a message is deleted if it is missing where it would be found`() throws {
    let part = try (0..<20).map { try timed("m\($0)", 100 - Int64($0)) }
    #expect(try NewestMessages([]).lacks(Message(timed("x", 5))))
    #expect(try NewestMessages(part).lacks(Message(timed("x", 90))))
    #expect(try !NewestMessages(part).lacks(Message(timed("x", 5))))
    #expect(!NewestMessages(part).lacks(Message(part[7])))
    #expect(try !NewestMessages(part).lacks(message("without-a-time")))
  }

  // MARK: The badge

  static let inboxes: [(Fields, Int)] = [
    ([:], 3), (["c2": 4, "c3": 5], 12), (["c1": 90, "c2": 4], 7), (["c2": -4], 3),
    (["c2": "4", "c3": .null, "c4": .double(2)], 3), (["c2": 100], 103), (["c2": 101], 103),
    (["c2": .integer(.max), "c3": .integer(.max)], 203), (["c2": .integer(.min)], 3),
  ]

  @Test(arguments: inboxes)
  func `the badge is the inbox's sum, with this conversation's new count`(
    inbox: Fields,
    badge: Int
  ) throws {
    let state = RecipientState(
      name: try ChatDocuments.user("marco", [:]).name,
      devices: Devices(documents: [], profile: nil),
      inbox: try inbox.map {
        try ChatDocuments.document("users/marco/inbox/\($0)", ["unread": $1])
      }
    )
    #expect(state.badge(unread: 3, in: "c1") == badge)
  }
}
