import Chat
import Core
import FirestoreModel

/// A write that adds translations to a message.
///
/// The write also sets the message's language if the client didn't, and removes translations of a
/// former text. It changes no other field.
struct MessageEdit {
  private let message: Message
  private let now: Timestamp
  private var fields: Fields = [:]
  private var mask: [FieldPath] = []
  private var formerCodes: Set<ByteKey>
  /// The language that the message is translated from.
  private var source: Language?

  init(_ message: Message, now: Timestamp) {
    self.message = message
    self.now = now
    formerCodes = message.formerTranslations
  }

  /// The message's path, which identifies the message in the cache's usage counts.
  var user: String { message.document.name.path.description }

  /// A Boolean value that indicates whether translations of a former text, or untrusted ones, are
  /// removed.
  var removesFormer: Bool { !formerCodes.isEmpty }

  /// Adds the language of the text if the message's client didn't set it.
  ///
  /// If nothing else is added, the edit isn't written, because a write notifies every listener. Each
  /// function that needs the language detects it by itself, with the same result.
  mutating func add(_ source: TranslationPlan.Source) {
    self.source = source.language
    if source.teller == .client, message.isLanguageCorrected {
      set(.string(source.teller.rawValue), at: FieldPath("languageSource"))
    }
    guard source.teller != .client, message.language != source.language.code else { return }
    set(.string(source.language.code), at: FieldPath("language"))
    set(.string(source.teller.rawValue), at: FieldPath("languageSource"))
  }

  /// Returns the codes with which a reader's client looks for a translation in the cache.
  ///
  /// - Parameter code: the reader's own code.
  func codes(for code: String) -> CodePair? {
    guard let source else { return nil }
    let own = message.language.flatMap { (try? Language($0)) == source ? $0 : nil }
    return CodePair(source: own ?? source.code, target: code)
  }

  /// Adds a translation, and the hash that proves that it belongs to this text.
  mutating func add(_ answer: Translator.Answer, for code: String) {
    set(.string(answer.text), at: FieldPath("translations", code))
    setMeta(["engine": .string(answer.engine)], for: code)
  }

  /// Adds a failure, for which the client shows a retry icon.
  ///
  /// The failure contains the error's code, never its message.
  mutating func add(_ error: StatusError, for code: String) {
    // An existing translation belongs to a former text, so it is removed.
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

  /// The write, on condition that the message is still at the version that was read.
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
