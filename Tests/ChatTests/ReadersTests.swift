import Core
import FirestoreModel
import TestKit
import Testing

@testable import Chat

struct ReadersTests {
  private func readers(
    _ participants: [String],
    languages: Fields = [:],
    conversation: Fields = [:],
    sender: String? = "sarah"
  ) throws -> Readers {
    var profiles: [String: UserProfile] = [:]
    for (uid, language) in languages {
      profiles[uid.string] = UserProfile(
        try ChatDocuments.user(uid.string, ["primaryLanguage": language])
      )
    }
    var fields = conversation
    fields["participants"] = .array(participants.map(Value.string))
    return Readers(
      of: Message(try ChatDocuments.message(sender.map { ["senderId": .string($0)] } ?? [:])),
      in: try Conversation(ChatDocuments.conversation(fields)),
      profiles: profiles,
      source: try Language("ko")
    )
  }

  @Test(arguments: [
    ([], []), (["sarah"], []), (["sarah", "marco"], ["it"]),
    (["yuki", "sarah", "marco"], ["ja", "it"]), (["marco", "mia", "yuki"], ["it", "ja"]),
  ])
  func `readers' languages are those of all but the sender, each once and in order`(
    participants: [String],
    codes: [String]
  ) throws {
    let readers = try readers(
      participants,
      languages: ["sarah": "en", "marco": "it", "mia": "IT", "yuki": "ja"]
    )
    #expect(readers.languages.map(\.code) == codes)
    #expect(readers.skipped.isEmpty)
  }

  @Test func `regions of a language are languages of their own`() throws {
    let readers = try readers(
      ["a", "b", "c"],
      languages: ["a": "pt-BR", "b": "pt-PT", "c": "pt_br"]
    )
    #expect(readers.languages.map(\.code) == ["pt-BR", "pt-PT"])
  }

  @Test func `without a sender everybody is a reader`() throws {
    let readers = try readers(["a", "b"], languages: ["a": "it", "b": "en"], sender: nil)
    #expect(readers.languages.map(\.code) == ["it", "en"])
  }

  @Test func `a member without a known language is skipped with the reason`() throws {
    let readers = try readers(
      ["sarah", "nobody", "klingon", "number", "marco"],
      languages: ["klingon": "tlh\u{202E}", "number": 7, "marco": "it"]
    )
    #expect(readers.languages.map(\.code) == ["it"])
    #expect(
      readers.skipped == [
        .init(uid: "nobody", reason: "no language in the profile"),
        .init(uid: "klingon", reason: "unknown language code \"tlh\""),
        .init(uid: "number", reason: "no language in the profile"),
      ]
    )
  }

  @Test func `a conversation's override precedes the profile, and its copy follows it`() throws {
    let readers = try readers(
      ["a", "b"],
      languages: ["a": "en"],
      conversation: ["languageOverrides": ["a": "fr"], "participantLanguages": ["b": "de"]]
    )
    #expect(readers.languages.map(\.code) == ["fr", "de"])
  }

  @Test func `an unknown language gives way to a known one`() throws {
    let readers = try readers(
      ["a", "b", "c"],
      languages: ["a": "en", "b": "klingon"],
      conversation: [
        "languageOverrides": ["a": "klingon", "c": "klingon"], "participantLanguages": ["b": "de"],
      ]
    )
    #expect(readers.languages.map(\.code) == ["en", "de"])
    #expect(readers.skipped.map(\.uid) == ["c"])
  }
}
