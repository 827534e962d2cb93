import Core
import FirestoreModel

extension [StructuredQuery.Order] {
  /// Parses the `order_by` of ListDocuments: field paths separated by commas. Each may be followed
  /// by `asc` or `desc`.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an invalid path, or for another word after a path.
  init(parsing text: String) throws(StatusError) {
    self = []
    guard text.unicodeScalars.contains(where: { $0 != " " }) else { return }
    for part in Self.splitAtCommas(text) {
      // A quoted name may contain spaces, so look for a direction only after the last space.
      var path = part.trimmed
      var direction: StructuredQuery.Direction?
      if let space = path.lastIndex(of: " ") {
        switch String(path[path.index(after: space)...]).lowercased() {
        case "asc": direction = .ascending
        case "desc": direction = .descending
        default: break
        }
        if direction != nil { path = path[..<space].trimmed }
      }
      guard let path = try? FieldPath(parsing: String(path)) else {
        throw StatusError(.invalidArgument, "Invalid order by clause \(quoted(text)).")
      }
      append(StructuredQuery.Order(path, direction))
    }
  }

  private static func splitAtCommas(_ text: String) -> [Substring.UnicodeScalarView] {
    let scalars = text.unicodeScalars
    var parts: [Substring.UnicodeScalarView] = []
    var start = scalars.startIndex
    var isQuoted = false
    var isEscaped = false
    for (index, scalar) in zip(scalars.indices, scalars) {
      if scalar == ",", !isQuoted {
        parts.append(scalars[start..<index])
        start = scalars.index(after: index)
      } else if scalar == "`", !isEscaped {
        isQuoted.toggle()
      }
      isEscaped = scalar == "\\" && !isEscaped
    }
    return parts + [scalars[start...]]
  }
}

extension Substring.UnicodeScalarView {
  fileprivate var trimmed: Self {
    var result = drop { $0 == " " }
    while result.last == " " { result.removeLast() }
    return result
  }
}
