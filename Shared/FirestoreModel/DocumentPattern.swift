import JSONCoding
package import RPCStatus

/// A trigger's document pattern, `conversations/{conversationId}/messages/{messageId}`.
///
/// `{name}` and `*` stand for one segment, `{name=**}` and `**` for any number of them, and a
/// segment such as `c*` for what begins so. Source: Eventarc's path patterns, as Google's
/// emulator matches them.
package struct DocumentPattern: Hashable, Sendable, CustomStringConvertible {
  private enum Part: Hashable {
    case literal(String)
    case prefix(String)
    case one(String?)
    case many(String?)
  }

  package let description: String
  private let parts: [Part]

  /// - Throws: `INVALID_ARGUMENT` for a pattern that can never match a document.
  package init(_ text: String) throws(StatusError) {
    var parts: [Part] = []
    for segment in text.splitAtSlashes { parts.append(try Self.part(segment, of: text)) }
    let spans = parts.contains { if case .many = $0 { true } else { false } }
    guard spans || parts.count.isMultiple(of: 2) else {
      throw StatusError(
        .invalidArgument,
        "pattern \(quoted(text)) names a collection, so no document matches"
      )
    }
    self.parts = parts
    description = text
  }

  private static func part(_ segment: String, of text: String) throws(StatusError) -> Part {
    switch segment {
    case "": throw StatusError(.invalidArgument, "pattern \(quoted(text)) has an empty segment")
    case "*": return .one(nil)
    case "**": return .many(nil)
    default: break
    }
    if segment.hasPrefix("{"), segment.hasSuffix("}") {
      let name = segment.dropFirst().dropLast()
      if name.hasSuffix("=**") { return .many(String(name.dropLast(3))) }
      if name.hasSuffix("=*") { return .one(String(name.dropLast(2))) }
      return .one(String(name))
    }
    if segment.hasSuffix("*") { return .prefix(String(segment.dropLast())) }
    return .literal(segment)
  }

  /// The names of the captures, in order.
  package var names: [String] {
    parts.compactMap {
      switch $0 {
      case .one(let name), .many(let name): name
      case .literal, .prefix: nil
      }
    }
  }

  /// What each `{name}` stands for in a document's path, or nil if the path doesn't match.
  package func match(_ path: ResourcePath) -> [String: String]? {
    Self.match(parts[...], path.segments[...])
  }

  private static func match(
    _ parts: ArraySlice<Part>,
    _ segments: ArraySlice<String>
  ) -> [String: String]? {
    guard let part = parts.first else { return segments.isEmpty ? [:] : nil }
    if case .many(let name) = part {
      // The shortest span that lets the rest match.
      for count in 0...segments.count {
        guard var captures = match(parts.dropFirst(), segments.dropFirst(count)) else { continue }
        if let name { captures[name] = segments.prefix(count).joined(separator: "/") }
        return captures
      }
      return nil
    }
    guard let segment = segments.first,
      var captures = match(parts.dropFirst(), segments.dropFirst())
    else { return nil }
    switch part {
    case .literal(let text): return text == segment ? captures : nil
    case .prefix(let text): return segment.hasPrefix(text) ? captures : nil
    case .one(let name):
      if let name { captures[name] = segment }
      return captures
    case .many: return nil
    }
  }
}

extension DocumentPattern {
  /// Whether a path can match both. Captures stand for anything, so it may say yes too often.
  package func overlaps(_ other: DocumentPattern) -> Bool {
    Self.overlap(parts[...], other.parts[...])
  }

  private static func overlap(_ first: ArraySlice<Part>, _ second: ArraySlice<Part>) -> Bool {
    if case .many? = first.first {
      return (0...second.count).contains { overlap(first.dropFirst(), second.dropFirst($0)) }
    }
    if case .many? = second.first { return overlap(second, first) }
    guard let one = first.first, let other = second.first else {
      return first.isEmpty && second.isEmpty
    }
    let meets =
      switch (one, other) {
      case (.literal(let text), .literal(let other)): text == other
      case (.literal(let text), .prefix(let start)), (.prefix(let start), .literal(let text)):
        text.hasPrefix(start)
      case (.prefix(let start), .prefix(let other)):
        start.hasPrefix(other) || other.hasPrefix(start)
      default: true
      }
    return meets && overlap(first.dropFirst(), second.dropFirst())
  }
}
