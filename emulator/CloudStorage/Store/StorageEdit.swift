import Core
import FirestoreModel

/// The changes of one request, which are carried out together or not at all.
///
/// It sees the present state with the changes of requests before it that aren't recorded yet.
struct StorageEdit: Sendable {
  /// A change of a resumable upload.
  enum UploadChange: Sendable {
    case begin(ResumableUpload)
    case end(ResumableUpload, ResumableUpload.Outcome)
  }

  private let base: PendingChanges
  fileprivate(set) var own = PendingChanges.Content()
  /// The time of the request.
  let time: Timestamp
  let cause: ObjectCause
  /// The generation of an object that the request makes.
  let generation: Int64

  init(base: PendingChanges, at time: Timestamp, generation: Int64, cause: ObjectCause) {
    self.base = base
    self.time = time
    self.generation = generation
    self.cause = cause
  }

  // MARK: Reading

  /// - Throws: An error with the status 404 if there is no such bucket.
  func bucket(_ name: String) throws(StorageError) -> Bucket {
    guard let bucket = existingBucket(name) else { throw .noBucket(name) }
    return bucket
  }

  func existingBucket(_ name: String) -> Bucket? {
    let key = ByteKey(name)
    return own.buckets[key] ?? base.bucket(key)
  }

  func object(_ bucket: String, _ name: String) -> StoredObject? {
    let key = ObjectKey(bucket, name)
    return own.objects[key] ?? base.object(key)
  }

  /// The number of buckets before the request.
  var bucketCount: Int { base.bucketCount }

  /// Returns whether a bucket has no objects.
  func isEmpty(_ bucket: String) -> Bool { base.isEmpty(ByteKey(bucket)) }

  /// Returns the end of a resumable upload, or `nil` if the upload is open.
  func outcome(of upload: ResumableUpload) -> ResumableUpload.Outcome? {
    if case .end(_, let outcome)? = base.content.uploads[upload.id] { return outcome }
    return upload.outcome
  }

  // MARK: Changing

  mutating func put(_ bucket: Bucket) { own.buckets[ByteKey(bucket.name)] = bucket }

  mutating func removeBucket(_ name: String) { own.buckets[ByteKey(name)] = .some(nil) }

  mutating func put(_ object: StoredObject) { set(ObjectKey(object.metadata), to: object) }

  mutating func removeObject(_ bucket: String, _ name: String) {
    set(ObjectKey(bucket, name), to: nil)
  }

  mutating func begin(_ upload: ResumableUpload) { own.uploads[upload.id] = .begin(upload) }

  /// Ends an upload. Unless an object has its content, the file is removed.
  mutating func end(_ upload: ResumableUpload, _ outcome: ResumableUpload.Outcome) {
    own.uploads[upload.id] = .end(upload, outcome)
    if case .object = outcome { return }
    if upload.result == nil { own.unusedFiles.append(upload.file) }
  }

  private mutating func set(_ key: ObjectKey, to object: StoredObject?) {
    let old = own.objects[key] ?? base.object(key)
    own.objects[key] = .some(object)
    own.changes.append(
      ObjectChange(old: old?.metadata, new: object?.metadata, time: time, cause: cause)
    )
    if let old, old.file != object?.file { own.unusedFiles.append(old.file) }
  }
}

/// The changes of a group of requests that aren't recorded yet, over the recorded state.
struct PendingChanges: Sendable {
  struct Content: Sendable {
    var buckets: [ByteKey: Bucket?] = [:]
    var objects: [ObjectKey: StoredObject?] = [:]
    var uploads: [String: StorageEdit.UploadChange] = [:]
    var changes: [ObjectChange] = []
    /// The files that no object has after the changes.
    var unusedFiles: [String] = []

    /// The largest generation of the changed objects, or 0 if there are none.
    var lastGeneration: Int64 { changes.reduce(0) { max($0, $1.new?.generation ?? 0) } }
  }

  /// The store with the recorded state, which doesn't change meanwhile.
  private let store: ObjectStore
  private(set) var content = Content()

  init(over store: ObjectStore) { self.store = store }

  func bucket(_ name: ByteKey) -> Bucket? { content.buckets[name] ?? store.bucket(name) }

  func object(_ key: ObjectKey) -> StoredObject? { content.objects[key] ?? store.object(key) }

  func isEmpty(_ bucket: ByteKey) -> Bool {
    let own = content.objects.filter { $0.key.bucket == bucket }
    if own.values.contains(where: { $0 != nil }) { return false }
    return store.objectCount(of: bucket) <= own.keys.count { store.object($0) != nil }
  }

  var bucketCount: Int {
    content.buckets.reduce(store.buckets.count) { count, change in
      let isNew = store.bucket(change.key) == nil
      return change.value == nil ? count - (isNew ? 0 : 1) : count + (isNew ? 1 : 0)
    }
  }

  mutating func merge(_ changes: Content) {
    content.buckets.merge(changes.buckets) { $1 }
    content.objects.merge(changes.objects) { $1 }
    content.uploads.merge(changes.uploads) { $1 }
    content.changes += changes.changes
    content.unusedFiles += changes.unusedFiles
  }
}

extension Collection {
  fileprivate func count(_ isCounted: (Element) -> Bool) -> Int {
    reduce(0) { isCounted($1) ? $0 + 1 : $0 }
  }
}
