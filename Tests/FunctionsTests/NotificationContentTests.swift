import Chat
import FirestoreModel
import TestKit
import Testing

@testable import sendNotification

struct NotificationContentTests {
  private static let family = "👩‍👩‍👧‍👦"

  @Test(arguments: [
    ("", 10, ""), ("1234567890", 10, "1234567890"), ("12345678901", 10, "1234567…"),
    ("ééééé", 10, "ééééé"), ("éééééé", 10, "ééé…"), ("éééééé", 8, "éé…"),
    ("你你你你", 11, "你你…"), (family, 25, family), (family + family, 49, family + "…"),
    (family + "a", 25, "…"), ("a" + family, 25, "a…"), ("🇮🇹🇮🇹🇮🇹", 20, "🇮🇹🇮🇹…"),
    ("ae\u{301}e\u{301}", 6, "a…"), ("a\r\nb\r\nc", 6, "a\r\n…"),
  ])
  func `a text is cut between characters as people see them`(
    text: String,
    bytes: Int,
    expected: String
  ) {
    let cut = NotificationContent.cut(text, to: bytes)
    #expect(cut == expected)
    #expect(cut.utf8.count <= bytes)
  }

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

  @Test func `title and body leave room in FCM's 4,096 bytes`() throws {
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
