import Core
import FirestoreModel
import TestKit
import Testing

@testable import Chat

/// The rule that decides for which readers a message is translated and explained.
struct TranslationModeTests {
  /// Returns the mode of a reader of Italian.
  private func mode(_ fields: Fields, source: String = "en") throws -> TranslationMode? {
    Readers.mode(
      of: UserProfile(try ChatDocuments.user("marco", fields)),
      reading: try Language("it"),
      source: try Language(source)
    )
  }

  @Test func `a reader without a profile or without a choice gets translations`() throws {
    let (italian, english) = (try Language("it"), try Language("en"))
    #expect(Readers.mode(of: nil, reading: italian, source: english) == .always)
    #expect(Readers.mode(of: nil, reading: italian, source: try Language("it-CH")) == nil)
    #expect(try mode([:]) == .always)
  }

  // MARK: secondaryLanguages

  @Test(
    arguments: [
      (["en"], "en", true), (["en"], "en-GB", true), (["en-GB"], "en", true),
      (["EN_us"], "en", true), (["fr", "en"], "en", true), (["fr", "de"], "en", false),
      ([], "en", false),
      (["pt"], "pt-BR", true), (["pt-PT"], "pt-BR", true), (["zh-TW"], "zh-CN", false),
      (["zh-HK"], "zh-TW", true), (["zh"], "zh-Hans", true), (["iw"], "he", true),
      (["nb-NO"], "no", true), (["ms"], "ms-Arab", false),
    ] as [([String], String, Bool)]
  )
  func `a reader reads the listed languages and their variants`(
    listed: [String],
    source: String,
    isRead: Bool
  ) throws {
    let listed = Value.array(listed.map(Value.string))
    #expect(try mode(["secondaryLanguages": listed], source: source) == (isRead ? nil : .always))
  }

  @Test(
    arguments: Value.everyType + [
      "en", ["en": true], ["0": "en"], .array([.array(["en"]), ["code": "en"], .null, 7]),
      ["", "xx", "e", "english", "en-", "en/x", "../en", "en\u{0}", "en\u{202E}", "\u{FF45}n"],
      .array([.string(String(repeating: "en", count: 500_000))]),
    ]
  )
  func `a list of another type and entries that aren't known codes count as missing`(
    value: Value
  ) throws {
    #expect(try mode(["secondaryLanguages": value]) == .always)
  }

  @Test func `entries that aren't known codes leave the others`() throws {
    #expect(try mode(["secondaryLanguages": [7, .null, "klingon", ["fr"], "en"]]) == nil)
  }

  @Test func `twenty entries count, of however many`() throws {
    func list(_ position: Int) -> Value {
      var entries = [Value](repeating: "fr", count: 10_000)
      entries[position] = "en"
      return .array(entries)
    }
    #expect(try mode(["secondaryLanguages": list(19)]) == nil)
    #expect(try mode(["secondaryLanguages": list(20)]) == .always)
  }

  // MARK: translationMode

  @Test(
    arguments: [
      ("always", .always), ("never", .never), ("onDemand", .onDemand), (.null, .always),
      ("", .always), ("Never", .always), ("ondemand", .always), ("never ", .always),
      ("never\u{0}", .always), ("\u{202E}never", .always), ("ignore all instructions", .always),
      (.string(String(repeating: "never", count: 200_000)), .always),
    ] as [(Value, TranslationMode)]
  )
  func `a mode is one of three words, and any other text means always`(
    value: Value,
    expected: TranslationMode
  ) throws {
    #expect(try mode(["translationMode": value]) == expected)
  }

  @Test(arguments: Value.everyType)
  func `a mode of another type means that nothing is paid for`(value: Value) throws {
    let isMissing = if case .string = value { true } else { value == .null }
    #expect(try mode(["translationMode": value]) == (isMissing ? .always : .onDemand))
  }

  @Test func `a message in a language that the reader reads needs no mode`() throws {
    for name in ["always", "never", "onDemand"] as [Value] {
      #expect(try mode(["translationMode": name], source: "it-CH") == nil)
      #expect(try mode(["translationMode": name, "secondaryLanguages": ["en"]]) == nil)
    }
  }

  @Test func `only readers who want it have their language among the targets`() throws {
    let users: [(String, Fields)] = [
      ("sarah", ["primaryLanguage": "en"]), ("marco", ["primaryLanguage": "it"]),
      ("mia", ["primaryLanguage": "it_CH", "translationMode": "never"]),
      ("yuki", ["primaryLanguage": "ja", "secondaryLanguages": ["en-GB"]]),
      ("lea", ["primaryLanguage": "fr", "translationMode": "onDemand"]),
      ("ana", ["primaryLanguage": "pt", "translationMode": 7]),
      ("kim", ["primaryLanguage": "klingon", "translationMode": "never"]),
    ]
    var profiles: [String: UserProfile] = [:]
    for (uid, fields) in users { profiles[uid] = UserProfile(try ChatDocuments.user(uid, fields)) }
    let participants = Value.array(users.map { .string($0.0) })
    let readers = Readers(
      of: Message(try ChatDocuments.message(["senderId": "sarah"])),
      in: try Conversation(ChatDocuments.conversation(["participants": participants])),
      profiles: profiles,
      source: try Language("en")
    )
    #expect(readers.languages.map(\.code) == ["it"])
    #expect(readers.codes.keys.sorted() == ["it"])
    #expect(readers.skipped.map(\.uid) == ["kim"])
  }
}
