import Core
import FirestoreModel
import TestKit
import Testing

@testable import Chat

struct ModelTests {
  // MARK: Messages

  @Test func `a message is read as it was written`() throws {
    let message = Message(
      try ChatDocuments.message([
        "senderId": "sarah", "text": "Hello", "language": "en", "recipientId": "marco",
        "timestamp": .timestamp(Timestamp(seconds: 1)), "readBy": ["marco", 7, "sarah"],
        "mediaURL": "https://x",
      ])
    )
    #expect(message.senderID == "sarah")
    #expect(message.text == "Hello")
    #expect(message.language == "en")
    #expect(message.recipientID == "marco")
    #expect(message.timestamp == Timestamp(seconds: 1))
    #expect(message.readBy == ["marco", "sarah"])
    #expect(message.hasMedia)
  }

  @Test(arguments: Value.everyType)
  func `a message's members of the wrong type count as missing`(value: Value) throws {
    let names = [
      "senderId", "text", "language", "timestamp", "recipientId", "readBy", "mediaURL",
      "translations", "translationMeta",
    ]
    let message = Message(
      try ChatDocuments.message(Fields(names.map { ($0, value) }))
    )
    let string = value.stringValue
    #expect(message.senderID == string)
    #expect(message.text == string ?? "")
    #expect(message.language == string)
    #expect(message.recipientID == string)
    #expect(message.hasMedia == (string != nil))
    #expect(message.timestamp == value.timestampValue)
    #expect(message.readBy == (value == ["text", 7] ? ["text"] : []))
    #expect(message.translation(into: try Language("it"), mayBeOffline: true) == nil)
    #expect(message.translationOutcomes == [])
    #expect(message.formerTranslations == [])
  }

  static let text = "Hello"
  static let hash = ContentHash.text(text)

  static let translations: [(translation: Value, meta: Value?, counts: Bool)] = [
    ("Ciao", ["textHash": .string(hash)], true),
    ("", ["textHash": .string(hash)], true),
    ("Ciao", nil, false),
    ("Ciao", [:], false),
    ("Ciao", "meta", false),
    ("Ciao", ["textHash": .string(ContentHash.text("Hi"))], false),
    ("Ciao", ["textHash": .string(hash.uppercased())], false),
    ("Ciao", ["textHash": .bytes(.init())], false),
    ("Ciao", ["textHash": .string(hash), "error": "UNAVAILABLE"], false),
    (7, ["textHash": .string(hash)], false),
  ]

