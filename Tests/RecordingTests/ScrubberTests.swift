import Cryptography
import FirestoreModel
import HTTPService
import LanguageDetection
import Platform
import RPCStatus
import TestKit
import Testing

@testable import Recording

struct ScrubberTests {
  private static func scrubbed(keepsPeople: Bool = false) throws(StatusError) -> ReplayFixture {
    try Scrubber(
      try SampleFixture.make(),
      keepsPeople: keepsPeople,
      functions: ["translateMessage"]
    ).scrubbed()
  }

  private static func text(of fixture: ReplayFixture) throws -> String {
    try #require(fixture.event.at("data.value.fields.text.stringValue")?.string)
  }

  @Test func `nothing of a person is left`() throws {
    let file = String(decoding: try Self.scrubbed().file, as: UTF8.self).lowercased()
    for word in [
      "sarah", "marco", "miller", "springfield", "5551234", "mail.", "family-chat-prod", "hello",
      "device-of",
    ] {
      // What is expected is learned by a replay and is still the recorded one here.
      let count = word == "marco" ? 1 : 0
      #expect(file.split(separator: word, omittingEmptySubsequences: false).count - 1 == count)
    }
    #expect(file.contains("demo-worldchat"))
  }

  @Test func `texts keep their length, language, punctuation and emoji`() throws {
    let text = try Self.text(of: Self.scrubbed())
    #expect(text.hasPrefix("Hey "))
    #expect(text.contains("@example.com or +"))
    #expect(text.hasSuffix("! 🍕"))
    #expect(LanguageDetector.detect(text) == LanguageDetector.detect(SampleFixture.text))
    let words = text.split(separator: " ").map(\.count)
    let address = SampleFixture.text.split(separator: " ").map(\.count)
    #expect(words.enumerated().allSatisfy { $1 == address[$0] || $0 == 4 })
  }

  @Test func `what was the same stays the same, in events, documents and exchanges`() throws {
    let fixture = try Self.scrubbed()
    let exchange = try #require(fixture.exchanges.first)
    let text = try Self.text(of: fixture)
    #expect(exchange.json.at("request.body.q.0") == .string(text))
    let sender = try #require(fixture.event.at("data.value.fields.senderId.stringValue")?.string)
    #expect(fixture.documents.keys.contains("users/\(sender)"))
    let path = try #require(fixture.event["document"]?.string)
    #expect(fixture.event["subject"]?.string == "documents/\(path)")
    #expect(fixture.event.at("data.value.name")?.string?.hasSuffix("/documents/\(path)") == true)
    let conversation = try #require(fixture.documents.keys.first { $0.hasPrefix("conversations/") })
    #expect(path.hasPrefix("\(conversation)/messages/"))
    // The name in the text is that of the user.
    let name = text.split { $0 == " " || $0 == "," }[1].lowercased()
    #expect(conversation == "conversations/\(sender)-\(name)")
    let fields = try JSONValue(
      encoding: try #require(fixture.documents[conversation] ?? nil).fields
    )
    #expect(fields.at("languageOverrides.mapValue.fields.\(name).stringValue") == .string("it"))
    #expect(fields.at("unread.mapValue.fields.\(name).integerValue") == .string("2"))
    #expect(fields.at("participants.arrayValue.values.0.stringValue") == .string(sender))
  }

  @Test func `a hash of a text becomes the hash of its other text`() throws {
    let fixture = try Self.scrubbed()
    let text = try Self.text(of: fixture)
    let key = SHA256.hexadecimal("\(text)|en|it".utf8)
    #expect(fixture.documents.keys.contains("translations/\(key)"))
  }

  @Test func `codes stay, and places on earth don't`() throws {
    let fixture = try Self.scrubbed()
    #expect(fixture.event["type"]?.string == "google.cloud.firestore.document.v1.created")
    #expect(fixture.event.at("data.value.fields.language.stringValue") == .string("en"))
    #expect(
      fixture.exchanges.first?.json.at("response.body.data.translations.0.model")
        == .string("nmt")
    )
    let file = String(decoding: try fixture.file, as: UTF8.self)
    #expect(!file.contains("1.5"))
  }

  @Test func `two fixtures have other people`() throws {
    #expect(try Self.text(of: Self.scrubbed()) != Self.text(of: Self.scrubbed()))
  }

  @Test func `raw keeps people, but no device's token and no project`() throws {
    let fixture = try Self.scrubbed(keepsPeople: true)
    #expect(try Self.text(of: fixture) == SampleFixture.text)
    let file = String(decoding: try fixture.file, as: UTF8.self)
    #expect(file.contains("Sarah Miller"))
    #expect(!file.contains("device-of-sarah"))
    #expect(!file.contains("family-chat-prod"))
  }

  @Test(arguments: [
    "Привет, как дела?", "你好，明天见！", "こんにちは、タナカさん", "안녕하세요 민수씨", "שלום רב", "Où est Éloïse ?",
    "see https://bank.example.net/u/42?x=1 now", "(mail:a.b@c.org)", "👩‍👩‍👧 3️⃣ \u{202E}abc",
    "l'été d’Hélène", "",
  ])
  func `any script keeps its scripts, its length and its marks`(text: String) {
    let words = WordMap(kept: [], replaced: [])
    let other = words.replace(text)
    #expect(other.unicodeScalars.count == text.unicodeScalars.count)
    #expect(other.utf8.count == text.utf8.count)
    #expect(words.replace(text) == other)
    for (old, new) in zip(text.unicodeScalars, other.unicodeScalars) {
      #expect(old.properties.isAlphabetic == new.properties.isAlphabetic)
      #expect(old.properties.isUppercase == new.properties.isUppercase)
    }
  }

  @Test func `addresses lead nowhere`() {
    let words = WordMap(kept: [], replaced: [])
    let text = "see https://bank.net/u/4711 or ask anna@bank.net."
    let other = AddressText.replacing(text, words.replace)
    #expect(other.hasPrefix("see https://example.com/"))
    #expect(other.hasSuffix("@example.com"))
    #expect(!other.contains("bank") && !other.contains("4711") && !other.contains("anna"))
  }

  @Test func `what stands for a number in front of a translator stays`() {
    let map = WordMap(kept: [], replaced: [])
    let text = map.replace("Der Zug nach Firenze fährt um [X0X], [x12x] Xaver X0Y X123X")
    #expect(text.contains(" um [X0X], [x12x] "))
    #expect(!text.contains("Firenze") && !text.contains("Xaver"))
    #expect(!text.contains("X0Y") && !text.contains("X123X"))
  }

  @Test func `different words become different words`() {
    let words = WordMap(kept: [], replaced: [])
    let names = (0..<500).map { "anna\($0)" }
    #expect(Set(names.map(words.replace)).count == names.count)
  }
}
