import Chat
import Core
import FirestoreModel
import TestKit
import Testing

/// The language in which a message is written.
struct MessageLanguageTests {
  private func language(_ text: String, _ claimed: Value?, sender: Value?) throws -> String? {
    var message: Fields = ["senderId": "sarah", "text": .string(text)]
    message["language"] = claimed
    var profile: Fields = [:]
    profile["primaryLanguage"] = sender
    return try Message(ChatDocuments.message(message))
      .language(sender: UserProfile(ChatDocuments.user("sarah", profile)))?.code
  }

  @Test(
    arguments: [
      ("See you tomorrow!", "it", "en", "it"), ("See you tomorrow!", nil, "en", "en"),
      ("See you tomorrow!", nil, "it", "en"), ("See you tomorrow!", nil, nil, "en"),
      ("See you tomorrow!", nil, "da", "da"), ("See you tomorrow!", nil, "en-GB", "en-GB"),
      ("Спасибо большое", "it", "it", "ru"), ("Спасибо большое", "it", "uk", "uk"),
      ("Спасибо большое", "sr", "it", "sr"), ("Vielen Dank euch allen", "ja", nil, "de"),
      ("Marco 😂", "ja", nil, "ja"), ("Marco 😂", nil, "it", "it"), ("19:30", nil, "it", "it"),
      ("19:30", nil, nil, nil), ("Te amo", nil, "pt-BR", "pt-BR"), ("Te amo", nil, "es", "es"),
    ] as [(String, Value?, Value?, String?)]
  )
  func `the language is the client's if the script allows it, else detected, else the sender's`(
    text: String,
    claimed: Value?,
    sender: Value?,
    expected: String?
  ) throws {
    #expect(try language(text, claimed, sender: sender) == expected)
  }

  /// A message's fields about its language, with the expected language and its expected source.
  struct Written: Sendable {
    var language: Value
    var source: Value?
    var ofText: String
    var expected: String
    var teller: Message.LanguageSource

    init(
      _ language: Value,
      by source: Value?,
      of text: String,
      _ expected: String,
      _ teller: Message.LanguageSource
    ) {
      self.language = language
      self.source = source
      self.ofText = text
      self.expected = expected
      self.teller = teller
    }
  }

  @Test(arguments: [
    // The client's language takes precedence over a detected language.
    Written("it", by: nil, of: "", "it", .client),
    Written("it", by: "client", of: "", "it", .client),
    Written("it", by: 7, of: "", "it", .client),
    Written("it", by: "x", of: "", "it", .client),
    // A function's language counts only for the text in which the function detected it.
    Written("it", by: "profile", of: "See you!", "it", .profile),
    Written("it", by: "detected", of: "See you!", "it", .detected),
    Written("it", by: "detected", of: "A dopo!", "en", .detected),
    Written("it", by: "profile", of: "", "en", .detected),
    // The script of the text takes precedence over the fields.
    Written("ru", by: "detected", of: "See you!", "en", .detected),
    Written("ja", by: "client", of: "", "en", .detected),
  ])
  func `a message's language is trusted by its source`(written: Written) throws {
    var fields: Fields = ["text": "See you!", "language": written.language]
    fields["languageSource"] = written.source
    fields["translationMeta"] = [
      "fr": ["textHash": .string(ContentHash.text(written.ofText)), "error": "UNAVAILABLE"]
    ]
    let found = try Message(ChatDocuments.message(fields)).sourceLanguage(
      sender: UserProfile(ChatDocuments.user("sarah", ["primaryLanguage": "en"]))
    )
    #expect(found?.language.code == written.expected)
    #expect(found?.source == written.teller)
  }

  @Test(
    arguments: [
      // No translation was made from German, so a client has set the language.
      ("de", "detected", [("old", "en")], "de", .client),
      ("de", "profile", [("old", "en"), ("Rat", "it")], "de", .client),
      ("de", "detected", [("Rat", "en")], "de", .client),
      ("de", "client", [("old", "de")], "de", .client),
      // A translation was made from German, so a function has set the language. It did so for the
      // earlier text or for this one.
      ("de", "detected", [("old", "en"), ("old", "de")], "en", .detected),
      ("de", "detected", [("old", "en"), ("Rat", "de")], "de", .detected),
      // One translation doesn't name its source language, which may have been German.
      ("de", "detected", [("old", "en"), ("old", nil)], "en", .detected),
      ("de", "detected", [], "en", .detected),
    ] as [(Value, Value, [(text: String, source: String?)], String, Message.LanguageSource)]
  )
  func `a client's language next to an earlier detection is the client's`(
    language: Value,
    source: Value,
    entries: [(text: String, source: String?)],
    expected: String,
    teller: Message.LanguageSource
  ) throws {
    let meta = entries.enumerated().map { index, entry -> (String, Value) in
      var fields: Fields = ["textHash": .string(ContentHash.text(entry.text))]
      fields["source"] = entry.source.map(Value.string)
      return ("x\(index)", .map(fields))
    }
    let message = Message(
      try ChatDocuments.message([
        "text": "Rat", "language": language, "languageSource": source,
        "translationMeta": .map(Fields(meta)),
      ])
    )
    let found = try message.sourceLanguage(
      sender: UserProfile(ChatDocuments.user("sarah", ["primaryLanguage": "en"]))
    )
    #expect(found?.language.code == expected)
    #expect(found?.source == teller)
  }

  @Test(arguments: [
    "See you tomorrow!", "Спасибо большое", "你好，明天见", "大丈夫", "ありがとう", "안녕하세요", "שלום",
    "مرحبا", "धन्यवाद", "καλημέρα", "Hmm 🙂", "Marco", "ok", "Grazie mille", "ไปไหนมา", "Ça va?",
  ])
  func `a language that was written back is found again`(text: String) throws {
    for sender in ["en", "it", "ru", "uk", "sr-Latn", "ja", "zh-Hant", "pt_BR", "iw"] {
      for claimed in ["ru", "ja", "ar", nil] as [String?] {
        var fields: Fields = ["text": .string(text)]
        fields["language"] = claimed.map(Value.string)
        let profile = UserProfile(
          try ChatDocuments.user("sarah", ["primaryLanguage": .string(sender)])
        )
        let message = Message(try ChatDocuments.message(fields))
        let found = try #require(try message.sourceLanguage(sender: profile))
        guard found.source != .client else { continue }
        fields["language"] = .string(found.language.code)
        fields["languageSource"] = .string(found.source.rawValue)
        fields["translationMeta"] = ["fr": ["textHash": .string(ContentHash.text(text))]]
        let written = Message(try ChatDocuments.message(fields))
        // The result is the same with the sender's profile and without it. When a text is released,
        // only the message is known.
        #expect(try written.language(sender: nil) == found.language)
        #expect(try written.language(sender: profile) == found.language)
      }
    }
  }

  @Test(arguments: ["und", "mul", "zxx", "auto", "UND"])
  func `a code for an unknown language counts as missing`(code: String) throws {
    let text = "Ci vediamo domani sera alle otto"
    #expect(try language(text, .string(code), sender: "en") == "it")
    #expect(try language("19:30", .string(code), sender: "en") == "en")
  }

  @Test func `an invalid language code is refused`() {
    #expect(throws: StatusError.self) { try language("See you!", "xx", sender: "en") }
    #expect(throws: StatusError.self) { try language("19:30", nil, sender: "xx") }
  }
}
