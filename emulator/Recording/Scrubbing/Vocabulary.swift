import FirestoreModel

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
      "type", "status", "role", "kind", "engine", "model", "function", "platform", "formality",
      "relevance", "createTime", "updateTime",
    ],
    .exchange: [
      "@type", "type", "status", "role", "code", "errorCode", "reason", "domain", "field", "engine",
      "model", "format", "formality", "relevance", "object", "finish_reason", "stop_reason",
      "service_tier", "priority", "sound",
    ],
  ]

  /// A longer one is a text, whatever the member is called.
  private static let maximumLength = 120

  /// Whether a value is a code, by its member's name and by its form.
  static func isCode(_ text: String, of name: String, in place: Place) -> Bool {
    if languages.contains(name) || maps.contains(name) {
      return text.isLanguageCode || name == "source" && text.hasPrefix("//firestore.")
    }
    return codes[place]?.contains(name) == true && text.utf8.count <= maximumLength
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "._-/:()+@".utf8.contains(byte)
        }
      }
  }
}
