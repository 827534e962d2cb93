import FirestoreModel
import Platform

/// What in a recording is a code rather than something that a person wrote.
enum Vocabulary {
  /// Members whose values are codes of languages.
  static let languages: Set<String> = [
    "language", "primaryLanguage", "preferredLanguage", "translationLanguage", "sourceLang",
    "targetLang", "sourceLanguage", "targetLanguage", "detectedSourceLanguage", "source", "target",
    "lang", "locale",
  ]

  /// Members whose values are such codes, by names that are somebody's.
  static let maps: Set<String> = ["participantLanguages", "languageOverrides"]

  /// The member that says what a value is: its own, or that of the map around it.
  static func holder(_ member: String, in name: String) -> String {
    maps.contains(name) ? name : member
  }

  /// The members that name the type of a document's value.
  static let types: Set<String> = [
    "stringValue", "arrayValue", "values", "mapValue", "fields", "referenceValue",
  ]

  /// Where in a recording a value stands.
  enum Place {
    /// Beside an event's data.
    case attributes
    /// In a document or a call, where anything may be somebody's.
    case document
    /// In what providers are asked and answer.
    case exchange
  }

  /// Members whose values are from a list that programs know.
  private static let codes: [Place: Set<String>] = [
    .attributes: [
      "specversion", "id", "type", "time", "datacontenttype", "dataschema", "eventId", "eventType",
      "timestamp", "database", "namespace", "location", "authtype", "project", "traceparent",
    ],
    .document: [
      "type", "status", "role", "kind", "engine", "model", "function", "languageSource",
      "platform", "formality", "relevance",
    ],
    .exchange: [
      "@type", "type", "status", "role", "code", "errorCode", "reason", "domain", "field", "engine",
      "model", "format", "formality", "relevance", "object", "finish_reason", "stop_reason",
      "service_tier", "priority", "sound",
    ],
  ]

  /// Words in the ids that functions make.
  static let keys: Set<String> = ["badge", "gone", "new", "text"]

  /// Codes in documents that are no identifiers.
  private static let values: Set<String> = ["one-on-one", "emulator-rules"]

  /// What the models' names begin with.
  private static let models = ["gpt-", "claude-", "gemini-"]

  /// What models are asked to fill, which they name in their answers.
  private static let templates: Set<String> = [
    "message_analysis", "reply_suggestions", "conversation_answer",
  ]

  /// When a document was written, beside its fields.
  private static let times: Set<String> = ["createTime", "updateTime"]

  /// Whether a value is a code, by its member's name and by its form.
  static func isCode(_ text: String, of name: String, in place: Place) -> Bool {
    if languages.contains(name) || maps.contains(name) {
      return text.isLanguageCode || name == "source" && text.hasPrefix("//firestore.")
    }
    if place == .document, times.contains(name) { return (try? Timestamp(text)) != nil }
    if place == .exchange, name == "name", templates.contains(text) { return true }
    guard codes[place]?.contains(name) == true else { return false }
    return switch place {
    case .attributes: isMade(of: "._-/:()+@", text, upTo: 120)
    case .exchange: isMade(of: "._-/:()", text, upTo: 120)
    case .document:
      values.contains(text) || isMade(of: "_", text, upTo: 24) && !text.hasLongNumber
        || models.contains(where: text.hasPrefix) && isMade(of: "-.", text, upTo: 40)
    }
  }

  /// Whether a text consists of ASCII letters, digits, and these others.
  private static func isMade(of others: String, _ text: String, upTo length: Int) -> Bool {
    text.utf8.count <= length
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: others.utf8.contains(byte)
        }
      }
  }
}

extension String {
  /// Whether it has more digits in a row than a code.
  fileprivate var hasLongNumber: Bool {
    split { !("0"..."9").contains($0) }.contains { $0.utf8.count > 4 }
  }
}
