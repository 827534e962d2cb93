import Core
import FirestoreClient
import FirestoreModel
import TestKit
import Testing

@testable import sendNotification

struct WriteChunksTests {
  private static let time = ChatDocuments.updateTime

  private func inbox(_ number: Int, _ precondition: Precondition) throws -> Write {
    Write(
      .update(try ChatDocuments.document("users/u\(number)/inbox/c1", ["unread": 1])),
      currentDocument: precondition
    )
  }

  private func chunks(_ writes: [Write], isMissing: Bool = false) throws -> [[Write]] {
    let conversation = try ChatDocuments.conversation([:])
    let snapshot = Snapshot(
      of: [conversation.name],
      documents: isMissing ? [:] : [conversation.name: conversation],
      clock: ClockReading(Self.time, askedAt: .now)
    )
    return Array(WriteChunks(writes, of: conversation.name, since: snapshot))
  }

  private func condition(_ precondition: Precondition = .updateTime(time)) throws -> Write {
    Write(.verify(try ChatDocuments.conversation([:]).name), currentDocument: precondition)
  }

  @Test func `changes of inboxes need no other condition, and no writes make no chunk`() throws {
    #expect(try chunks([]) == [])
    let writes = [try inbox(1, .updateTime(Self.time)), try inbox(2, .updateTime(Self.time))]
    #expect(try chunks(writes) == [writes])
  }

  @Test func `each chunk that creates or deletes an inbox requires the conversation unchanged`()
    throws
  {
    let change = try inbox(0, .updateTime(Self.time))
    let removal = Write(.delete(change.name), currentDocument: .updateTime(Self.time))
    for write in [try inbox(1, .exists(false)), removal] {
      #expect(try chunks([change, write]) == [[try condition(), change, write]])
      #expect(try chunks([write], isMissing: true) == [[try condition(.exists(false)), write]])
      let parts = try chunks(Array(repeating: change, count: 900) + [write])
      #expect(parts.map(\.count) == [400, 400, 102])
      #expect(parts[2].first == (try condition()))
    }
  }

  @Test func `a write of the conversation carries the condition itself`() throws {
    let write = try inbox(1, .exists(false))
    let last = Write(
      .update(try ChatDocuments.conversation(["lastMessage": "Hello"])),
      currentDocument: .updateTime(Self.time)
    )
    #expect(try chunks([write, last]) == [[write, last]])
  }
}
