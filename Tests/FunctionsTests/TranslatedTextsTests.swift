import Chat
import Core
import FirestoreModel
import TestKit
import Testing

@testable import sendNotification

struct TranslatedTextsTests {
  private static let english = "Hello"

  /// Returns the texts of a message from Sarah for Marco, who reads Italian, and Lea, who reads
  /// French.
  private func texts(marco: Fields, isTranslated: Bool = false) throws -> TranslatedTexts {
    var message: Fields = ["senderId": "sarah", "text": .string(Self.english), "language": "en"]
    if isTranslated {
      message["translations"] = ["it": "Ciao"]
      message["translationMeta"] = [
        "it": ["textHash": .string(ContentHash.text(Self.english)), "engine": "nmt"]
      ]
    }
    let fields = marco.merging(["primaryLanguage": "it"]) { own, _ in own }
    return TranslatedTexts(
      of: Message(try ChatDocuments.message(message)),
      in: try Conversation(
        ChatDocuments.conversation(["participants": ["sarah", "marco", "lea"]])
      ),
      profiles: [
        "marco": UserProfile(try ChatDocuments.user("marco", fields)),
        "lea": UserProfile(try ChatDocuments.user("lea", ["primaryLanguage": "fr"])),
      ],
      mayBeOffline: false
    )
  }

  @Test(
    arguments: [
      (["secondaryLanguages": ["en"]], nil),
      (["translationMode": "never"], "the reader wants no translations"),
      (["translationMode": "onDemand"], "the reader wants translations on demand only"),
      (["translationMode": 7], "the reader wants translations on demand only"),
    ] as [(Fields, String?)]
  )
  func `a reader who doesn't want a translation gets the original, and others theirs`(
    marco: Fields,
    reason: String?
  ) throws {
    let texts = try texts(marco: marco)
    #expect(texts.text(for: "marco")?.text == Self.english)
    #expect(texts.text(for: "marco")?.reason == reason)
    #expect(texts.requests.keys.sorted() == ["lea"])
  }

  @Test(
    arguments: [
      ([:], "Ciao"), (["translationMode": "onDemand"], "Ciao"), (["translationMode": 7], "Ciao"),
      (["translationMode": "never"], english), (["secondaryLanguages": ["en-US"]], english),
    ] as [(Fields, String)]
  )
  func `a stored translation is shown unless the reader wants the original`(
    marco: Fields,
    text: String
  ) throws {
    #expect(try texts(marco: marco, isTranslated: true).text(for: "marco")?.text == text)
  }
}
