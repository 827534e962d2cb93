import Core
import FirestoreModel
import Providers

/// A failed translation, kept in `translationFailures/{key}` under the key of its translation.
///
/// Requests within the next minutes get the same error, without a paid provider call. Failures
/// aren't in the translation cache, because they have no text to show as a translation.
struct FailedTranslation: Sendable, Hashable {
  static let collection = "translationFailures"
  /// The time for which a failure is kept, in seconds.
  ///
  /// Later, a provider may support the language, or a model may answer differently.
  static let timeToLive: Int64 = 600

  /// The codes of the errors that are stored. The text and its languages cause these errors.
  ///
  /// Temporary errors are retried at once, and configuration errors as soon as they are fixed.
  private static let codes: Set<StatusCode> = [.invalidArgument, .failedPrecondition]

  let error: StatusError

  /// Creates a failure from an error, or `nil` for an error that isn't stored.
  init?(_ error: StatusError) {
    guard error.fault == .request, Self.codes.contains(error.code) else { return nil }
    self.error = error
  }

  /// Creates a failure from its document, or `nil` if it has expired, comes from another provider,
  /// or is invalid.
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
