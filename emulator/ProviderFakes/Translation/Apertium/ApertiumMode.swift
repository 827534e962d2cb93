import Foundation

/// A direction that is installed: the line of shell of a file such as `eng-spa.mode`.
struct ApertiumMode: Sendable {
  /// Base language codes, of two letters where there are such.
  let source: String
  let target: String
  /// Whether it is taken rather than another one of the same direction.
  let isPreferred: Bool
  /// Runs the programs until the end of the input, a NUL after each text. What one of them takes of
  /// memory and time is limited: a program that runs wild ends by itself, whoever is gone.
  let script: String

  /// - Parameter folder: with files that end with `.mode`. Those of most regions and variants are
  ///   left out.
  static func installed(in folder: String) -> [ApertiumMode] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.sorted().compactMap { file in
      guard file.hasSuffix(".mode"),
        let line = try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      else { return nil }
      return ApertiumMode(name: String(file.dropLast(5)), line: line)
    }
  }

  /// - Returns: nil unless the name is two languages.
  init?(name: String, line: String) {
    // Portuguese without a region is that of Brazil, to Google as to the phrasebook.
    isPreferred = name.hasSuffix("_BR")
    let codes = (isPreferred ? name.dropLast(3) : name[...])
      .split(separator: "-", omittingEmptySubsequences: false)
    guard codes.count == 2,
      codes.allSatisfy({
        (2...3).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x61...0x7A).contains($0) }
      })
    else { return nil }
    source = Self.shortCode(codes[0])
    target = Self.shortCode(codes[1])
    // $1 is for the program that writes words, which marks those it doesn't know; $2 for debugging.
    let programs = line.split(separator: "|").map { program in
      let parts = program.split(
        maxSplits: 1,
        omittingEmptySubsequences: true,
        whereSeparator: \.isWhitespace
      )
      return (["\(parts.first ?? "")", "-z"] + parts.dropFirst().map(String.init))
        .joined(separator: " ")
        .replacing("$1", with: "-g").replacing("$2", with: "")
    }
    script = """
      ulimit -v 1048576 2>/dev/null; ulimit -t 600 2>/dev/null
      \(programs.joined(separator: " | "))
      """
  }

  /// `es` for `spa`.
  private static func shortCode(_ code: Substring) -> String {
    Locale.LanguageCode(String(code)).identifier(.alpha2) ?? String(code)
  }
}
