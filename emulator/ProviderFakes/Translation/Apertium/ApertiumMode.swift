import Foundation

/// An installed translation direction, read from the shell line of a file such as `eng-spa.mode`.
struct ApertiumMode: Sendable {
  /// The base code of the source language, of two letters where such a code exists.
  let source: String
  let target: String
  /// A Boolean value that indicates whether this mode is used if another has the same direction.
  let isPreferred: Bool
  /// The shell script that runs the programs until the end of the input. A NUL follows each text.
  /// Limits on memory and CPU time end a runaway program even after the emulator has exited.
  let script: String

  /// Returns the modes in a folder, without those of most regions and variants.
  ///
  /// - Parameter folder: the folder with files that end with `.mode`.
  static func installed(in folder: String) -> [ApertiumMode] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.sorted().compactMap { file in
      guard file.hasSuffix(".mode"),
        let line = try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      else { return nil }
      return ApertiumMode(name: String(file.dropLast(5)), line: line)
    }
  }

  /// Creates a mode, or returns `nil` if the name isn't a pair of languages.
  init?(name: String, line: String) {
    // Portuguese without a region means Brazilian Portuguese, for Google and for the phrasebook.
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
    // $1 is an option of the program that writes words and marks unknown ones; $2 is for debugging.
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

  /// Returns the two-letter code of a language, such as `es` for `spa`.
  private static func shortCode(_ code: Substring) -> String {
    Locale.LanguageCode(String(code)).identifier(.alpha2) ?? String(code)
  }
}
