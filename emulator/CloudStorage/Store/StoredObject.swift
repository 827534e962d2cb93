import Core

/// An object: its metadata, and the file with its content.
package struct StoredObject: Sendable, Hashable {
  package var metadata: ObjectMetadata
  /// The name of the file.
  var file: String
}

/// An object with its open content.
struct OpenObject: Sendable {
  let object: StoredObject
  let content: OpenFile

  var metadata: ObjectMetadata { object.metadata }
}

/// The name of a bucket and of an object in it.
struct ObjectKey: Sendable, Hashable {
  var bucket: ByteKey
  var name: ByteKey

  init(_ bucket: String, _ name: String) {
    self.bucket = ByteKey(bucket)
    self.name = ByteKey(name)
  }

  init(_ metadata: ObjectMetadata) { self.init(metadata.bucket, metadata.name) }
}
