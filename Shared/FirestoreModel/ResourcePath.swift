package import Core

/// The part of a resource name after `documents/`: alternating collection and document ids.
///
/// An even number of segments names a document (none: the database's root), an odd number a
/// collection.
package struct ResourcePath: Hashable, Sendable {
  package let segments: [String]

  package static let root = ResourcePath(unchecked: [])

  /// - Throws: `INVALID_ARGUMENT` in Firestore's words for an id it refuses.
  package init(segments: [String]) throws(StatusError) {
    guard segments.count <= 200 else {
      throw StatusError(.invalidArgument, "A path has at most 100 collections.")
    }
    for (index, segment) in segments.enumerated() {
      try Self.check(segment, isCollection: index.isMultiple(of: 2))
    }
    self.segments = segments
  }

  /// - Parameter text: ids separated by `/`, such as `conversations/c1/messages/m1`.
  package init(_ text: String) throws(StatusError) {
    try self.init(segments: text.isEmpty ? [] : text.splitAtSlashes)
  }

  private init(unchecked segments: [String]) { self.segments = segments }

  private static func check(_ id: String, isCollection: Bool) throws(StatusError) {
    let subject = isCollection ? "Collection id" : "Resource id"
    guard !id.isEmpty else {
      throw StatusError(.invalidArgument, "\(subject) is empty: a path has no empty segments.")
    }
    guard id.utf8.count <= 1_500 else {
      throw StatusError(
        .invalidArgument,
        "The key path element name is longer than 1500 bytes."
      )
    }
    guard !id.hasSameBytes(as: "."), !id.hasSameBytes(as: "..") else {
      throw StatusError(
        .invalidArgument,
        "\(subject) \(quoted(id)) is invalid because it is \(quoted(id))."
      )
    }
    guard !id.utf8.contains(UInt8(ascii: "/")) else {
      throw StatusError(
        .invalidArgument,
        "\(subject) \(quoted(id)) is invalid because it contains \"/\"."
      )
    }
    if id.isReservedName, isCollection || numericID(id) == nil {
      throw StatusError(
        .invalidArgument,
        "\(subject) \(quoted(id)) is invalid because it is reserved."
      )
    }
  }

  package var isDocument: Bool { !segments.isEmpty && segments.count.isMultiple(of: 2) }

  /// The last id.
  package var id: String { segments.last ?? "" }

  /// Without the last segment: a document's collection, a collection's document or root.
  package var parent: ResourcePath { ResourcePath(unchecked: Array(segments.dropLast())) }

  /// One segment longer.
  package func appending(_ id: String) throws(StatusError) -> ResourcePath {
    try ResourcePath(segments: segments + [id])
  }

  /// By bytes: Firestore doesn't normalise, while Swift's strings are equal however an é is
  /// encoded.
  package static func == (left: ResourcePath, right: ResourcePath) -> Bool {
    left.segments.elementsEqual(right.segments) { $0.hasSameBytes(as: $1) }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(segments.count)
    for segment in segments { hasher.combine(ByteKey(segment)) }
  }
}

extension ResourcePath: CustomStringConvertible {
  package var description: String { segments.joined(separator: "/") }
}

// MARK: Order

extension ResourcePath: Comparable {
  package static func < (left: ResourcePath, right: ResourcePath) -> Bool {
    compare(left.segments, right.segments) < 0
  }

  /// By project, database, then segment by segment; names that don't parse stand as bytes.
  static func compareNames(_ left: String, _ right: String) -> Int {
    guard let leftName = try? DocumentName(left), let rightName = try? DocumentName(right) else {
      return orderBytes(left.utf8, right.utf8)
    }
    let databases = orderBytes(
      leftName.database.description.utf8,
      rightName.database.description.utf8
    )
    return databases != 0 ? databases : compare(leftName.path.segments, rightName.path.segments)
  }

  private static func compare(_ left: [String], _ right: [String]) -> Int {
    for (index, pair) in zip(left, right).enumerated() {
      // Numeric document ids, __id7__, stand before all others and by their number.
      let numbers = index.isMultiple(of: 2) ? (nil, nil) : (numericID(pair.0), numericID(pair.1))
      let result =
        switch numbers {
        case (let leftNumber?, let rightNumber?): order(leftNumber, rightNumber)
        case (.some, nil): -1
        case (nil, .some): 1
        case (nil, nil): orderBytes(pair.0.utf8, pair.1.utf8)
        }
      if result != 0 { return result }
    }
    return order(left.count, right.count)
  }

  /// The number of a numeric document id, `__id7__`.
  package static func numericID(_ id: String) -> Int64? {
    // The first byte decides for nearly all ids, and sorting asks often.
    guard id.utf8.first == UInt8(ascii: "_"), id.isReservedName, id.utf8.starts(with: "__id".utf8),
      id.utf8.count > 6, let digits = String(id.utf8.dropFirst(4).dropLast(2))
    else { return nil }
    // Only the shortest form: __id07__ is an ordinary reserved name.
    guard let number = Int64(digits), String(number).hasSameBytes(as: digits) else { return nil }
    return number
  }
}

extension String {
  /// Names that begin and end with two underscores are Firestore's own.
  package var isReservedName: Bool {
    utf8.count >= 4 && utf8.starts(with: "__".utf8) && utf8.suffix(2).elementsEqual("__".utf8)
  }

  /// The parts between slashes, empty ones included. A slash separates whatever follows it, even
  /// a combining mark, which makes one character of the two.
  package var splitAtSlashes: [String] {
    // Between ASCII characters, a valid string's bytes are valid strings.
    var text = self
    return text.withUTF8 { bytes in
      bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
