import Core
import FirestoreModel
import TestKit
import Testing

@testable import Chat
@testable import translateMessage

struct MessageEditTests {
  private static let now = Timestamp(seconds: 1_700_000_000)
  private static let hash = Value.string(ContentHash.text("Hello"))

  private func message(updateTime: Timestamp? = ChatDocuments.updateTime) throws -> Message {
    var document = try ChatDocuments.message([
      "senderId": "sarah", "text": "Hello",
      "translations": ["it": "old", "fr": "Salut"],
      "translationMeta": ["it": ["textHash": "old"], "fr": ["textHash": Self.hash]],
    ])
    document.updateTime = updateTime
    return Message(document)
  }

  private func answer(_ text: String) throws -> Translator.Answer {
    Translator.Answer(
      CachedTranslation(text: text, engine: "nmt"),
      in: try ChatDocuments.document("translations/k", [:]),
      of: Translator.Request("Hello", from: try Language("en"), to: try Language("it")),
      time: Self.now
    )
  }

  @Test(
    arguments: [
      // The client's own code counts if it means the language that the text is translated from.
      ("EN_us", "en-US", "EN_us|pt_br"), ("en", "en", "en|pt_br"), (nil, "en", "en|pt_br"),
      ("ru", "en", "en|pt_br"), ("english", "en", "en|pt_br"),
    ] as [(Value?, String, String)]
  )
  func `a client looks for a translation with the codes of the message and the reader`(
    written: Value?,
    source: String,
    expected: String
  ) throws {
    var fields: Fields = ["senderId": "sarah", "text": "Hello"]
    fields["language"] = written
    var edit = MessageEdit(Message(try ChatDocuments.message(fields)), now: Self.now)
    #expect(edit.codes(for: "pt_br") == nil)
    edit.add(TranslationPlan.Source(language: try Language(source), teller: .client))
    #expect(edit.codes(for: "pt_br")?.description == expected)
  }