  @Test(arguments: translations)
  func `a translation counts only with the hash of the current text`(
    translation: Value,
    meta: Value?,
    counts: Bool
  ) throws {
    var fields: Fields = ["text": "Hello", "translations": ["it": translation, "pt-BR": "Olá"]]
    if let meta { fields["translationMeta"] = ["it": meta] }
    let message = Message(try ChatDocuments.message(fields))
    #expect(
      message.translation(into: try Language("it"), mayBeOffline: true)?.text
        == (counts ? translation.stringValue : nil)
    )
    #expect(message.translation(into: try Language("pt-BR"), mayBeOffline: true) == nil)
  }

  @Test func `a translation that was written with its text isn't trusted`() throws {
    func entry(_ at: Int64, of text: String = Self.text) -> Value {
      ["textHash": .string(ContentHash.text(text)), "at": .timestamp(Timestamp(seconds: at))]
    }
    func message(_ translation: Value, _ meta: Value, _ text: String = Self.text) throws -> Document
    {
      try ChatDocuments.message([
        "text": .string(text), "translations": ["it": translation], "translationMeta": ["it": meta],
      ])
    }
    func distrusts(_ copy: Document?, since former: Document? = nil) throws -> Bool {
      let message = Message(try message("Ciao", entry(1))).distrusting(copy, since: former)
      let isMissing = message.translation(for: "it", mayBeOffline: true) == nil
      #expect(message.formerTranslations == (isMissing ? ["it"] : []))
      return isMissing
    }
    let same = try message("Ciao", entry(1))
    #expect(try distrusts(same))
    // The translation isn't trusted, whatever text the earlier message had.
    #expect(try distrusts(message("Ciao", entry(1), "Hi")))
    #expect(try distrusts(same, since: message("Ciao!", entry(1), "Hi")))
    #expect(try !distrusts(nil))
    #expect(try !distrusts(message("Ciao!", entry(1))))
    #expect(try !distrusts(message("Ciao", entry(0))))
    // The earlier message had the same translation for another text. So a client didn't add the
    // translation with this change.
    #expect(try !distrusts(same, since: message("Ciao", entry(1), "Hi")))
  }

  @Test(arguments: [
    ("zh_CN", "zh-CN", true), ("zh_CN", "zh-Hans", true), ("zh_CN", "zh-TW", false),
    ("iw", "he", true), ("nb", "no", true), ("PT-br", "pt", true), ("pt-PT", "pt-BR", false),
    ("pt-BR", "pt-BR", true), ("en-GB", "en-US", true), ("not a code", "en", false),
  ])
  func `a translation counts for every code that is translated alike`(
    code: String,
    language: String,
    counts: Bool
  ) throws {
    let meta: Value = ["textHash": .string(Self.hash), "engine": "nmt"]
    let message = Message(
      try ChatDocuments.message([
        "text": "Hello", "translations": .map([ByteKey(code): "x"]),
        "translationMeta": .map([ByteKey(code): meta]),
      ])
    )
    let found = message.translation(into: try Language(language), mayBeOffline: false)
    #expect(found?.text == (counts ? "x" : nil))
    // A client reads the translation under its own code.
    #expect(message.translation(for: code, mayBeOffline: false)?.text == "x")
  }

  @Test(
    arguments: [
      ("nmt", true), ("phrasebook", false), ("pseudo", false), ("nmt+pseudo", false),
      ("apertium-es-it", false), (7, true), (nil, true),
    ] as [(Value?, Bool)]
  )
  func `an emulator's translation on a message counts only in an emulator`(
    engine: Value?,
    counts: Bool
  ) throws {
    var meta: Fields = ["textHash": .string(Self.hash)]
    meta["engine"] = engine
    let message = Message(
      try ChatDocuments.message([
        "text": "Hello", "translations": ["it": "Ciao"], "translationMeta": ["it": .map(meta)],
      ])
    )
    for language in try [Language("it"), Language("it-CH")] {
      #expect((message.translation(into: language, mayBeOffline: false) != nil) == counts)
      #expect(message.translation(into: language, mayBeOffline: true) != nil)
    }
  }

  @Test(arguments: [
    ("", false), (" \n\t\u{a0}\u{2003}\u{2028}", false), ("\u{0}\u{200B}\u{202E}\u{FEFF}", false),
    ("a", true), (" .", true), ("👩‍👧", true), ("\u{202E}a", true), ("你", true), ("\u{301}", true),
  ])
  func `a text counts if it has a visible character`(text: String, hasText: Bool) {
    #expect(Message.hasText(text) == hasText)
  }

  // MARK: Profiles

  @Test func `a profile has its language and tokens under newer and older names`() throws {
    let newer = UserProfile(
      try ChatDocuments.user(
        "u",
        [
          "displayName": "Ann", "primaryLanguage": "it", "language": "en", "aiOptOut": true,
          "fcmToken": "a", "fcmTokens": ["b", "", 7, "a"],
        ]
      )
    )
    #expect(newer.displayName == "Ann")
    #expect(newer.language == "it")
    #expect(newer.hasOptedOut)
    #expect(newer.tokens == ["a", "b", "a"])
    let older = UserProfile(
      try ChatDocuments.user("u", ["primaryLanguage": "", "language": "en", "fcmToken": .null])
    )
    #expect(older.language == "en")
    #expect(!older.hasOptedOut)
    #expect(older.tokens.isEmpty)
  }

  @Test(arguments: Value.everyType)
  func `a profile's members of the wrong type count as missing`(value: Value) throws {
    let names = ["displayName", "primaryLanguage", "language", "aiOptOut", "fcmToken", "fcmTokens"]
    let profile = UserProfile(
      try ChatDocuments.user("u", Fields(names.map { ($0, value) }))
    )
    #expect(profile.displayName == value.stringValue)
    #expect(profile.language == value.stringValue)
    #expect(profile.hasOptedOut == (value != .null), "any value except null opts out")
    #expect(profile.tokens == (value.stringValue != nil || value == ["text", 7] ? ["text"] : []))
  }

  @Test(arguments: ["a/b", "a/devices/b", ".", "..", "__x__", "", 7, ["a"]] as [Value])
  func `an impossible sender id counts as missing`(value: Value) throws {
    let message = Message(
      try ChatDocuments.message(["senderId": value, "recipientId": value, "text": "Hi"])
    )
    #expect(message.senderID == nil)
    #expect(message.recipientID == nil)
  }

  // MARK: Conversations

  @Test func `participants are users, each once and in order`() throws {
    let conversation = try Conversation(
      ChatDocuments.conversation([
        "type": "group", "name": "Trip",
        "participants": ["b", "a", "b", "", 7, "a/b", "..", "__x__", .null, ["c"], "👩‍👧"],
        "settings": ["muted": ["a", 7], "translation": false],
      ])
    )
    #expect(conversation.participants == ["b", "a", "👩‍👧"])
    #expect(conversation.strangeParticipants == 7)
    #expect(conversation.isGroup)
    #expect(conversation.name == "Trip")
    #expect(Set(conversation.muted.keys) == ["a"])
    #expect(!conversation.allowsTranslation)
  }

  @Test(arguments: [["\u{E9}"], ["\u{E9}": true]] as [Value])
  func `a conversation is muted only for the member with the same bytes`(muted: Value) throws {
    let conversation = try Conversation(
      ChatDocuments.conversation(["participants": [], "settings": ["muted": muted]])
    )
    #expect(conversation.muted["\u{E9}"] != nil)
    #expect(conversation.muted["e\u{301}"] == nil)
  }

  @Test(arguments: Value.everyType.filter { $0.arrayValue == nil })
  func `participants that are no array make an invalid conversation`(value: Value) throws {
    let document = try ChatDocuments.conversation(["participants": value])
    let error = StatusError(
      .failedPrecondition,
      "conversations/c1 has no participants array"
    )
    #expect(throws: error) { try Conversation(document) }
  }

  @Test(arguments: Value.everyType)
  func `a conversation's other members of the wrong type count as missing`(value: Value) throws {
    let names = ["type", "name", "participantLanguages", "languageOverrides", "settings"]
    var fields = Fields(names.map { ($0, value) })
    fields["participants"] = ["text"]
    let conversation = try Conversation(ChatDocuments.conversation(fields))
    #expect(!conversation.isGroup)
    #expect(conversation.name == value.stringValue)
    #expect(conversation.allowsTranslation)
    #expect(conversation.muted.isEmpty)
    let language = value == ["text": "text"] ? "text" : nil
    #expect(conversation.language(of: "text", profile: nil) == language)
    fields["settings"] = ["muted": value, "translation": value]
    let settings = try Conversation(ChatDocuments.conversation(fields))
    #expect(settings.allowsTranslation == [.null, true].contains(value))
    fields["settings"] = ["ai": value]
    let ai = try Conversation(ChatDocuments.conversation(fields))
    #expect(ai.allowsAI == [.null, true].contains(value))
    #expect(Set(settings.muted.keys) == (value == ["text", 7] ? ["text"] : []))
  }

  @Test func `a reader's language is from the override, else the profile, else the copy`() throws {
    let conversation = try Conversation(
      ChatDocuments.conversation([
        "participants": ["a", "b", "c", "d"],
        "languageOverrides": ["a": "fr", "b": "", "c": 7],
        "participantLanguages": ["a": "en", "b": "en", "c": "en", "d": true],
      ])
    )
    let profile = UserProfile(try ChatDocuments.user("a", ["primaryLanguage": "it"]))
    #expect(conversation.language(of: "a", profile: profile) == "fr")
    #expect(conversation.language(of: "b", profile: profile) == "it")
    #expect(conversation.language(of: "c", profile: nil) == "en")
    #expect(conversation.language(of: "d", profile: nil) == nil)
    #expect(conversation.language(of: "nobody", profile: nil) == nil)
  }

  @Test func `without its document a conversation has its message's two people`() throws {
    let message = Message(
      try ChatDocuments.message(["senderId": "a", "recipientId": "b", "text": "x"])
    )
    let conversation = try Conversation(nil, of: message)
    #expect(conversation.participants == ["a", "b"])
    #expect(conversation.document == nil)
    #expect(!conversation.isGroup)
    #expect(conversation.allowsTranslation)
    let alone = Message(try ChatDocuments.message(["senderId": "a", "recipientId": "a/b"]))
    #expect(Conversation(of: alone).participants == ["a"])
  }
}
