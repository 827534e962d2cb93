extension String {
  /// The text in a form that is safe in a line of a terminal: control characters, line breaks and
  /// invisible characters are escaped, such as `\u{1B}`.
  ///
  /// The joiners of emoji and of letters are kept.
  var escapedForTerminal: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .format where scalar == "\u{200C}" || scalar == "\u{200D}":
        escaped.unicodeScalars.append(scalar)
      case .control, .format, .lineSeparator, .paragraphSeparator:
        escaped += scalar.escaped(asASCII: true)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