  @Test func `a translation changes its own language and nothing else`() throws {
    var edit = MessageEdit(try message(), now: Self.now)
    try edit.add(answer("Ciao"), for: "it")
    try edit.add(answer("Olá"), for: "pt-BR")
    let write = edit.write
    #expect(
      write.updateMask?.fieldPaths.map(\.description) == [
        "translations.it", "translationMeta.it", "translations.`pt-BR`", "translationMeta.`pt-BR`",
      ]
    )
    guard case .update(let document) = write.operation else {
      Issue.record("not an update")
      return
    }
    let meta: Value = ["textHash": Self.hash, "at": .timestamp(Self.now), "engine": "nmt"]
    #expect(
      document.fields == [
        "translations": ["it": "Ciao", "pt-BR": "Olá"],
        "translationMeta": ["it": meta, "pt-BR": meta],
      ]
    )
    #expect(write.currentDocument == .updateTime(ChatDocuments.updateTime))
    #expect(write.name == (try message()).document.name)
    #expect(write.updateTransforms.isEmpty)
  }

  @Test func `a written translation counts for its text`() throws {
    var edit = MessageEdit(try message(), now: Self.now)
    try edit.add(answer("Ciao"), for: "it")
    guard case .update(var document) = edit.write.operation else {
      Issue.record("not an update")
      return
    }
    document.fields["text"] = "Hello"
    #expect(Message(document).translation(for: "it", mayBeOffline: false)?.text == "Ciao")
    document.fields["text"] = "Hello!"
    #expect(Message(document).translation(for: "it", mayBeOffline: true) == nil)
  }

  @Test func `a failure stores its code and removes an older text's translation`() throws {
    var edit = MessageEdit(try message(), now: Self.now)
    edit.add(StatusError(.unavailable, "no text in here"), for: "it")
    let write = edit.write
    #expect(
      write.updateMask?.fieldPaths == [
        FieldPath("translations", "it"), FieldPath("translationMeta", "it"),
      ]
    )
    guard case .update(let document) = write.operation else {
      Issue.record("not an update")
      return
    }
    // The mask contains the field but the document doesn't, so the server deletes it.
    #expect(document.fields["translations"] == nil)
    #expect(
      document.fields["translationMeta"] == [
        "it": ["textHash": Self.hash, "at": .timestamp(Self.now), "error": "UNAVAILABLE"]
      ]
    )
  }

  @Test func `a deleted message is not created again`() throws {
    var edit = MessageEdit(try message(updateTime: nil), now: Self.now)
    try edit.add(answer("Ciao"), for: "it")
    #expect(edit.write.currentDocument == .exists(true))
  }

  // MARK: The language

  private func languageEdit(
    _ fields: Fields,
    _ code: String,
    _ teller: Message.LanguageSource
  ) throws -> Fields {
    var edit = MessageEdit(
      Message(try ChatDocuments.message(["text": "Hello"].merging(fields) { $1 })),
      now: Self.now
    )
    edit.add(.init(language: try Language(code), teller: teller))
    guard case .update(let document) = edit.write.operation else { return [:] }
    #expect(
      edit.write.updateMask?.fieldPaths.map(\.description).sorted()
        == document.fields.keys.sorted().map(\.string)
    )
    return document.fields
  }

  @Test func `a detected language is written back with its source`() throws {
    #expect(
      try languageEdit([:], "pt_br", .profile) == [
        "language": "pt-BR", "languageSource": "profile",
      ]
    )
    #expect(
      try languageEdit(["language": "ja"], "en", .detected)
        == ["language": "en", "languageSource": "detected"]
    )
    #expect(try languageEdit(["language": "en"], "en", .client) == [:])
    #expect(try languageEdit(["language": "EN"], "en", .client) == [:])
  }

  @Test func `a language that a client has corrected is the client's from then on`() throws {
    let corrected: Fields = [
      "language": "de", "languageSource": "detected",
      "translationMeta": ["it": ["textHash": Self.hash, "source": "en"]],
    ]
    #expect(try languageEdit(corrected, "de", .client) == ["languageSource": "client"])
    #expect(
      try languageEdit(corrected, "ru", .detected)
        == ["language": "ru", "languageSource": "detected"]
    )
  }

  @Test func `a translation names its source language`() throws {
    var edit = MessageEdit(try message(), now: Self.now)
    edit.add(.init(language: try Language("en"), teller: .client))
    try edit.add(answer("Ciao"), for: "it")
    edit.add(StatusError(.unavailable, ""), for: "ja")
    guard case .update(let document) = edit.write.operation else {
      Issue.record("not an update")
      return
    }
    let meta = document.fields["translationMeta"]?.mapValue
    #expect(meta?["it"]?.mapValue?["source"] == "en")
    #expect(meta?["ja"]?.mapValue?["source"] == "en")
  }

  @Test func `a language that is already written back isn't written again`() throws {
    let written: Fields = [
      "language": "en", "languageSource": "detected",
      "translationMeta": ["it": ["textHash": Self.hash]],
    ]
    #expect(try languageEdit(written, "en", .detected) == [:])
  }

  // MARK: An earlier text

  @Test func `an earlier text's translations are removed, and no others`() throws {
    let message = try ChatDocuments.message([
      "text": "Hello", "translations": ["it": "old", "fr": "Salut", "de": "mine"],
      "translationMeta": [
        "it": ["textHash": "old"], "fr": ["textHash": Self.hash], "es": "meta", "ja": [:],
        "nl": ["textHash": 7, "error": "UNAVAILABLE"],
      ],
    ])
    var edit = MessageEdit(Message(message), now: Self.now)
    #expect(edit.removesFormer)
    #expect(
      edit.write.updateMask?.fieldPaths.map(\.description) == [
        "translations.it", "translationMeta.it", "translations.nl", "translationMeta.nl",
      ]
    )
    try edit.add(answer("Ciao"), for: "it")
    edit.add(StatusError(.unavailable, ""), for: "nl")
    #expect(!edit.removesFormer)
  }
}
