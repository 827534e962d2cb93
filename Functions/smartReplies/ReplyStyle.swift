import Chat

/// A member's writing style, measured from their own messages.
struct ReplyStyle: Equatable, Encodable {
  enum Formality: String, Encodable {
    case formal, informal
  }

  /// The average length of a message in Unicode scalars, or `nil` if there is no message.
  var averageCharacters: Int?
  /// A Boolean value that indicates whether at least a quarter of the messages have an emoji.
  var usesEmoji: Bool
  /// The way the member addresses people, or `nil` if no word indicates it.
  var formality: Formality?

  /// Creates the style of a member.
  ///
  /// - Parameter texts: the member's own messages, in any order.
  init(of texts: [String], in language: Language) {
    let lengths = texts.map(\.unicodeScalars.count)
    averageCharacters = lengths.isEmpty ? nil : min(lengths.reduce(0, +) / lengths.count, 500)
    let faces = texts.count {
      $0.unicodeScalars.contains(where: \.properties.isEmojiPresentation)
    }
    usesEmoji = faces * 4 >= max(texts.count, 1)
    formality = Self.formality(of: texts, language.base)
  }

  private static func formality(of texts: [String], _ language: String) -> Formality? {
    guard let words = addresses[language] else { return nil }
    var formal = 0
    var informal = 0
    for word in texts.flatMap(FoldedWords.words) {
      if words.formal.contains(word) { formal += 1 }
      if words.informal.contains(word) { informal += 1 }
    }
    guard formal != informal else { return nil }
    return formal > informal ? .formal : .informal
  }

  /// The words that indicate formal or informal address, by the language's base code.
  ///
  /// Ambiguous words, such as German "sie", are left out.
  private static let addresses: [String: (formal: Set<String>, informal: Set<String>)] = [
    "de": (
      ["ihnen", "gruessen", "grussen", "geehrte", "geehrter"],
      ["du", "dich", "dir", "dein", "deine", "deinen", "euch", "hey", "hi", "haha", "ok"]
    ),
    "en": (
      ["dear", "regards", "sincerely", "kindly", "madam", "sir"],
      ["hey", "hi", "lol", "haha", "gonna", "wanna", "gotta", "yeah", "yep", "u", "ur", "thx"]
    ),
    "es": (
      ["usted", "ustedes", "estimado", "estimada", "atentamente"],
      ["tu", "te", "ti", "contigo", "tus", "vos", "jaja", "jajaja", "hola"]
    ),
    "fr": (
      ["vous", "votre", "vos", "cordialement", "monsieur", "madame"],
      ["tu", "te", "toi", "ton", "ta", "tes", "t", "salut", "coucou", "mdr"]
    ),
    "it": (
      ["gentile", "cordiali", "saluti", "signora", "signor", "salve"],
      ["tu", "te", "ti", "tuo", "tua", "ciao", "ehi", "ahah"]
    ),
    "pt": (
      ["senhor", "senhora", "prezado", "prezada", "atenciosamente"],
      ["voce", "vc", "tu", "te", "oi", "kkk", "kkkk", "teu", "tua"]
    ),
  ]
}
