package import Core
import FirestoreModel

extension ObjectMetadata {
  /// Creates metadata from a resource `storage#object`, as in the journal.
  ///
  /// - Throws: `INVALID_ARGUMENT` that names the member that is missing or wrong.
  package init(resource: JSONObject) throws(StatusError) {
    func text(_ name: ByteKey) throws(StatusError) -> String {
      guard let text = resource[name]?.string else {
        throw StatusError(.invalidArgument, "an object's metadata has no \(name)")
      }
      return text
    }
    func number(_ name: ByteKey) throws(StatusError) -> Int64 {
      guard let number = Int64(try text(name)), number >= 0 else {
        throw StatusError(.invalidArgument, "an object's \(name) is not a number")
      }
      return number
    }
    let crc32c = try Self.bytes(text("crc32c"), count: 4, "crc32c")
    self.init(
      bucket: try text("bucket"),
      name: try text("name"),
      generation: try number("generation"),
      metageneration: try number("metageneration"),
      size: try number("size"),
      crc32c: crc32c.reduce(0) { $0 << 8 | UInt32($1) },
      md5: try resource["md5Hash"]?.string.map { text throws(StatusError) in
        try Self.bytes(text, count: 16, "md5Hash")
      },
      componentCount: resource["componentCount"]?.integer,
      timeCreated: try Timestamp(text("timeCreated")),
      updated: try Timestamp(text("updated")),
      attributes: try ObjectAttributes(stored: resource)
    )
  }

  /// Returns the bytes of a checksum in base64.
  ///
  /// - Throws: `INVALID_ARGUMENT` that names the checksum.
  static func bytes(
    _ text: String,
    count: Int,
    _ name: String
  ) throws(StatusError) -> [UInt8] {
    guard let bytes = Data(base64Encoded: text), bytes.count == count else {
      throw StatusError(.invalidArgument, "\(name) is not the base64 of \(count) bytes")
    }
    return [UInt8](bytes)
  }
}

extension JSONValue {
  var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}
