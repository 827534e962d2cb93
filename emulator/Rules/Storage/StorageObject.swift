package import Core
package import FirestoreModel

/// The metadata of an object in Cloud Storage, as rules see it.
package struct StorageObject: Sendable {
  /// The complete name, such as `avatars/alice/face.png`.
  package var name: String
  package var bucket: String
  package var generation: Int64
  package var metageneration: Int64
  /// The number of bytes.
  package var size: Int64
  package var timeCreated: Timestamp
  package var updated: Timestamp
  /// The MD5 hash in Base64, or `nil` if the object has none.
  package var md5Hash: String?
  /// The CRC32C checksum in Base64.
  package var crc32c: String?
  package var etag: String?
  package var storageClass: String?
  package var contentType: String?
  package var contentDisposition: String?
  package var contentEncoding: String?
  package var contentLanguage: String?
  package var cacheControl: String?
  /// The custom metadata.
  package var metadata: [ByteKey: String]

  package init(
    name: String,
    bucket: String,
    generation: Int64,
    metageneration: Int64,
    size: Int64,
    timeCreated: Timestamp,
    updated: Timestamp,
    md5Hash: String? = nil,
    crc32c: String? = nil,
    etag: String? = nil,
    storageClass: String? = nil,
    contentType: String? = nil,
    contentDisposition: String? = nil,
    contentEncoding: String? = nil,
    contentLanguage: String? = nil,
    cacheControl: String? = nil,
    metadata: [ByteKey: String] = [:]
  ) {
    self.name = name
    self.bucket = bucket
    self.generation = generation
    self.metageneration = metageneration
    self.size = size
    self.timeCreated = timeCreated
    self.updated = updated
    self.md5Hash = md5Hash
    self.crc32c = crc32c
    self.etag = etag
    self.storageClass = storageClass
    self.contentType = contentType
    self.contentDisposition = contentDisposition
    self.contentEncoding = contentEncoding
    self.contentLanguage = contentLanguage
    self.cacheControl = cacheControl
    self.metadata = metadata
  }
}
