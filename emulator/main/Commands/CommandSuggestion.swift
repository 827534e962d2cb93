import Core

/// The command line that was probably meant by `exec` or `record` without `--`, or by a command whose
/// words are in one text.
struct CommandSuggestion: CustomStringConvertible {
  /// The number of words that are tried as the first one of the command.
  private static let maximumTriedWords = 100
  /// The characters with which a shell does more than to start one program.
  private static let shellCharacters: Set<Character> = Set("|&;<>()$`\\\"'*?[]#~{}\n")

  /// The command line, for a shell.
  let description: String

  /// Creates a suggestion for arguments of `exec` or `record` without `--`, or returns `nil` if no
  /// command can be found in them.
  ///
  /// - Parameter isValid: Returns whether arguments can be parsed.
  init?(_ arguments: [String], isValid: (_ arguments: [String]) -> Bool) {
    guard let name = arguments.first, ["exec", "record"].contains(name), !arguments.contains("--")
    else { return nil }
    let starts = arguments.indices.dropFirst().prefix(Self.maximumTriedWords)
    let start = starts.first { index in
      !arguments[index].hasPrefix("-")
        && isValid(Array(arguments[..<index]) + ["--"] + arguments[index...])
    }
    guard let start else { return nil }
    self.init(["emulator", name] + arguments[1..<start], command: arguments[start...])
  }

  /// Creates a suggestion for a command whose words are in one text, or returns `nil` for another
  /// command.
  init?(command: [String]) {
    guard command.count == 1, command[0].contains(" ") else { return nil }
    self.init([], command: command[...])
  }

  private init(_ before: [String], command: ArraySlice<String>) {
    var words = before.map(Self.quoted) + ["--"]
    if let text = command.first, command.count == 1, text.contains(" ") {
      words +=
        text.contains(where: Self.shellCharacters.contains)
        ? ["sh", "-c", Self.quoted(text)] : [text]
    } else {
      words += command.map(Self.quoted)
    }
    description = words.joined(separator: " ").escapedForTerminal
  }

  /// Returns a word as a shell reads it: in single quotes, unless it needs none.
  private static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && !word.contains { $0 == " " || shellCharacters.contains($0) }
    return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
