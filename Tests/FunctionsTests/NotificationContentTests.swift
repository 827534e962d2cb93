import Chat
import Core
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

  @Test func `the title is the sender one-on-one, and the group in a group`() throws {
    let alone = try content([:])
    #expect(alone.title == "Sarah")
    #expect(alone.body == "Ciao")
    let named = try content(Self.group)
    #expect(named.title == "Trip")
    #expect(named.body == "Sarah: Ciao")
    #expect(try content(["type": "group"]).title == "Sarah")
    #expect(try content(["name": "Trip"]).title == "Sarah")
  }

  @Test func `a sender without a name is shown as the app`() throws {
    #expect(try content([:], sender: nil).title == "WorldChat")
    #expect(try content([:], sender: ["displayName": ""]).title == "WorldChat")
    #expect(try content(Self.group, sender: ["displayName": 7]).body == "WorldChat: Ciao")
  }

  @Test func `without a preview a reader sees only the sender or the group`() throws {
    let conversation = { (fields: Fields) in
      try Conversation(
        ChatDocuments.conversation(["participants": []].merging(fields) { $1 })
      )
    }
    let sender = UserProfile(try ChatDocuments.user("sarah", ["displayName": "Sarah"]))
    for (fields, title) in [([:], "Sarah"), (Self.group, "Trip")] as [(Fields, String)] {
      let content = NotificationContent(
        text: "Nuovo messaggio",
        isHidden: true,
        conversation: try conversation(fields),
        sender: sender
      )
      #expect((content.title, content.body) == (title, "Nuovo messaggio"))
    }
  }

  static let names: [(String, String)] = [
    ("Trip\nto\r\nRome", "Trip to Rome"), ("a\u{0}b\u{7F}\u{85}c\u{2028}d", "a b c d"),
    ("\u{202E}emoR\u{202C} \u{2066}x\u{2069}", "emoR x"), ("%@ %n %s", "%@ %n %s"),
    (#"{"a":"b"}"#, #"{"a":"b"}"#), ("<b>Rome</b>", "<b>Rome</b>"),
    (family, family), ("שלום\u{200F}!", "שלום\u{200F}!"), ("क्‍ष", "क्‍ष"),
    ("\u{202E}\n\u{200B}", "Sarah"), (" ", "Sarah"), ("", "Sarah"),
  ]

  @Test(arguments: names)
  func `a name becomes one line without direction marks`(name: String, title: String) throws {
    let group: Fields = ["type": "group", "name": .string(name)]
    #expect(Array(try content(group).title.unicodeScalars) == Array(title.unicodeScalars))
    let sender = try content([:], sender: ["displayName": .string(name)])
    let expected = title == "Sarah" ? "WorldChat" : title
    #expect(Array(sender.title.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test func `a name of 100 KB is shortened, and a single character keeps thirty marks`() throws {
    let group = try content([
      "type": "group", "name": .string(String(repeating: "x", count: 100_000)),
    ])
    #expect(group.title.utf8.count == 200)
    let zalgo = "e" + String(repeating: "\u{301}", count: 50_000)
    let title = try content(["type": "group", "name": .string(zalgo)]).title
    #expect(title == "e" + String(repeating: "\u{301}", count: 30))
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
