/// The recognizer of money amounts with a currency, and of round numbers.
enum MoneyAmount {
  /// Returns a Boolean value that indicates whether words are one number below a billion, in groups
  /// of three digits.
  ///
  /// The number must end in three zeros, or have a currency before or after it.
  static func isOne(
    _ words: [String],
    before: ArraySlice<Unicode.Scalar>,
    behind: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let last = words.last, last.utf8.count <= 12, words.count <= 3 else { return false }
    let groups = words.flatMap { $0.split { ".()".contains($0) } }
    guard let first = groups.first, (2...3).contains(groups.count), first.utf8.count <= 3,
      !first.hasPrefix("0"), groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }),
      groups.allSatisfy({ $0.allSatisfy(\.isNumber) })
    else { return false }
    return groups.last == "000"
      || isCurrency(before.suffix(6).reversed().drop(while: \.properties.isWhitespace), true)
      || isCurrency(decimals(behind.prefix(10)).drop(while: \.properties.isWhitespace), false)
  }

  /// Returns a text without the decimals at its beginning.
  private static func decimals(_ text: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
    guard text.first == "," else { return text }
    return text.dropFirst().drop { $0.properties.numericType == .decimal }
  }

  private static func isCurrency(
    _ text: some Collection<Unicode.Scalar>,
    _ isReversed: Bool
  ) -> Bool {
    guard let first = text.first else { return false }
    if first.properties.generalCategory == .currencySymbol { return true }
    let letters = text.prefix(while: \.properties.isAlphabetic)
    let word = String(String.UnicodeScalarView(isReversed ? letters.reversed() : Array(letters)))
    return words.contains(word.lowercased())
  }

  private static let words: Set<String> = [
    "eur", "euro", "euros", "usd", "dollar", "gbp", "chf", "jpy", "cny", "sek", "nok", "dkk", "pln",
    "try", "ron", "idr", "brl", "mxn", "inr", "krw", "kr", "zł", "lei", "tl", "rp", "ft", "kč",
    "dollars", "dollari", "dollaro", "dólares", "dólar", "peso", "pesos", "real", "reais", "yen",
    "yuan", "won", "franc", "francs", "franchi", "franken", "pound", "pounds", "pfund", "sterline",
    "libras", "livres", "rupees", "rupie", "kronor", "kroner", "kronen", "złotych",
  ]
}
