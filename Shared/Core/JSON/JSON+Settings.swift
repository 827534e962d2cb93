extension JSON {
  /// Parses a file of settings that people write: JSON that may have comments, as in Firebase's
  /// tools. A trailing comma is refused, since those tools refuse it, too.
  ///
  /// - Parameters:
  ///   - what: The file's name in messages.
  ///   - allowsRepeatedNames: Whether an object may repeat a field's name.
  /// - Throws: `INVALID_ARGUMENT` with the line and column at which the JSON is invalid, or with the
  ///   name that an object repeats.
  package static func parseSettings(
    _ data: Data,
    what: String,
    allowsRepeatedNames: Bool = true
  ) throws(StatusError) -> JSONValue {
    guard data.isValidUTF8 else {
      throw StatusError(.invalidArgument, "\(what) is not a text in UTF-8")
    }
    let limits = JSONLimits(allowsRepeatedNames: allowsRepeatedNames, allowsComments: true)
    do throws(JSONParser.Malformed) {
      return try JSONParser.parse(data, limits: limits)
    } catch {
      if let name = error.repeatedName {
        throw StatusError(.invalidArgument, "\(what): \(quoted(name)) appears twice in an object")
      }
      let before = data.prefix(error.offset)
      let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
      let line = before.count { $0 == 0x0A } + 1
      let column = String(decoding: before[lineStart...], as: UTF8.self).unicodeScalars.count + 1
      let problem =
        error.isTooDeep
        ? "nested too deeply: at most \(limits.depth) objects and arrays may contain each other"
        : problem(of: data, at: error.offset)
      throw StatusError(
        .invalidArgument,
        "\(what), line \(line), column \(column): \(problem)"
      )
    }
  }

  /// Returns what is wrong with invalid JSON at an offset.
  private static func problem(of data: Data, at offset: Int) -> String {
    let rest = String(decoding: data.dropFirst(offset).prefix(16), as: UTF8.self)
    guard let found = rest.unicodeScalars.first else { return "the JSON ends too early" }
    let last = data.prefix(offset).last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    switch (found, last) {
    case ("}", UInt8(ascii: ",")), ("]", UInt8(ascii: ",")):
      return "remove the comma before \(found)"
    case ("\"", _): return "a comma or a colon is missing before \""
    case ("'", _): return "a text needs double quotes"
    case ("\n", _), ("\r", _): return "a text has no end in this line"
    case ("/", _): return "a comment has no end"
    default: return "unexpected \(quoted(String(found)))"
    }
  }
}
