import Core
import Store

/// The buckets and their objects.
struct BucketTable: Sendable {
  struct Entry: Sendable {
    var bucket: Bucket
    fileprivate(set) var objects: [ByteKey: StoredObject] = [:]
    fileprivate(set) var names = SortedKeys()
  }

  private var entries: [ByteKey: Entry] = [:]

  subscript(name: ByteKey) -> Entry? { entries[name] }

  var buckets: [Bucket] { entries.sorted { $0.key < $1.key }.map(\.value.bucket) }

  /// The names of the files with content.
  var files: [String] { entries.values.flatMap { $0.objects.values.map(\.file) } }

  /// Returns the objects of a bucket in the order of their names.
  func objects(of bucket: ByteKey) -> [StoredObject] {
    guard let entry = entries[bucket] else { return [] }
    return entry.names.keys(after: nil, atMost: .max).compactMap { entry.objects[$0] }
  }

  mutating func set(_ name: ByteKey, to bucket: Bucket?) {
    guard let bucket else {
      entries[name] = nil
      return
    }
    entries[name, default: Entry(bucket: bucket)].bucket = bucket
  }

  /// Adds, replaces or removes an object. An object without a bucket is ignored.
  mutating func set(_ key: ObjectKey, to object: StoredObject?) {
    guard let object else {
      entries[key.bucket]?.objects[key.name] = nil
      entries[key.bucket]?.names.remove(key.name)
      return
    }
    entries[key.bucket]?.objects[key.name] = object
    entries[key.bucket]?.names.insert(key.name)
  }
}
