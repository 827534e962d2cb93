import Core
import HTTPService

/// The reader of a body of the type `multipart/related`: a part with metadata, then a part with
/// content, which may be large.
///
/// Source: RFC 2046, section 5.1.1.
struct MultipartBody {
  private static let maximumHeaderBytes = 16 << 10

  private let body: RequestBody
  private let boundary: Data
  private var buffer = Data()
  /// The line break of the body: CR LF, or LF alone, which gcloud sends.
  private var lineBreak = "\r\n"
  private var isAtEnd = false

  /// Creates a reader.
  ///
  /// - Parameter contentType: The header Content-Type, which has the boundary.
  init(_ body: RequestBody, contentType: String?) throws(StorageError) {
    guard let boundary = contentType?.parameter("boundary"), !boundary.isEmpty,
      boundary.utf8.count <= 200
    else { throw .invalid("Content-Type has no boundary") }
    self.body = body
    self.boundary = Data("--\(boundary)".utf8)
  }

  private mutating func fill() async throws(StorageError) {
    do throws(StatusError) {
      guard let piece = try await body.next() else {
        isAtEnd = true
        return
      }
      buffer.append(piece)
    } catch {
      throw StorageError(error)
    }
  }

  private static let cutOff = StorageError.invalid(
    "the multipart body is cut off: it doesn't end with its boundary"
  )

  /// Moves to the next part, and returns its headers, with names in lower case.
  mutating func nextPart() async throws(StorageError) -> [String: String] {
    _ = try await take(until: boundary, atMost: Self.maximumHeaderBytes)
    // The boundary is preceded by a line break, which is one for the part's content.
    lineBreak = try await startsWithCarriageReturn() ? "\r\n" : "\n"
    let head = try await take(
      until: Data((lineBreak + lineBreak).utf8),
      atMost: Self.maximumHeaderBytes
    )
    var headers: [String: String] = [:]
    for line in head.split(separator: UInt8(ascii: "\n")) {
      let parts = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = parts[1].trimmed
    }
    return headers
  }

  private mutating func startsWithCarriageReturn() async throws(StorageError) -> Bool {
    while buffer.isEmpty, !isAtEnd { try await fill() }
    return buffer.first == UInt8(ascii: "\r")
  }

  /// The line break and the boundary, which end a part.
  private var end: Data { Data(lineBreak.utf8) + boundary }

  /// Returns the content of a part that isn't large.
  mutating func smallPart(atMost limit: Int) async throws(StorageError) -> Data {
    try await take(until: end, atMost: limit, keepingEnd: true)
  }

  /// Passes the content of the last part to a closure in pieces.
  mutating func lastPart(
    _ consume: (Data) throws(StorageError) -> Void
  ) async throws(StorageError) {
    let end = end
    while true {
      if let start = buffer.firstIndex(ofBytes: end) {
        if start > 0 { try consume(Data(buffer.prefix(start))) }
        // The rest of the body, after the last boundary, has no meaning.
        while !isAtEnd {
          buffer = Data()
          try await fill()
        }
        return
      }
      guard !isAtEnd else { throw Self.cutOff }
      // The boundary may begin in the last bytes.
      let safe = buffer.count - (end.count - 1)
      if safe > 0 {
        try consume(Data(buffer.prefix(safe)))
        buffer = Data(buffer.dropFirst(safe))
      }
      try await fill()
    }
  }

  /// Removes and returns the bytes before a text. The text is removed, too.
  private mutating func take(
    until text: Data,
    atMost limit: Int,
    keepingEnd: Bool = false
  ) async throws(StorageError) -> Data {
    while true {
      if let start = buffer.firstIndex(ofBytes: text) {
        let taken = Data(buffer.prefix(start))
        buffer = Data(buffer.dropFirst(keepingEnd ? start : start + text.count))
        return taken
      }
      guard !isAtEnd else { throw Self.cutOff }
      guard buffer.count <= limit else {
        throw .invalid("a part of the multipart body is larger than \(limit) bytes")
      }
      try await fill()
    }
  }
}

extension Data {
  /// Returns the offset of the first occurrence of some bytes, or `nil` if there is none.
  fileprivate func firstIndex(ofBytes bytes: Data) -> Int? {
    withUnsafeBytes { text in
      bytes.withUnsafeBytes { wanted in
        guard let start = text.baseAddress, let wantedStart = wanted.baseAddress else { return nil }
        var offset = 0
        while offset + wanted.count <= text.count {
          let rest = text.count - wanted.count + 1 - offset
          guard let found = memchr(start + offset, Int32(wanted[0]), rest) else { return nil }
          offset = UnsafeRawPointer(found) - start
          if memcmp(start + offset, wantedStart, wanted.count) == 0 { return offset }
          offset += 1
        }
        return nil
      }
    }
  }
}

extension String {
  /// Returns a parameter of a header such as Content-Type, without quotation marks, or `nil` if it
  /// isn't there.
  func parameter(_ name: String) -> String? {
    var rest = utf8.drop { $0 != UInt8(ascii: ";") }
    while rest.popFirst() != nil {
      rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      let own = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
      rest = rest[own.endIndex...]
      var value = ""[...].utf8
      if rest.first == UInt8(ascii: "=") {
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "\"") {
          value = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
          rest = rest[value.endIndex...].drop { $0 != UInt8(ascii: ";") }
        } else {
          value = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
          rest = rest[value.endIndex...].drop { $0 != UInt8(ascii: ";") }
          // gcloud's quotation marks are single.
          if value.count > 1, value.first == UInt8(ascii: "'"), value.last == UInt8(ascii: "'") {
            value = value.dropFirst().dropLast()
          }
        }
      }
      if String(Substring(own)).lowercased() == name { return String(Substring(value)) }
    }
    return nil
  }
}

extension Substring {
  /// The text without white space at its ends.
  fileprivate var trimmed: String {
    var text = self
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
