import Core

/// A range of an object's bytes, from a Range header.
struct ByteRange: Sendable, Hashable {
  var lowerBound: Int64
  /// The position after the last byte.
  var upperBound: Int64

  var count: Int64 { upperBound - lowerBound }

  /// Returns the range that a header asks for, or `nil` if the whole object is sent: without a
  /// header, and for several ranges or a header of another form, as RFC 9110 allows.
  ///
  /// - Throws: An error with the status 416 if the object ends before the range.
  static func parse(_ header: String?, size: Int64) throws(StorageError) -> ByteRange? {
    guard let header, header.hasPrefix("bytes=") else { return nil }
    let bounds = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return nil }
    let (first, last) = (position(bounds[0]), position(bounds[1]))
    guard first != nil || bounds[0].isEmpty, last != nil || bounds[1].isEmpty else { return nil }
    var range = ByteRange(lowerBound: 0, upperBound: size)
    switch (first, last) {
    case (nil, nil): return nil
    case (nil, let count?):
      guard count > 0, size > 0 else { break }
      return ByteRange(lowerBound: max(0, size - count), upperBound: size)
    case (let first?, let last):
      range.lowerBound = first
      if let last {
        guard last >= first else { return nil }
        range.upperBound = last < size ? last + 1 : size
      }
      if first < size { return range }
    }
    throw .rangeNotSatisfiable("The requested range is outside of the object's \(size) bytes.")
  }
}

extension ByteRange {
  /// Returns a position; a number that is too large becomes the largest one.
  private static func position(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text) ?? .max
  }
}

/// The position of a chunk in an upload, from a Content-Range header: `bytes 0-9/20`, `bytes 0-9/*`,
/// `bytes */20` or `bytes */*`.
struct ContentRange: Sendable, Hashable {
  /// The positions of the chunk's first byte and after its last, or `nil` if there are no bytes.
  var bytes: ByteRange?
  /// The size of the whole content, or `nil` if it isn't known yet.
  var total: Int64?

  init(_ header: String) throws(StorageError) {
    let error = StorageError.invalid(
      "Content-Range is not of the form bytes FIRST-LAST/TOTAL, bytes FIRST-LAST/* or bytes */TOTAL"
    )
    guard header.hasPrefix("bytes ") else { throw error }
    let parts = header.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw error }
    if parts[1] != "*" {
      guard let total = Int64(parts[1]), total >= 0 else { throw error }
      self.total = total
    }
    guard parts[0] != "*" else { return }
    let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, let first = Int64(bounds[0]), let last = Int64(bounds[1]), first >= 0,
      last >= first, last < .max, total.map({ last < $0 }) ?? true
    else { throw error }
    bytes = ByteRange(lowerBound: first, upperBound: last + 1)
  }
}
