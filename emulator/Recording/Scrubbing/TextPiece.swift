/// A part of a text: a word, or what stands between words.
enum TextPiece {
  /// Letters, digits and their marks; in scripts without spaces a single letter.
  case word(String)
  /// Words joined by apostrophes, with the apostrophes between them.
  case contraction(String, parts: [String])
  case other(Unicode.Scalar)

  static func all(of text: String) -> [TextPiece] {
    let scalars = Array(text.unicodeScalars)
    var pieces: [TextPiece] = []
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      guard isPartOfWord(scalar) else {
        pieces.append(.other(scalar))
        index += 1
        continue
      }
      guard !Letters.isSingleWord(scalar) else {
        pieces.append(.word(String(scalar)))
        index += 1
        continue
      }
      var parts = [""]
      while index < scalars.count {
        let scalar = scalars[index]
        if isPartOfWord(scalar), !Letters.isSingleWord(scalar) {
          parts[parts.count - 1].unicodeScalars.append(scalar)
        } else if isApostrophe(scalar), index + 1 < scalars.count,
          scalars[index + 1].properties.isAlphabetic, !Letters.isSingleWord(scalars[index + 1])
        {
          parts += [String(scalar), ""]
        } else {
          break
        }
        index += 1
      }
      pieces.append(
        parts.count == 1 ? .word(parts[0]) : .contraction(parts.joined(), parts: parts)
      )
    }
    return pieces
  }

  private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "'" || scalar == "’" || scalar == "ʼ"
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9": true
      default: false
      }
    }
    return scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
      || scalar.properties.generalCategory == .decimalNumber
  }
}
