import Chat
import FirestoreModel
import RPCStatus
import TestKit
import Testing

/// Which language a message counts as.
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
  func
    `it is in the client's, if the script allows it, else in the one detected, else its sender's`(
      text: String,
      claimed: Value?,
      sender: Value?,
      expected: String?
    ) throws
  {
    #expect(try language(text, claimed, sender: sender) == expected)
  }

  @Test func `what is no language code is refused`() {
    #expect(throws: StatusError.self) { try language("See you!", "xx", sender: "en") }
    #expect(throws: StatusError.self) { try language("19:30", nil, sender: "xx") }
  }
}
