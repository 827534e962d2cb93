import Core

/// The value that stands for an object: the variables `resource` and `request.resource`.
///
/// A member that the object doesn't have is null, as in production, and so is `metadata` if there
/// is no custom metadata.
final class ObjectMembers: RulesMembers {
  private static let commonKeys: [ByteKey] = [
    "name", "bucket", "generation", "metageneration", "size", "md5Hash", "crc32c", "etag",
    "storageClass", "contentType", "contentDisposition", "contentEncoding", "contentLanguage",
    "cacheControl", "metadata",
  ]

  private let object: StorageObject
  /// The stored object with the version that rules see, or `nil` if the object isn't stored yet.
  private let stored: StorageObject?
  /// A Boolean value that indicates whether there are `timeCreated` and `updated`.
  private let hasTimes: Bool

  /// Creates the value of a stored object.
  init(_ object: StorageObject) {
    self.object = object
    stored = object
    hasTimes = true
  }

  /// Creates the value of an object as it will be after a write.
  ///
  /// As in production, it has no times. Its version is that of the object before a change of
  /// metadata, and null for an upload.
  ///
  /// - Parameter changed: The object whose metadata changes, or `nil` for an upload.
  init(_ new: StorageObject, afterChangeOf changed: StorageObject?) {
    object = new
    stored = changed
    hasTimes = false
  }

  var keys: [ByteKey] { Self.commonKeys + (hasTimes ? ["timeCreated", "updated"] : []) }

  subscript(key: ByteKey) -> RulesValue? {
    switch key {
    case "name": .string(object.name)
    case "bucket": .string(object.bucket)
    case "size": .integer(object.size)
    case "generation": stored.map { .integer($0.generation) } ?? .null
    case "metageneration": stored.map { .integer($0.metageneration) } ?? .null
    case "etag": Self.text(stored?.etag)
    case "storageClass": Self.text(stored?.storageClass)
    case "timeCreated": hasTimes ? .timestamp(object.timeCreated) : nil
    case "updated": hasTimes ? .timestamp(object.updated) : nil
    case "md5Hash": Self.text(object.md5Hash)
    case "crc32c": Self.text(object.crc32c)
    case "contentType": Self.text(object.contentType)
    case "contentDisposition": Self.text(object.contentDisposition)
    case "contentEncoding": Self.text(object.contentEncoding)
    case "contentLanguage": Self.text(object.contentLanguage)
    case "cacheControl": Self.text(object.cacheControl)
    case "metadata": metadata
    default: nil
    }
  }

  private var metadata: RulesValue {
    object.metadata.isEmpty ? .null : .map(.values(object.metadata.mapValues { .string($0) }))
  }

  private static func text(_ text: String?) -> RulesValue { text.map { .string($0) } ?? .null }
}
