import FirestoreModel
import RPCStatus
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
      text: text,
      engine: "nmt",
      isCached: false,
      entry: try ChatDocuments.document("translations/k", [:]).name
    )
  }

  @Test func `a translation touches its own language and nothing else`() throws {
    var edit = MessageEdit(try message(), now: Self.now)
    try edit.add(answer("Ciao"), in: Language("it"))
    try edit.add(answer("Olá"), in: Language("pt-BR"))
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

  @Test func `what was written counts as a translation of the text`() throws {
    var edit = MessageEdit(try message(), now: Self.now)
    try edit.add(answer("Ciao"), in: Language("it"))
    guard case .update(var document) = edit.write.operation else {
      Issue.record("not an update")
      return
    }
    document.fields["text"] = "Hello"
    #expect(Message(document).translation(into: try Language("it"))?.text == "Ciao")
    document.fields["text"] = "Hello!"
    #expect(Message(document).translation(into: try Language("it")) == nil)
  }

  @Test func `a failure leaves its code and takes an older text's translation away`() throws {
    var edit = MessageEdit(try message(), now: Self.now)
    edit.add(StatusError(.unavailable, "no text in here"), in: try Language("it"))
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
    // Masked and without a value: the server deletes it.
    #expect(document.fields["translations"] == nil)
    #expect(
      document.fields["translationMeta"] == [
        "it": ["textHash": Self.hash, "at": .timestamp(Self.now), "error": "UNAVAILABLE"]
      ]
    )
  }

  @Test func `a message that has vanished is not brought back`() throws {
    var edit = MessageEdit(try message(updateTime: nil), now: Self.now)
    try edit.add(answer("Ciao"), in: Language("it"))
    #expect(edit.write.currentDocument == .exists(true))
  }
}
