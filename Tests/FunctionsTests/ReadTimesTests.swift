import Chat
import Core
import FirestoreModel
import TestKit
import Testing

@testable import sendNotification

/// The times up to which readers have read, and counting from them.
struct ReadTimesTests {
  private let group: Conversation

  init() throws {
    group = try Conversation(
      ChatDocuments.conversation([
        "type": "group", "participants": ["sarah", "marco", "ana"],
        "joinedAt": .map(["ana": .timestamp(Timestamp(seconds: 25))]),
      ])
    )
  }

  /// Returns a message of Sarah's, if the fields name no other sender.
  private func message(_ second: Int64, _ fields: Fields = [:]) throws -> Document {
    let all: Fields = [
      "senderId": "sarah", "text": "x", "timestamp": .timestamp(Timestamp(seconds: second)),
    ]
    return try ChatDocuments.message(all.merging(fields) { $1 }, id: "m\(second)")
  }

  /// Returns times as readers' inboxes store them.
  private func times(_ fields: KeyValuePairs<String, Value?>) throws -> ReadTimes {
    ReadTimes(
      try fields.map { uid, value in
        let inbox = try ChatDocuments.document("users/\(uid)/inbox/c1", ["unread": 0])
        return (uid, Document(name: inbox.name, fields: value.map { ["readUpTo": $0] } ?? [:]))
      }
    )
  }

  private static let read: Fields = ["readBy": ["marco"]]

  /// The newest messages first: their seconds, with whether Marco has read them.
  static let readings: [([(Int64, Bool)], unread: Int, Timestamp)] = [
    ([(30, true), (20, true)], 0, Timestamp(seconds: 30)),
    ([(30, false), (20, true)], 1, Timestamp(seconds: 30).justBefore),
    ([(30, true), (20, false)], 1, Timestamp(seconds: 20).justBefore),
    ([(30, false), (20, true), (10, false)], 2, Timestamp(seconds: 10).justBefore),
  ]

  @Test(arguments: readings)
  func `a reader has read up to the oldest unread message`(
    messages: [(Int64, Bool)],
    unread: Int,
    time: Timestamp
  ) throws {
    let newest = try NewestMessages(messages.map { try message($0, $1 ? Self.read : [:]) })
    #expect(newest.unread(by: "marco", in: group) == unread)
    #expect(newest.readUpTo(by: "marco", in: group) == time)
  }

  @Test func `own messages and those from before a reader joined move the time forward`() throws {
    let newest = try NewestMessages([message(30, ["senderId": "marco"]), message(20, Self.read)])
    #expect(newest.readUpTo(by: "marco", in: group) == Timestamp(seconds: 30))
    #expect(
      try NewestMessages([message(20)]).readUpTo(by: "ana", in: group) == Timestamp(seconds: 20)
    )
  }

  @Test func `messages up to the time don't count, whether they were read or not`() throws {
    let times = try times(["marco": .timestamp(Timestamp(seconds: 20))])
    let found = try [message(30), message(20), message(10)]
    let newest = NewestMessages(found, since: times)
    #expect(newest.unread(by: "marco", in: group) == 1)
    #expect(newest.readUpTo(by: "marco", in: group) == Timestamp(seconds: 30).justBefore)
    #expect(NewestMessages([], since: times).readUpTo(by: "marco", in: group) == times["marco"])
    #expect(NewestMessages([]).readUpTo(by: "marco", in: group) == nil)
  }

  @Test func `the time doesn't separate two copies of a message`() throws {
    // The message at 20 is unread. Without the copy at 10, the one at 30 would seem unread, too.
    let key: Fields = ["clientId": "k"]
    let found = try [
      message(30, key), message(20), message(10, key.merging(Self.read) { $1 }),
      message(5, Self.read),
    ]
    let newest = NewestMessages(found)
    #expect(newest.unread(by: "marco", in: group) == 1)
    #expect(newest.readUpTo(by: "marco", in: group) == Timestamp(seconds: 10).justBefore)
  }

  @Test func `a reader who has read the twentieth message has read all older ones`() throws {
    var found = try (0..<30).map { try message(100 - $0) }
    found[19] = try message(81, Self.read)
    let newest = NewestMessages(found)
    #expect(newest.unread(by: "marco", in: group) == 19)
    #expect(newest.readUpTo(by: "marco", in: group) == Timestamp(seconds: 82).justBefore)
  }

  @Test func `the time stays while there may be older unread messages than those read`() throws {
    let window = try (0..<100).map { try message(200 - $0) }
    let times = try times(["marco": .timestamp(Timestamp(seconds: 20))])
    #expect(NewestMessages(window, since: times).readUpTo(by: "marco", in: group) == times["marco"])
    #expect(NewestMessages(window).readUpTo(by: "marco", in: group) == nil)
  }

  @Test(arguments: Value.everyType)
  func `only a time counts as one`(value: Value) throws {
    #expect(try times(["marco": value]).earliest == value.timestampValue)
  }

  @Test func `messages are read from the earliest time, or all if a reader has none`() throws {
    let (early, late) = (Timestamp(seconds: 10), Timestamp(seconds: 20))
    #expect(try times(["marco": .timestamp(late), "ana": .timestamp(early)]).earliest == early)
    #expect(try times(["marco": .timestamp(late), "ana": nil]).earliest == nil)
    #expect(ReadTimes().earliest == nil)
  }

  @Test func `an unread message from before a time moves the time back`() throws {
    var times = try times([
      "marco": .timestamp(Timestamp(seconds: 20)), "ana": .timestamp(Timestamp(seconds: 10)),
    ])
    let late = try Message(message(15))
    times.moveBack(before: late) { $0 != "marco" }
    #expect(times["marco"] == Timestamp(seconds: 20))
    #expect(times.earliest == Timestamp(seconds: 10))
    times.moveBack(before: late)
    // The time may lie between two copies of a message now, so older messages have to be read, too.
    #expect(times.earliest == nil)
    #expect(times["marco"] == Timestamp(seconds: 15).justBefore)
    #expect(times["ana"] == Timestamp(seconds: 10))
  }
}
