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
      || scalar.isNumber
  }

  // MARK: Numbers

  /// More digits than these tell of somebody.
  private static let harmlessDigits = 2

  /// Which pieces are parts of a longer number: of a phone, a birthday, a code, however its digits
  /// are grouped.
  static func longNumbers(in pieces: [TextPiece]) -> Set<Int> {
    var found: Set<Int> = []
    var run: [Int] = []
    var count = 0
    func end() {
      if count > harmlessDigits { found.formUnion(run) }
      run = []
      count = 0
    }
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .word(let word) where word.unicodeScalars.allSatisfy(\.isNumber):
        run.append(index)
        count += word.unicodeScalars.count
      case .other(let scalar) where partsNumbers(scalar): continue
      default: end()
      }
    }
    end()
    return found
  }

  private static func partsNumbers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .dashPunctuation, .control, .format: true
    default: isApostrophe(scalar) || "./,()+_·".unicodeScalars.contains(scalar)
    }
  }
}
