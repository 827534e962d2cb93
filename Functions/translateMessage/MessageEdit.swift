import Chat
import Core
import FirestoreModel

/// The change of a message that adds translations and touches nothing else: but for its language, if
/// its client didn't know it, and for what was said of a former text.
struct MessageEdit {
  private let message: Message
  private let now: Timestamp
  private var fields: Fields = [:]
  private var mask: [FieldPath] = []
  private var formerCodes: Set<ByteKey>
  /// What the translations are from.
  private var source: Language?

  init(_ message: Message, now: Timestamp) {
    self.message = message
    self.now = now
    formerCodes = message.formerTranslations
  }

  /// Who uses the translations, for their count.
  var user: String { message.document.name.path.description }

  /// Whether the message has translations of a former text, or some that aren't trusted.
  var removesFormer: Bool { !formerCodes.isEmpty }

  /// The language of the text, where its client hasn't told it. No more than that is worth a write
  /// of its own, which would wake everybody who listens: whoever needs it finds the same.
  mutating func add(_ source: TranslationPlan.Source) {
    self.source = source.language
    if source.teller == .client, message.isLanguageCorrected {
      set(.string(source.teller.rawValue), at: FieldPath("languageSource"))
    }
    guard source.teller != .client, message.language != source.language.code else { return }
    set(.string(source.language.code), at: FieldPath("language"))
    set(.string(source.teller.rawValue), at: FieldPath("languageSource"))
  }

  /// A translation with what proves that it is one of this text.
  mutating func add(_ answer: Translator.Answer, for code: String) {
    set(.string(answer.text), at: FieldPath("translations", code))
    setMeta(["engine": .string(answer.engine)], for: code)
  }

  /// A failure, for the retry icon of the client. It carries the code, never the text.
  mutating func add(_ error: StatusError, for code: String) {
    // An older translation would be one of an older text.
    mask.append(FieldPath("translations", code))
    setMeta(["error": .string(error.code.rawValue)], for: code)
  }

  private mutating func setMeta(_ members: Fields, for code: String) {
    formerCodes.remove(ByteKey(code))
    var meta: Fields = [
      "textHash": .string(ContentHash.text(message.text)), "at": .timestamp(now),
    ]
    meta["source"] = source.map { .string($0.code) }
    set(
      .map(meta.merging(members) { _, new in new }),
      at: FieldPath("translationMeta", code)
    )
  }

  private mutating func set(_ value: Value, at path: FieldPath) {
    fields.set(value, at: path)
    mask.append(path)
  }

  /// Applies only to the version that was read.
  var write: Write {
    let former = formerCodes.sorted().flatMap {
      [FieldPath("translations", $0), FieldPath("translationMeta", $0)]
    }
    return Write(
      .update(Document(name: message.document.name, fields: fields)),
      updateMask: FieldMask(mask + former),
      currentDocument: message.document.updateTime.map(Precondition.updateTime) ?? .exists(true)
    )
  }
}
