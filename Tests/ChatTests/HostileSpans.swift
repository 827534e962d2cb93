import TestKit

/// Random dangerous parts of texts, such as links, phone numbers, payment codes and hidden
/// characters.
struct HostileSpans {
  /// The kind of a span.
  enum Form: CaseIterable, Sendable {
    case host, page, app, local, mail, handle, number, code, style, markup, styled, hidden, joined

    /// A Boolean value that indicates whether an answer may contain the span if a person wrote it.
    var isQuotable: Bool {
      switch self {
      case .markup, .hidden: false
      default: true
      }
    }

    /// A Boolean value that indicates whether the checks refuse the span in a translation, too.
    var isForTranslators: Bool {
      switch self {
      case .number, .styled, .joined: false
      default: true
      }
    }
  }

  private var dice: Dice

  init(seed: UInt64) { dice = Dice(seed: seed) }

  mutating func span(_ form: Form) -> String {
    switch form {
    case .host: host()
    case .page: dice.pick(["https://", "HTTP://", "ftp://", "//", "www."]) + host() + path()
    case .app: app()
    case .local:
      dice.pick(["tg", "fb", "x-y", "intent", "file"]) + dice.pick(["://", ":/", ":///"]) + word()
    case .mail: word() + dice.pick(["@", "＠", ".x@", "+1@"]) + dice.pick([word(), host()])
    case .handle: dice.pick(["@", "＠"]) + dice.pick([word(), word() + "_" + word(), word() + "7"])
    case .number: number()
    case .code: code()
    case .style: style()
    case .markup:
      dice.pick([
        "[\(word())](\(word()))", "![](\(word()))", "<b\(word())>", "</\(word())>", "<!--", "<|x|>",
      ])
    case .styled: styled()
    case .hidden: hidden()
    case .joined: word() + dice.pick(Self.joints) + word()
    }
  }

  // MARK: Words

  private static let alphabets = [
    "abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмнопрст", "αβγδεζηθικλμνξ",
  ]
  .map { Array($0).map(String.init) }

  /// Returns a lowercase word. In some words, the first letter is unusual, or all letters are from
  /// another alphabet.
  private mutating func word(from shortest: Int = 2) -> String {
    let alphabet = dice.number(below: 5) == 0 ? dice.pick(Self.alphabets) : Self.alphabets[0]
    var letters = (0..<(shortest + dice.number(below: 8))).map { _ in dice.pick(alphabet) }
    if dice.number(below: 6) == 0 { letters[0] = dice.pick(["а", "о", "ö", "é", "ı"]) }
    return letters.joined()
  }

  /// The full stop of host names, and characters that browsers treat as one (UTS #46).
  private static let stops = [".", ".", ".", "。", "．", "｡", "․"]
  /// Characters that look like a full stop or another separator.
  private static let joints = [
    ",", ";", "·", "=", "|", "\\", "_", "܁", "۔", "։", "᛫", "፡", "꞉", "∶", "⁄", "∕", "‿", "·", "^",
  ]

  private mutating func host() -> String {
    var host = dice.pick([
      word(), word() + "-" + word(), word() + "7", "7\(word())", "xn--\(word())",
    ])
    for _ in 0...dice.number(below: 2) { host += dice.pick(Self.stops) + word() }
    return dice.number(below: 4) == 0 ? host + path() : host
  }

  private mutating func path() -> String {
    dice.pick(["", "/", "/\(word())", "/\(word())?\(word())=1", ":80/\(word())", "#\(word())"])
  }

  private mutating func app() -> String {
    let name = dice.pick([
      "javascript", "tel", "sms", "whatsapp", "bitcoin", "signal", "ms-word", "tg",
    ])
    return name + ":" + dice.pick(["12", "1\(word())", "?\(word())", "/\(word())", "+39"])
  }

  // MARK: Numbers and codes

  private static let digits = [
    "0123456789", "０１２３４５６７８９", "٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९", "𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡",
  ]
  .map { Array($0).map(String.init) }
  private static let separators = [
    " ", "\u{A0}", "\u{202F}", "-", "–", "‑", ".", "/", "·", "•", "_", "*", ":", ",", "'", " - ",
    ")",
    " (", "",
  ]

  private mutating func number() -> String {
    let digits = dice.pick(Self.digits)
    let separator = dice.pick(Self.separators)
    var groups = [
      dice.pick([digits[0] + digits[9], "+" + digits[3] + digits[9]]) + digits[0] + digits[5]
    ]
    for _ in 0..<(2 + dice.number(below: 3)) {
      groups.append((0..<(3 + dice.number(below: 2))).map { _ in dice.pick(digits) }.joined())
    }
    return groups.joined(separator: separator)
  }

  private mutating func code() -> String {
    func some(_ count: Int, _ letters: String) -> String {
      let letters = Array(letters).map(String.init)
      return (0..<count).map { _ in dice.pick(letters) }.joined()
    }
    let base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    switch dice.number(below: 5) {
    case 0: return dice.pick(["1", "3", "T", "r"]) + some(25 + dice.number(below: 20), base58)
    case 1: return "bc1q" + some(38, "qpzry9x8gf2tvdw0s3jn54khce6mua7l")
    case 2: return "0x" + some(40, "0123456789abcdef")
    case 3: return "4" + some(94, base58)
    default: return dice.pick(["IT", "DE", "GB"]) + some(20, "0123456789")
    }
  }

  // MARK: Styles

  private mutating func style() -> String {
    let mark = dice.pick(["*", "**", "_", "__", "`", "```", "~~", "||", "***"])
    return mark + word() + (dice.number(below: 4) == 0 ? " " + word() : "") + mark
  }

  /// Ranges of letters and digits in other styles, such as bold or circled.
  private static let forms: [(first: UInt32, count: Int)] = [
    (0x1D400, 26), (0x1D4D0, 26), (0x1D670, 26), (0x24B6, 26), (0x24D0, 26), (0xFF21, 26),
    (0xFF41, 26),
    (0x1F110, 26), (0x1F130, 26), (0x249C, 26), (0x2460, 9), (0x2474, 9), (0x2488, 9), (0x2776, 9),
    (0x2160, 9), (0x1D7CE, 9),
  ]

  private mutating func styled() -> String {
    let form = dice.pick(Self.forms)
    let scalars = (0..<3).compactMap { _ in
      Unicode.Scalar(form.first + UInt32(dice.number(below: form.count)))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private mutating func hidden() -> String {
    word()
      + dice.pick([
        "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{E0041}", "\u{E0101}", "\u{3164}",
        "\u{180B}",
        "\u{0}", "\u{1B}", "\u{2062}", "\u{E000}", "\u{FFF9}",
      ]) + word()
  }

  // MARK: Places

  /// Returns a sentence that contains the span.
  mutating func sentence(_ span: String, _ form: Form) -> String {
    var places = [
      span, "Ecco \(span)", "Ecco: \(span).", "“\(span)”", "(\(span))", "Apri \(span), poi vai",
      "\(span)!",
      "«\(span)»…", "今天 \(span) 好", "- \(span)\n- sì",
    ]
    // Directly after a letter, these spans would have another meaning.
    if ![.page, .app, .local, .style].contains(form) { places += ["看看\(span)吧", "はい、\(span)です。"] }
    return dice.pick(places)
  }
}
