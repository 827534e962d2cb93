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
    try await skip(past: boundary, atMost: Self.maximumHeaderBytes)
    let head = try await take(until: Data("\r\n\r\n".utf8), atMost: Self.maximumHeaderBytes)
    var headers: [String: String] = [:]
    for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " || $0 == "\t" })
    }
    return headers
  }

  /// Returns the content of a part that isn't large.
  mutating func smallPart(atMost limit: Int) async throws(StorageError) -> Data {
    try await take(until: Data("\r\n".utf8) + boundary, atMost: limit, keepingEnd: true)
  }

  /// Passes the content of the last part to a closure in pieces.
  mutating func lastPart(
    _ consume: (Data) throws(StorageError) -> Void
  ) async throws(StorageError) {
    let end = Data("\r\n".utf8) + boundary
    while true {
      if let start = buffer.firstIndex(ofBytes: end) {
        if start > 0 { try consume(Data(buffer.prefix(start))) }
        // What follows the last boundary has no meaning.
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

  private mutating func skip(past text: Data, atMost limit: Int) async throws(StorageError) {
    _ = try await take(until: text, atMost: limit)
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
        }
      }
      if String(Substring(own)).lowercased() == name { return String(Substring(value)) }
    }
    return nil
  }
}
