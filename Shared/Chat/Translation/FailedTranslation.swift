import Core
import FirestoreModel
import Providers

/// That a text can't be had in a language, `translationFailures/{key}` by the key of its
/// translation: who asks again within minutes gets the same answer, and nobody pays for it.
///
/// It is no entry of the cache: nothing in it could be shown for a translation.
struct FailedTranslation: Sendable, Hashable {
  static let collection = "translationFailures"
  /// How long it counts, in seconds: providers learn languages, and models answer otherwise.
  static let timeToLive: Int64 = 600

  /// Those that are about the text and its languages. What may pass by itself is asked again at
  /// once, and what is ours to mend as soon as it is mended.
  private static let codes: Set<StatusCode> = [.invalidArgument, .failedPrecondition]

  let error: StatusError

  /// - Returns: nil for a failure that isn't kept.
  init?(_ error: StatusError) {
    guard error.fault == .request, Self.codes.contains(error.code) else { return nil }
    self.error = error
  }

  /// Reads one; nil if it is over, another provider's or none.
  init?(_ document: Document, of origin: TranslationOrigin, now: Timestamp) {
    let fields = document.fields
    guard fields["provider"] == .string(origin.name),
      let code = fields["code"]?.shortString.flatMap(StatusCode.init(rawValue:)),
      let message = fields["message"]?.nonEmptyString,
      let expiry = fields["expiresAt"]?.timestampValue, expiry > now,
      expiry <= now.advanced(by: .seconds(Self.timeToLive))
    else { return nil }
    self.init(StatusError(code, message))
  }

  func write(
    to name: DocumentName,
    from source: Language,
    to target: Language,
    of origin: TranslationOrigin,
    now: Timestamp
  ) -> Write {
    let fields: Fields = [
      "code": .string(error.code.rawValue),
      "message": .string(error.message),
      "provider": .string(origin.name),
      "sourceLang": .string(source.code),
      "targetLang": .string(target.code),
      "createdAt": .timestamp(now),
      "expiresAt": .timestamp(now.advanced(by: .seconds(Self.timeToLive))),
    ]
    return Write(.update(Document(name: name, fields: fields)))
  }
}
