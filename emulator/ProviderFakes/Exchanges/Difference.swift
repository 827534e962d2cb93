package import Core

/// A difference between two JSON values at one path.
package struct Difference: Sendable, Hashable, CustomStringConvertible {
  /// The field names and indices from the root, such as `reply.result.present[0]`.
  package var path: String
  /// The expected value, or `nil` if no value is expected.
  package var expected: JSONValue?
  /// The actual value, or `nil` if it is missing.
  package var actual: JSONValue?

  package var description: String {
    // If a text is long, most of the beginning that both texts share is left out.
    var start = 0
    if let old = expected?.line, let new = actual?.line, max(old.count, new.count) > Self.length {
      start = max(0, zip(old, new).prefix { $0 == $1 }.count - Self.context)
    }
    let texts = [expected, actual].map { Self.text($0, from: start) }
    return "\(path): expected \(texts[0]), was \(texts[1])"
  }

  /// The number of characters of a value that are shown.
  private static let length = 200
  /// The number of equal characters that are shown before the difference.
  private static let context = 40

  private static func text(_ value: JSONValue?, from start: Int) -> String {
    guard let value else { return "nothing" }
    let line = value.line.dropFirst(start)
    return (start > 0 ? "…" : "") + line.prefix(length) + (line.count > length ? "…" : "")
  }

  /// Returns all differences, ordered by path.
  package static func all(
    expected: JSONValue?,
    actual: JSONValue?,
    at path: String = ""
  ) -> [Difference] {
    if expected == actual { return [] }
    switch (expected, actual) {
    case (.object(let old)?, .object(let new)?):
      return Set(old.keys).union(new.keys).sorted().flatMap { name in
        all(
          expected: old[name],
          actual: new[name],
          at: path.isEmpty ? name.string : "\(path).\(name)"
        )
      }
    case (.array(let old)?, .array(let new)?):
      return (0..<max(old.count, new.count)).flatMap { index in
        all(
          expected: old.indices.contains(index) ? old[index] : nil,
          actual: new.indices.contains(index) ? new[index] : nil,
          at: "\(path)[\(index)]"
        )
      }
    default: return [Difference(path: path, expected: expected, actual: actual)]
    }
  }
}
