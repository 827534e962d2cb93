import Chat
import Core
import FirestoreModel
import TestKit
import Testing

struct ConversationHistoryTests {
  private static let time = Timestamp(seconds: 1_700_000_000)

  private func conversation(_ fields: Fields) throws -> Conversation {
    var fields = fields
    fields["participants"] = ["sarah", "marco"]
    return try Conversation(ChatDocuments.conversation(fields))
  }

  private func message(at time: Timestamp?) throws -> Message {
    var fields: Fields = ["senderId": "sarah", "text": "Hello"]
    fields["timestamp"] = time.map(Value.timestamp)
    return Message(try ChatDocuments.message(fields))
  }

  @Test func `a member who joined sees later messages only`() throws {
    let conversation = try conversation(["joinedAt": ["marco": .timestamp(Self.time)]])
    #expect(conversation.historyStart(for: "marco") == Self.time)
    #expect(conversation.shows(try message(at: Self.time), to: "marco"))
    let before = try message(at: Self.time.advanced(by: .microseconds(-1)))
    let timeless = try message(at: nil)
    for message in [before, timeless] {
      #expect(!conversation.shows(message, to: "marco"))
      #expect(conversation.shows(message, to: "sarah"))
    }
    #expect(conversation.historyStart(forReadersOf: before) == nil)
    #expect(conversation.historyStart(forReadersOf: timeless) == nil)
    let later = try message(at: Self.time.advanced(by: .seconds(1)))
    #expect(conversation.historyStart(forReadersOf: later) == Self.time)
  }

  @Test(arguments: [[:], ["joinedAt": .null], ["joinedAt": ["marco": .null]]] as [Fields])
  func `without an entry the history has no start`(fields: Fields) throws {
    let conversation = try conversation(fields)
    #expect(conversation.historyStart(for: "marco") == nil)
    #expect(conversation.shows(try message(at: nil), to: "marco"))
    #expect(!conversation.joined("marco", after: try message(at: nil)))
  }

  @Test(arguments: Value.everyType)
  func `an entry that is no time hides everything`(value: Value) throws {
    let isNone: Bool
    switch value {
    case .null, .timestamp: isNone = true
    default: isNone = false
    }
    let conversation = try conversation(["joinedAt": ["marco": value]])
    #expect(conversation.shows(try message(at: Self.time), to: "marco") == isNone)
    #expect(conversation.joined("marco", after: try message(at: Self.time)) == !isNone)
    #expect(conversation.shows(try message(at: Self.time), to: "sarah"))
  }

  @Test(arguments: Value.everyType)
  func `only the value true opens a conversation's history`(value: Value) throws {
    let conversation = try conversation([
      "joinedAt": ["marco": .timestamp(Self.time)], "settings": ["history": value],
    ])
    #expect((conversation.historyStart(for: "marco") == nil) == (value == true))
    #expect(conversation.joinedAt("marco") == Self.time)
  }
}
