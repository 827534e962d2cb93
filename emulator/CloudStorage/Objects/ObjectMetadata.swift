import Core
package import FirestoreModel

/// The metadata of one generation of an object.
package struct ObjectMetadata: Sendable, Hashable {
  package var bucket: String
  package var name: String
  /// The number of the content: the time of the upload in microseconds since 1970, or more.
  package var generation: Int64
  /// The number of the metadata: 1 for a new generation.
  package var metageneration: Int64 = 1
  /// The size of the content in bytes.
  package var size: Int64
  package var crc32c: UInt32
  /// The 16 bytes of the content's MD5, or `nil` for an object that was composed of others.
  package var md5: [UInt8]?
  /// The number of objects that this one was composed of, or `nil` for an uploaded object.
  package var componentCount: Int64?
  package var timeCreated: Timestamp
  package var updated: Timestamp
  package var attributes: ObjectAttributes

  package init(
    bucket: String,
    name: String,
    generation: Int64,
    metageneration: Int64 = 1,
    size: Int64,
    crc32c: UInt32,
    md5: [UInt8]? = nil,
    componentCount: Int64? = nil,
    timeCreated: Timestamp,
    updated: Timestamp,
    attributes: ObjectAttributes
  ) {
    self.bucket = bucket
    self.name = name
    self.generation = generation
    self.metageneration = metageneration
    self.size = size
    self.crc32c = crc32c
    self.md5 = md5
    self.componentCount = componentCount
    self.timeCreated = timeCreated
    self.updated = updated
    self.attributes = attributes
  }

  /// The part of the metadata that identifies the generation and its metadata in caches.
  package var etag: String {
    // Production's entity tags are a protobuf message with these two numbers.
    var bytes: [UInt8] = [0x08]
    bytes.appendVarint(UInt64(bitPattern: generation))
    bytes.append(0x10)
    bytes.appendVarint(UInt64(bitPattern: metageneration))
    return Data(bytes).base64EncodedString()
  }

  /// The base64 of the CRC-32C, the highest byte first.
  package var crc32cText: String {
    withUnsafeBytes(of: crc32c.bigEndian) { Data($0) }.base64EncodedString()
  }

  /// The base64 of the MD5, or `nil` for a composed object.
  package var md5Text: String? { md5.map { Data($0).base64EncodedString() } }
}

extension [UInt8] {
  fileprivate mutating func appendVarint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
