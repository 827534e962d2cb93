import Chat
import FirestoreModel
import RPCStatus

/// The change of a message that adds translations and touches nothing else.
struct MessageEdit {
  private let message: Message
  private let now: Timestamp
  private var fields: Fields = [:]
  private var mask: [FieldPath] = []

  init(_ message: Message, now: Timestamp) {
    self.message = message
    self.now = now
  }

  /// A translation with what proves that it is one of this text.
  mutating func add(_ answer: Translator.Answer, in language: Language) {
    set(.string(answer.text), at: FieldPath("translations", language.code))
    setMeta(["engine": .string(answer.engine)], of: language)
  }

  /// A failure, for the retry icon of the client. It carries the code, never the text.
  mutating func add(_ error: StatusError, in language: Language) {
    // An older translation would be one of an older text.
    mask.append(FieldPath("translations", language.code))
    setMeta(["error": .string(error.code.rawValue)], of: language)
  }

  private mutating func setMeta(_ members: Fields, of language: Language) {
    let meta: Fields = [
      "textHash": .string(ContentHash.text(message.text)), "at": .timestamp(now),
    ]
    set(
      .map(meta.merging(members) { _, new in new }),
      at: FieldPath("translationMeta", language.code)
    )
  }

  private mutating func set(_ value: Value, at path: FieldPath) {
    fields.set(value, at: path)
    mask.append(path)
  }

  /// Applies only to the version that was read.
  var write: Write {
    Write(
      .update(Document(name: message.document.name, fields: fields)),
      updateMask: FieldMask(mask),
      currentDocument: message.document.updateTime.map(Precondition.updateTime) ?? .exists(true)
    )
  }
}
