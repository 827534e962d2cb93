import Chat
import Core
import FirestoreModel
import TestKit
import Testing

@testable import sendNotification

struct NotificationLedgerTests {
  private static let now = Timestamp(seconds: 1_700_000_000)

  private func ledger(_ fields: Fields?) throws -> NotificationLedger {
    let document = try ChatDocuments.document("functionEvents/k", fields ?? [:])
    return NotificationLedger(name: document.name, document: fields == nil ? nil : document)
  }

  @Test func `the ledger's name depends on the message's path`() throws {
    let one = NotificationLedger.path(of: Message(try ChatDocuments.message([:])))
    #expect(one.hasPrefix("functionEvents/sendNotification_"))
    #expect(one.utf8.count == "functionEvents/sendNotification_".utf8.count + 64)
    #expect(one != NotificationLedger.path(of: Message(try ChatDocuments.message([:], id: "m2"))))
  }

  static let messages: [(Fields, isSame: Bool)] = [
    (["senderId": "sarah", "clientId": "k"], true),
    (["senderId": "sarah", "tempId": "k"], true),
    (["senderId": "marco", "clientId": "k"], false),
    (["senderId": "sarah", "clientId": "l"], false),
    (["senderId": "sarah", "clientId": 7], false), (["clientId": "k"], false),
    (["senderId": "sarah"], false),
  ]

  @Test(arguments: messages)
  func `messages with one client id of one sender share a ledger`(
    fields: Fields,
    isSame: Bool
  ) throws {
    let first = try ChatDocuments.message(["senderId": "sarah", "clientId": "k"])
    let second = try ChatDocuments.message(fields, id: "m2")
    let keys = [first, second].map { NotificationLedger.key(of: Message($0)) }
    #expect((keys[0] == keys[1]) == isSame)
    let elsewhere = Message(try ChatDocuments.document("conversations/c2/messages/m2", fields))
    #expect(NotificationLedger.key(of: elsewhere) != keys[0])
  }

  @Test func `a ledger knows its message, and when it is too old`() throws {
    let message = try ChatDocuments.message([:]).name
    let write = try #require(
      try ledger(nil).write(outcomes: [:], isComplete: true, message: message, now: Self.now)
    )
    guard case .update(let document) = write.operation else {
      Issue.record("not an update")
      return
    }
    let ledger = NotificationLedger(name: document.name, document: document)
    #expect(!ledger.isOfAnother(than: message))
    #expect(ledger.isOfAnother(than: try ChatDocuments.message([:], id: "m2").name))
    #expect(!ledger.isOfFormer(at: Self.now.advanced(by: .seconds(86_400))))
    #expect(ledger.isOfFormer(at: Self.now.advanced(by: .seconds(86_401))))
  }

  @Test func `the devices of one delivery are known to the next one`() throws {
    let message = try ChatDocuments.message([:]).name
    let write = try #require(
      try ledger(nil).write(
        outcomes: ["token-a": "sent", "token-b": "unregistered"],
        isComplete: false,
        message: message,
        now: Self.now
      )
    )
    guard case .update(let document) = write.operation else {
      Issue.record("not an update")
      return
    }
    let next = NotificationLedger(name: document.name, document: document)
    #expect(next.contains("token-a"))
    #expect(next.contains("token-b"))
    #expect(!next.contains("token-c"))
    #expect(!next.isComplete)
    #expect(document.fields["document"] == "conversations/c1/messages/m1")
    #expect(document.fields["function"] == "sendNotification")
    #expect(
      document.fields["expiresAt"] == .timestamp(Self.now.advanced(by: .seconds(604_800)))
    )
    // The write contains no push token. It keeps the devices that a concurrent delivery has
    // recorded.
    #expect(!(try text(write)).contains("token-"))
    #expect(
      write.updateMask?.fieldPaths.filter { $0.segments[0] == "devices" }.count == 2
    )
    #expect(write.updateMask?.fieldPaths.contains(FieldPath("devices")) == false)
    #expect(write.currentDocument == nil)
  }

  @Test func `a delivery that completed everything marks the ledger complete`() throws {
    let message = try ChatDocuments.message([:]).name
    let write = try #require(
      try ledger(nil).write(outcomes: [:], isComplete: true, message: message, now: Self.now)
    )
    guard case .update(let document) = write.operation else {
      Issue.record("not an update")
      return
    }
    #expect(NotificationLedger(name: document.name, document: document).isComplete)
    #expect(
      write.updateMask?.fieldPaths.map(\.description) == [
        "complete", "document", "expiresAt", "function",
      ]
    )
  }

  @Test func `an incomplete delivery without outcomes writes nothing`() throws {
    let message = try ChatDocuments.message([:]).name
    let ledger = try ledger(nil)
    #expect(
      ledger.write(outcomes: [:], isComplete: false, message: message, now: Self.now) == nil
    )
  }

  @Test(arguments: Value.everyType)
  func `a ledger of any type is read without harm`(value: Value) throws {
    let ledger = try ledger(["devices": value, "complete": value])
    #expect(ledger.isComplete == (value == true))
    #expect(!ledger.contains("token"))
    #expect(try !self.ledger(nil).isComplete)
  }
}
