import Core

/// The explanation of an idiom in a message: the output for the schema `message_analysis`.
struct IdiomExplanation: Sendable {
  private let lexicon = IdiomLexicon.standard

  /// Returns the fields of the explanation in the reader's language.
  func facts(about message: ModelInput.Message, for reader: SpokenLanguage) -> JSONObject {
    guard let match = lexicon.firstMatch(in: message.text, language: message.language) else {
      return Self.nothing
    }
    let entry = match.entry
    return [
      "hasCulturalContext": .boolean(true),
      "type": .string(entry.kind.rawValue),
      "idiomDetected": .string(match.piece),
      "explanation": .string(Self.sentence(about: entry, as: match.piece, for: reader)),
      "relevance": .string(entry.relevance.rawValue),
      "suggestedEquivalent": entry.equivalent(in: reader).map(JSONValue.string) ?? .null,
    ]
  }

  private static let nothing: JSONObject = [
    "hasCulturalContext": .boolean(false), "type": "none", "idiomDetected": .null,
    "explanation": "", "relevance": "low", "suggestedEquivalent": .null,
  ]

  /// Returns a sentence about the meaning. If the reader's language has an equivalent, a second
  /// sentence follows about the equivalent.
  static func sentence(
    about entry: IdiomEntry,
    as piece: String,
    for reader: SpokenLanguage
  ) -> String {
    let meaning = meanings(of: entry.kind).filled(
      reader,
      [
        "piece": piece, "language": names(of: entry.language)[reader],
        "meaning": entry.meaning[reader],
      ]
    )
    guard let equivalent = entry.equivalent(in: reader) else { return meaning }
    return meaning + " " + equivalents.filled(reader, ["equivalent": equivalent])
  }

  private static func meanings(of kind: IdiomEntry.Kind) -> ParallelText {
    switch kind {
    case .idiom:
      ParallelText(
        english: #""{piece}" is an idiom in {language} and means: {meaning}."#,
        spanish: #""{piece}" es un modismo {language} y significa: {meaning}."#,
        italian: #""{piece}" è un modo di dire {language} e significa: {meaning}."#,
        french: #""{piece}" est une expression idiomatique en {language} et signifie : {meaning}."#,
        portuguese: #""{piece}" é uma expressão idiomática em {language} e significa: {meaning}."#,
        german: #""{piece}" ist eine Redewendung im {language} und bedeutet: {meaning}."#
      )
    case .slang:
      ParallelText(
        english: #""{piece}" is slang in {language} and means: {meaning}."#,
        spanish: #""{piece}" es argot {language} y significa: {meaning}."#,
        italian: #""{piece}" è un'espressione del gergo {language} e significa: {meaning}."#,
        french: #""{piece}" est de l'argot en {language} et signifie : {meaning}."#,
        portuguese: #""{piece}" é uma gíria em {language} e significa: {meaning}."#,
        german: #""{piece}" ist Umgangssprache im {language} und bedeutet: {meaning}."#
      )
    case .culturalReference:
      ParallelText(
        english: #""{piece}" is a cultural reference in {language}: {meaning}."#,
        spanish: #""{piece}" es una referencia cultural en {language}: {meaning}."#,
        italian: #""{piece}" è un riferimento culturale in {language}: {meaning}."#,
        french: #""{piece}" est une référence culturelle en {language} : {meaning}."#,
        portuguese: #""{piece}" é uma referência cultural em {language}: {meaning}."#,
        german: #""{piece}" ist eine kulturelle Anspielung im {language}: {meaning}."#
      )
    case .formality:
      ParallelText(
        english: #""{piece}" is a formal courtesy in {language} and means: {meaning}."#,
        spanish: #""{piece}" es una fórmula de cortesía en {language} y significa: {meaning}."#,
        italian: #""{piece}" è una formula di cortesia in {language} e significa: {meaning}."#,
        french: #""{piece}" est une formule de politesse en {language} et signifie : {meaning}."#,
        portuguese: #""{piece}" é uma fórmula de cortesia em {language} e significa: {meaning}."#,
        german: #""{piece}" ist eine Höflichkeitsformel im {language} und bedeutet: {meaning}."#
      )
    }
  }

  private static let equivalents = ParallelText(
    english: "In English people say: {equivalent}.",
    spanish: "En español se dice: {equivalent}.",
    italian: "In italiano si dice: {equivalent}.",
    french: "En français, on dit : {equivalent}.",
    portuguese: "Em português se diz: {equivalent}.",
    german: "Auf Deutsch sagt man: {equivalent}."
  )

  /// Returns the name of a language in the form that the sentences above need.
  private static func names(of language: SpokenLanguage) -> ParallelText {
    switch language {
    case .english:
      ParallelText(
        english: "English",
        spanish: "inglés",
        italian: "inglese",
        french: "anglais",
        portuguese: "inglês",
        german: "Englischen"
      )
    case .spanish:
      ParallelText(
        english: "Spanish",
        spanish: "español",
        italian: "spagnolo",
        french: "espagnol",
        portuguese: "espanhol",
        german: "Spanischen"
      )
    case .italian:
      ParallelText(
        english: "Italian",
        spanish: "italiano",
        italian: "italiano",
        french: "italien",
        portuguese: "italiano",
        german: "Italienischen"
      )
    case .french:
      ParallelText(
        english: "French",
        spanish: "francés",
        italian: "francese",
        french: "français",
        portuguese: "francês",
        german: "Französischen"
      )
    case .portuguese:
      ParallelText(
        english: "Portuguese",
        spanish: "portugués",
        italian: "portoghese",
        french: "portugais",
        portuguese: "português",
        german: "Portugiesischen"
      )
    case .german:
      ParallelText(
        english: "German",
        spanish: "alemán",
        italian: "tedesco",
        french: "allemand",
        portuguese: "alemão",
        german: "Deutschen"
      )
    }
  }
}
