import Core
import FunctionRuntime
import Providers
import Synchronization
import TestKit

@testable import Chat

/// A translation provider that transforms each text with a closure, and records the texts.
final class TranslationEngine: TranslationProvider {
  let maximumTexts: Int
  let maximumCharacters: Int
  let pricedEngine: String? = nil
  let deadline = ContinuousClock.Instant.generous
  let origin = TranslationOrigin(TranslationOrigin.google, mayBeOffline: false)

  private let answer: @Sendable (String) throws(StatusError) -> String
  private let sent = Mutex<[[String]]>([])

  init(
    maximumTexts: Int = 128,
    maximumCharacters: Int = 5_000,
    _ answer: @escaping @Sendable (String) throws(StatusError) -> String
  ) {
    self.maximumTexts = maximumTexts
    self.maximumCharacters = maximumCharacters
    self.answer = answer
  }

  /// The texts of each request, in the order of the requests.
  var requests: [[String]] { sent.withLock(\.self) }

  func translate(
    _ texts: [String],
    from source: String,
    to target: String,
    deadline: ContinuousClock.Instant?
  ) async throws(StatusError) -> [Translation] {
    sent.withLock { $0.append(texts) }
    var answers: [Translation] = []
    for text in texts { answers.append(Translation(text: try answer(text), engine: "nmt")) }
    return answers
  }
}

extension TextTranslator {
  /// Creates a translator from English into Italian.
  init(
    _ provider: some TranslationProvider,
    record: InvocationRecord = InvocationRecord()
  ) throws {
    self.init(
      provider: provider,
      source: try Language("en"),
      target: try Language("it"),
      deadline: .generous,
      record: record,
      prices: .standard
    )
  }
}

/// Changes that a translation engine makes by mistake, apart from translating.
enum Misbehaviour: String, CaseIterable, Sendable {
  case none, mark, titleCase, capitals, smallLetters, oneSpace, twoSpaces, spacesAround
  case spacesInside, noPlaceholders, doubledPlaceholders, reversedWords, wideBrackets
  case arabicDigits, noDigits, noSpacesAround, lineBreaks, quotedAll

  func callAsFunction(_ text: String) -> String {
    switch self {
    case .none: text
    case .mark: "⟦it⟧ \(text)"
    case .titleCase:
      text.split(separator: " ", omittingEmptySubsequences: false)
        .map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined(separator: " ")
    case .capitals: text.uppercased()
    case .smallLetters: text.lowercased()
    case .oneSpace: text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    case .twoSpaces: " " + text.replacing(" ", with: "  ") + "\t"
    case .spacesAround: text.replacing("[", with: " [").replacing("]", with: "] ")
    case .spacesInside: text.replacing("[X", with: "[ X ").replacing("X]", with: " X ]")
    case .noPlaceholders: text.replacing("X]", with: "]")
    case .doubledPlaceholders: text.replacing("[X0X]", with: "[X0X] [X0X]")
    case .reversedWords: text.split(separator: " ").reversed().joined(separator: " ")
    case .wideBrackets: text.replacing("[", with: "【").replacing("]", with: "】")
    case .arabicDigits:
      String(
        String.UnicodeScalarView(
          text.unicodeScalars.map {
            ("0"..."9").contains($0) ? Unicode.Scalar($0.value + 0x630) ?? $0 : $0
          }
        )
      )
    case .noDigits: text.filter { !("0"..."9").contains($0) }
    case .noSpacesAround: text.replacing(" [", with: "[").replacing("] ", with: "]")
    case .lineBreaks: text.replacing(" ", with: "\n") + "\n"
    case .quotedAll: "«\(text)»"
    }
  }
}
