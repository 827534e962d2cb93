import Chat
import FirestoreModel
import TestKit
import Testing

@testable import sendNotification

struct NotificationContentTests {
  private static let family = "👩‍👩‍👧‍👦"

  private func content(
    _ conversation: Fields,
    sender: Fields? = ["displayName": "Sarah"],
    text: String = "Ciao"
  ) throws -> NotificationContent {
    var fields: Fields = ["participants": ["sarah", "marco"]]
    fields.merge(conversation) { _, new in new }
    return NotificationContent(
      text: text,
      conversation: try Conversation(ChatDocuments.conversation(fields)),
      sender: try sender.map { UserProfile(try ChatDocuments.user("sarah", $0)) }
    )
  }

  private static let group: Fields = ["type": "group", "name": "Trip"]

  @Test func `one-on-one the sender is the title, in a group the group`() throws {
    let alone = try content([:])
    #expect(alone.title == "Sarah")
    #expect(alone.body == "Ciao")
    let named = try content(Self.group)
    #expect(named.title == "Trip")
    #expect(named.body == "Sarah: Ciao")
    #expect(try content(["type": "group"]).title == "Sarah")
    #expect(try content(["name": "Trip"]).title == "Sarah")
  }

  @Test func `a sender without a name is the app`() throws {
    #expect(try content([:], sender: nil).title == "WorldChat")
    #expect(try content([:], sender: ["displayName": ""]).title == "WorldChat")
    #expect(try content(Self.group, sender: ["displayName": 7]).body == "WorldChat: Ciao")
  }

  @Test func `title and body are no longer than a phone shows`() throws {
    let long = String(repeating: Self.family, count: 1_000)
    for conversation in [[:], ["type": "group", "name": .string(long)]] as [Fields] {
      let content = try content(conversation, sender: ["displayName": .string(long)], text: long)
      #expect(content.title.utf8.count <= 200)
      #expect(content.body.utf8.count <= 1_000)
      #expect(content.title.hasSuffix(Self.family + "…"))
      #expect(content.body.hasSuffix(Self.family + "…"))
    }
  }
}
