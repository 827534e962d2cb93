import Core
import FirestoreModel

/// A style of text on a terminal: the parameter of ECMA-48's SGR sequence.
enum TerminalStyle: Int {
  case bold = 1
  case faint = 2
  case red = 31
  case green = 32
  case yellow = 33
}

extension Console {
  /// Returns a text in a style, or the text itself if the output has no styles.
  func styled(_ text: String, _ style: TerminalStyle) -> String {
    hasStyles ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// The text as part of a line on a terminal, escaped and with at most `count` characters.
  func terminalLine(upTo count: Int) -> String {
    // Escape only what can be shown: the text may have megabytes.
    let text = String(unicodeScalars.prefix(count + 1)).escapedForTerminal
    return text.count <= count ? text : "\(text.prefix(count - 1))…"
  }

  /// The text with spaces at its end, so that it has at least `width` characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension Timestamp {
  /// The time of day in the machine's time zone, such as `14:02:11`.
  var localTimeOfDay: String {
    var (time, local) = (time_t(seconds), tm())
    localtime_r(&time, &local)
    return [local.tm_hour, local.tm_min, local.tm_sec]
      .map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
  }
}
