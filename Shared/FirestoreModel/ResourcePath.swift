package import Core

/// The part of a resource name after `documents/`: alternating collection and document IDs.
///
/// A path with an even number of segments names a document, or the root if it is empty. A path with
/// an odd number names a collection.
package struct ResourcePath: Hashable, Sendable {
  package let segments: [String]

  package static let root = ResourcePath(unchecked: [])

  /// - Throws: `INVALID_ARGUMENT`, with Firestore's own message, if Firestore refuses one of the
  ///   IDs.
  package init(segments: [String]) throws(StatusError) {
    guard segments.count <= 200 else {
      throw StatusError(.invalidArgument, "A path has at most 100 collections.")
    }
    for (index, segment) in segments.enumerated() {
      try Self.check(segment, isCollection: index.isMultiple(of: 2))
    }
    self.segments = segments
  }

  /// Creates a path by parsing a string.
  ///
  /// - Parameter text: IDs separated by `/`, such as `conversations/c1/messages/m1`.
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

  /// The last ID, or an empty string for the root.
  package var id: String { segments.last ?? "" }

  /// The path without its last segment: the collection of a document, or the document or root above
  /// a collection.
  package var parent: ResourcePath { ResourcePath(unchecked: Array(segments.dropLast())) }

  /// Returns the path with one more segment.
  package func appending(_ id: String) throws(StatusError) -> ResourcePath {
    try ResourcePath(segments: segments + [id])
  }

  /// Compares bytes, as Firestore does. Swift's `==` for strings would treat the two encodings of é
  /// as equal.
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

  /// Compares document names by project, then database, then segments. If one of the names can't be
  /// parsed, compares their bytes.
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
      // Numeric document IDs, such as __id7__, come before all others and are ordered by their
      // number.
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

  /// Returns the number of a numeric document ID such as `__id7__`, or `nil` for any other.
  package static func numericID(_ id: String) -> Int64? {
    // Check the first byte first: sorting calls this often, and nearly all IDs fail this check.
    guard id.utf8.first == UInt8(ascii: "_"), id.isReservedName, id.utf8.starts(with: "__id".utf8),
      id.utf8.count > 6, let digits = String(id.utf8.dropFirst(4).dropLast(2))
    else { return nil }
    // A number with leading zeros doesn't count: __id07__ is an ordinary reserved name.
    guard let number = Int64(digits), String(number).hasSameBytes(as: digits) else { return nil }
    return number
  }
}

extension String {
  /// A Boolean value that indicates whether the name begins and ends with two underscores, which
  /// Firestore reserves.
  package var isReservedName: Bool {
    utf8.count >= 4 && utf8.starts(with: "__".utf8) && utf8.suffix(2).elementsEqual("__".utf8)
  }

  /// The parts between slashes, including empty ones. A slash followed by a combining mark
  /// separates too, although the two are one Character.
  package var splitAtSlashes: [String] {
    // Splitting valid UTF-8 at an ASCII byte yields valid UTF-8.
    var text = self
    return text.withUTF8 { bytes in
      bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
