package import Core

/// A trigger's pattern of paths, such as `conversations/{conversationId}/messages/{messageId}`.
///
/// `{name}` and `*` match one segment; `{name=**}` and `**` match any number of segments. A star
/// within a segment, as in `c*` and `c*1`, matches any text. Source: Eventarc's path patterns, as
/// Google's emulator matches them.
package struct PathPattern: Hashable, Sendable, CustomStringConvertible {
  private enum Part: Hashable {
    case literal(String)
    /// A segment with stars: the texts before, between and after them.
    case parts([String])
    case one(String?)
    case many(String?)
  }

  package let description: String
  private let parts: [Part]

  /// Creates a pattern of documents' paths by parsing a string.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a pattern that can't match any document.
  package init(_ text: String) throws(StatusError) {
    try self.init(ofNodes: text)
    guard segmentCount?.isMultiple(of: 2) != false else {
      throw StatusError(
        .invalidArgument,
        "pattern \(quoted(text)) names a collection, so no document matches"
      )
    }
  }

  /// Creates a pattern of the paths of nodes by parsing a string.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an empty segment.
  package init(ofNodes text: String) throws(StatusError) {
    var parts: [Part] = []
    for segment in text.splitAtSlashes { parts.append(try Self.part(segment, of: text)) }
    self.parts = parts
    description = text
  }

  /// Creates a pattern of objects' names by parsing a string. Slashes separate a name's segments. As
  /// names may have empty segments, braces and stars for one segment don't match an empty one.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an empty segment.
  package init(ofObjects text: String) throws(StatusError) { try self.init(ofNodes: text) }

  /// The number of segments of the paths that match, or `nil` if it varies.
  package var segmentCount: Int? {
    parts.contains { if case .many = $0 { true } else { false } } ? nil : parts.count
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
    let parts = segment.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    return parts.count > 1 ? .parts(parts) : .literal(segment)
  }

  /// The names in braces, such as `conversationId`, in order.
  package var names: [String] {
    parts.compactMap {
      switch $0 {
      case .one(let name), .many(let name): name
      case .literal, .parts: nil
      }
    }
  }

  /// The text of a segment without stars and braces, or `nil` for another segment.
  package func literal(at index: Int) -> String? {
    if case .literal(let text) = parts[index] { text } else { nil }
  }

  /// Returns whether a segment of a path matches the pattern's segment at the same place, which
  /// isn't one for any number of segments.
  package func matches(_ segment: String, at index: Int) -> Bool {
    Self.match(parts[index...index], [segment]) != nil
  }

  /// Returns the parts of a document's path that the names in braces stand for, by name, or `nil`
  /// if the path doesn't match.
  package func match(_ path: ResourcePath) -> [String: String]? { match(path.segments) }

  /// Returns the same of a path's segments.
  package func match(_ segments: [String]) -> [String: String]? {
    Self.match(parts[...], segments[...])
  }

  private static func match(
    _ parts: ArraySlice<Part>,
    _ segments: ArraySlice<String>
  ) -> [String: String]? {
    guard let part = parts.first else { return segments.isEmpty ? [:] : nil }
    if case .many(let name) = part {
      // Tries the shortest span first.
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
    case .literal(let text): return text.hasSameBytes(as: segment) ? captures : nil
    case .parts(let texts): return has(texts, segment) ? captures : nil
    case .one(let name):
      guard !segment.isEmpty else { return nil }
      if let name { captures[name] = segment }
      return captures
    case .many: return nil
    }
  }

  /// Returns whether a segment starts with the first text, ends with the last and contains the
  /// others between them in order.
  private static func has(_ texts: [String], _ segment: String) -> Bool {
    guard let first = texts.first, let last = texts.last else { return false }
    var rest = Array(segment.utf8)[...]
    guard rest.starts(with: first.utf8) else { return false }
    rest = rest.dropFirst(first.utf8.count)
    guard rest.reversed().starts(with: last.utf8.reversed()) else { return false }
    rest = rest.dropLast(last.utf8.count)
    for text in texts.dropFirst().dropLast() where !text.isEmpty {
      guard let start = rest.indices.first(where: { rest[$0...].starts(with: text.utf8) })
      else { return false }
      rest = rest[start...].dropFirst(text.utf8.count)
    }
    return true
  }
}

extension PathPattern {
  /// Returns whether a path may match both patterns. The result may be a false positive, because
  /// any two segments with braces or stars count as overlapping.
  package func overlaps(_ other: PathPattern) -> Bool {
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
      case (.literal(let text), .parts(let texts)), (.parts(let texts), .literal(let text)):
        has(texts, text)
      default: true
      }
    return meets && overlap(first.dropFirst(), second.dropFirst())
  }
}
