import Chat
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

  @Test func `the ledger is found by the message's path`() throws {
    let one = NotificationLedger.path(of: try ChatDocuments.message([:]).name)
    #expect(one.hasPrefix("functionEvents/sendNotification_"))
    #expect(one.utf8.count == "functionEvents/sendNotification_".utf8.count + 64)
    #expect(one != NotificationLedger.path(of: try ChatDocuments.message([:], id: "m2").name))
  }

  @Test func `what is written is known to the next delivery`() throws {
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
    // No token is written, and a delivery at the same time keeps its own devices.
    #expect(!(try text(write)).contains("token-"))
    #expect(
      write.updateMask?.fieldPaths.filter { $0.segments[0] == "devices" }.count == 2
    )
    #expect(write.updateMask?.fieldPaths.contains(FieldPath("devices")) == false)
    #expect(write.currentDocument == nil)
  }

  @Test func `a delivery that left nothing to do says so`() throws {
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

  @Test func `a delivery that did nothing and left something says nothing`() throws {
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
