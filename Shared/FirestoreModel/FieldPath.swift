package import Core

/// A parsed path to a field, such as `` translations.`pt-BR` ``.
///
/// A segment that doesn't match `[A-Za-z_][A-Za-z_0-9]*` is quoted in backticks, where a backslash
/// escapes a backtick or a backslash.
package struct FieldPath: Hashable, Sendable {
  /// The field names, from the outermost field to the innermost; never empty.
  package let segments: [ByteKey]

  /// Creates a path from field names. They aren't parsed, so a dot is part of the name.
  package init(_ first: String, _ rest: String...) {
    segments = ([first] + rest).map { ByteKey($0) }
  }

  package init(_ first: ByteKey, _ rest: ByteKey...) { segments = [first] + rest }

  package init(segments: [ByteKey]) throws(StatusError) {
    guard !segments.isEmpty, !segments.contains("") else {
      throw StatusError(.invalidArgument, "Invalid empty property path string.")
    }
    self.segments = segments
  }

  /// Creates a path by parsing a string.
  ///
  /// - Throws: `INVALID_ARGUMENT`, with Firestore's own message, if the text isn't a valid path.
  package init(parsing text: String) throws(StatusError) {
    try self.init(segments: try Self.parse(text))
  }

  private static func parse(_ text: String) throws(StatusError) -> [ByteKey] {
    guard !text.isEmpty else {
      throw StatusError(.invalidArgument, "Invalid empty property path string.")
    }
    /// The error of a path against the grammar; most paths are right and don't need its text.
    var grammar: StatusError {
      StatusError(
        .invalidArgument,
        "Invalid property path \(quoted(text)). Unquoted property paths must match regex "
          + "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
          + "(`(?:[^`\\\\]|(?:\\\\.))+`)"
      )
    }
    var segments: [ByteKey] = []
    var rest = text.unicodeScalars[...]
    while true {
      var segment = String.UnicodeScalarView()
      if rest.first == "`" {
        rest.removeFirst()
        while true {
          guard let scalar = rest.popFirst() else { throw grammar }
          if scalar == "`" { break }
          guard scalar == "\\" else {
            segment.append(scalar)
            continue
          }
          guard let escaped = rest.popFirst() else { throw grammar }
          segment.append(escaped)
        }
      } else {
        while let scalar = rest.first, scalar != "." {
          segment.append(scalar)
          rest.removeFirst()
        }
        guard isBare(segment) else { throw grammar }
      }
      guard !segment.isEmpty else { throw grammar }
      segments.append(ByteKey(String(segment)))
      guard let separator = rest.popFirst() else { return segments }
      guard separator == "." else { throw grammar }
    }
  }

  private static func isBare(_ segment: String.UnicodeScalarView) -> Bool {
    guard let first = segment.first, !("0"..."9").contains(first) else { return false }
    return segment.allSatisfy {
      switch $0 {
      case "a"..."z", "A"..."Z", "0"..."9", "_": true
      default: false
      }
    }
  }

  /// The path `__name__`: the document's name, which orders and filters of a query may use like a
  /// field.
  package static let documentName = FieldPath("__name__")

  package func appending(_ segment: ByteKey) -> FieldPath {
    var path = segments
    path.append(segment)
    return FieldPath(unchecked: path)
  }

  private init(unchecked segments: [ByteKey]) { self.segments = segments }
}

extension FieldPath: CustomStringConvertible, Comparable {
  /// The path as sent over the network, quoted where the grammar requires it.
  package var description: String {
    segments.map { segment in
      if Self.isBare(segment.string.unicodeScalars) { return segment.string }
      // Iterate over scalars: a backtick and a following combining mark are one Character.
      var escaped = String.UnicodeScalarView()
      for scalar in segment.string.unicodeScalars {
        if scalar == "\\" || scalar == "`" { escaped.append("\\") }
        escaped.append(scalar)
      }
      return "`\(String(escaped))`"
    }.joined(separator: ".")
  }

  package static func < (left: FieldPath, right: FieldPath) -> Bool {
    left.segments.lexicographicallyPrecedes(right.segments)
  }
}

extension FieldPath: Codable {
  package init(from decoder: any Decoder) throws {
    self = try decoder.decodeText { try FieldPath(parsing: $0) }
  }

  package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

// MARK: Reading and writing fields by path

extension Fields {
  /// The value at a path, or `nil` if there is none.
  package subscript(path: FieldPath) -> FirestoreModel.Value? {
    var value = self[path.segments[0]]
    for segment in path.segments.dropFirst() { value = value?.mapValue?[segment] }
    return value
  }

  /// Sets the value at a path. Creates missing maps on the way, and replaces values on the way that
  /// aren't maps.
  package mutating func set(_ value: FirestoreModel.Value, at path: FieldPath) {
    set(value, at: path.segments[...])
  }

  /// Removes the value at a path, if there is one.
  package mutating func remove(at path: FieldPath) {
    guard self[path] != nil else { return }
    set(nil, at: path.segments[...])
  }

  private mutating func set(_ value: FirestoreModel.Value?, at path: ArraySlice<ByteKey>) {
    guard let name = path.first else { return }
    guard path.count > 1 else {
      self[name] = value
      return
    }
    var inner = self[name]?.mapValue ?? [:]
    inner.set(value, at: path.dropFirst())
    self[name] = .map(inner)
  }
}
