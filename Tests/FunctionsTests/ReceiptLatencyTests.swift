import Chat
import Core
import FirestoreModel
import FunctionRuntime
import TestKit
import Testing

@testable import sendNotification

/// The decision whether a message's change is a reader's first receipt, whose latency is reported.
struct ReceiptLatencyTests {
  private func isRead(
    from old: Fields?,
    to new: Fields?,
    members: Value = ["sarah", "marco"]
  ) throws -> Bool? {
    let sender: Fields = ["senderId": "sarah", "text": "Hi"]
    func message(_ fields: Fields?) throws -> Document? {
      try fields.map { try ChatDocuments.message(sender.merging($0) { $1 }) }
    }
    let event = DocumentEvent(
      id: "e",
      type: EventType(new == nil ? .deleted : .updated),
      document: try ChatDocuments.message([:]).name,
      time: ChatDocuments.updateTime,
      value: try message(new),
      oldValue: try message(old)
    )
    let conversation = try Conversation(
      ChatDocuments.conversation(["type": "one-on-one", "participants": members])
    )
    return MessageChange.Concern(event)?.isRead(in: conversation)
  }

  static let pairs: [(old: Fields?, new: Fields?, isRead: Bool)] = [
    ([:], ["readBy": ["marco"]], true),
    (["status": "delivered"], ["status": "read"], true),
    ([:], ["readAt": .timestamp(Timestamp(seconds: 7))], true),
    (["status": "sent"], ["status": "read", "readBy": ["sarah", "marco"]], true),
    // The function adds the reader's name to a message that is only marked as read.
    (["status": "read"], ["status": "read", "readBy": ["marco"]], false),
    (["readBy": ["marco"]], ["readBy": ["marco"], "status": "read"], false),
    (["readBy": ["marco"]], ["readBy": ["marco", "marco"]], false),
    (["status": "read"], ["status": "delivered"], false),
    (["readBy": ["marco"]], ["readBy": []], false),
    ([:], ["readBy": ["sarah"]], false),
    ([:], ["readBy": ["eve"]], false),
    ([:], ["readBy": "marco", "status": 7, "readAt": "now"], false),
    ([:], ["text": "Hello"], false),
    (["readBy": []], nil, false),
    (nil, ["readBy": ["marco"]], false),
  ]

  @Test(arguments: pairs)
  func `between two, a change is a receipt if the reader hadn't read the message`(
    old: Fields?,
    new: Fields?,
    isRead: Bool
  ) throws {
    #expect(try self.isRead(from: old, to: new) == isRead)
  }

  @Test func `in a group, only a further reader's name is a receipt`() throws {
    let group: Value = ["sarah", "marco", "lea"]
    let first = try isRead(from: [:], to: ["readBy": ["marco"]], members: group)
    let second = try isRead(
      from: ["readBy": ["marco"], "status": "read"],
      to: ["readBy": ["marco", "lea"], "status": "read"],
      members: group
    )
    let mark = try isRead(from: [:], to: ["status": "read"], members: group)
    #expect([first, second, mark] == [true, true, false])
  }
}
