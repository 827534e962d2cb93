import Chat
import Core
import FirestoreModel
import TestKit
import Testing

@testable import sendNotification

struct InboxPreviewTests {
  private static let text = "Hello"

  private static func message(_ fields: Fields = [:]) throws -> Message {
    let all: Fields = [
      "senderId": "sarah", "text": .string(text), "language": "en",
      "timestamp": .timestamp(Timestamp(seconds: 7)),
    ]
    return Message(try ChatDocuments.message(all.merging(fields) { $1 }))
  }

  /// Returns the texts of a message for Marco, who reads Italian.
  private static func texts(
    of message: Message,
    translation: String? = nil
  ) throws -> [ByteKey: TranslatedTexts] {
    var fields = message.document.fields
    if let translation {
      fields["translations"] = ["it": .string(translation)]
      fields["translationMeta"] = [
        "it": ["textHash": .string(ContentHash.text(message.text)), "engine": "google-nmt"]
      ]
    }
    let texts = TranslatedTexts(
      of: Message(try ChatDocuments.message(fields)),
      in: try Conversation(ChatDocuments.conversation(["participants": ["sarah", "marco"]])),
      profiles: [
        "marco": UserProfile(try ChatDocuments.user("marco", ["primaryLanguage": "it"]))
      ],
      mayBeOffline: true
    )
    #expect(texts.requests.isEmpty == (translation != nil))
    return ["m1": texts]
  }

  private func shown(
    _ message: Message?,
    known: Fields? = nil,
    texts: [ByteKey: TranslatedTexts] = [:],
    isPart: Bool = false
  ) throws -> Value? {
    let inbox = try known.map { try ChatDocuments.document("users/marco/inbox/c1", $0) }
    let newest = NewestMessages([message?.document].compactMap(\.self), isPart: isPart)
    let conversation = try Conversation(ChatDocuments.conversation(["participants": ["marco"]]))
    return InboxPreview(of: newest, for: "marco", in: conversation, known: inbox, texts: texts)
      .fields["lastMessage"]
  }

  private static let stored: Fields = [
    "lastMessage": "Ciao", "lastMessageId": "m1", "textHash": .string(ContentHash.text(text)),
  ]

  @Test func `a translation is shown, otherwise the original`() throws {
    let message = try Self.message()
    #expect(try shown(message, texts: Self.texts(of: message, translation: "Ciao")) == "Ciao")
    #expect(try shown(message, texts: Self.texts(of: message)) == "Hello")
    #expect(try shown(message) == "Hello")
    #expect(try shown(nil) == nil)
    #expect(try shown(nil, known: Self.stored) == nil)
    #expect(try shown(nil, known: Self.stored, isPart: true) == "Ciao")
    #expect(try shown(nil, isPart: true) == nil)
  }

  @Test func `a stored translation stays until a new one is there`() throws {
    let message = try Self.message()
    #expect(try shown(message, known: Self.stored) == "Ciao")
    #expect(try shown(message, known: Self.stored, texts: Self.texts(of: message)) == "Ciao")
    let texts = try Self.texts(of: message, translation: "Salve")
    #expect(try shown(message, known: Self.stored, texts: texts) == "Salve")
  }

  static let stale: [Fields] = [
    ["lastMessage": "Ciao", "lastMessageId": "m0", "textHash": .string(ContentHash.text(text))],
    ["lastMessage": "Ciao", "lastMessageId": "m1", "textHash": .string(ContentHash.text("Bye"))],
    ["lastMessage": "Ciao", "lastMessageId": "m1"], ["lastMessageId": "m1"],
    ["lastMessage": 7, "lastMessageId": "m1", "textHash": .string(ContentHash.text(text))],
    ["lastMessage": "Ciao", "lastMessageId": ["m1"], "textHash": 7], [:],
  ]

  @Test(arguments: stale)
  func `a preview of another message, text or shape is replaced`(known: Fields) throws {
    #expect(try shown(Self.message(), known: known) == "Hello")
  }

  @Test func `texts of a former version aren't shown`() throws {
    let texts = try Self.texts(of: Self.message(), translation: "Ciao")
    #expect(try shown(Self.message(["text": "Bye"]), texts: texts) == "Bye")
  }

  @Test func `a long text is cut, and an attachment is named`() throws {
    let long = try Self.message(["text": .string(String(repeating: "é", count: 100_000))])
    let cut = try #require(try shown(long)?.stringValue)
    #expect(cut.utf8.count <= NotificationContent.maximumBodyBytes)
    let photo = try Self.message(["text": "", "mediaURL": "https://example.com/a.jpg"])
    #expect(try shown(photo) == "📷 Photo")
  }
}
