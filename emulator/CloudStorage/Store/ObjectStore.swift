package import Core
package import FirestoreModel
import FunctionRuntime
import Store
import Synchronization

/// The buckets and objects of a project. Metadata is in memory and in the journal, and content is in
/// files.
///
/// Requests change the state in groups, one group at a time. A group's changes are recorded in the
/// journal before anybody can see them. Reads don't wait for that.
package final class ObjectStore: Sendable {
  fileprivate struct State {
    var table: BucketTable
    var uploads: [String: ResumableUpload]
    var queue: [QueuedEdit] = []
    /// The task that carries out the queue, or `nil` if the queue is empty.
    var writing: Task<Void, Never>?
    var lastGeneration: Int64
    /// The IDs of expired uploads whose records are still in the journal.
    var expiredUploads: [String]
  }

  /// A request that waits for its turn.
  fileprivate struct QueuedEdit: Sendable {
    var cause: ObjectCause
    /// Makes the changes, and keeps the result for the completion.
    var perform: @Sendable (inout StorageEdit) throws(StorageError) -> Void
    var completion: @Sendable (StorageError?) -> Void
  }

  package let project: String
  let folder: ObjectFolder
  private let journal: StorageRecords?
  private let observer: (any ObjectObserver)?
  private let now: @Sendable () -> Timestamp
  private let state: Mutex<State>

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - contents: The initial buckets, objects and uploads.
  ///   - folder: The folder with the content. Files of no object are removed.
  /// - Throws: `DATA_LOSS` if an object's file is missing.
  package init(
    _ contents: StorageContents = StorageContents(),
    of project: String,
    in folder: ObjectFolder,
    journal: StorageRecords? = nil,
    observer: (any ObjectObserver)? = nil,
    now: @escaping @Sendable () -> Timestamp
  ) throws(StatusError) {
    self.project = project
    self.folder = folder
    self.journal = journal
    self.observer = observer
    self.now = now
    var table = BucketTable()
    for name in ObjectEvent.defaultBuckets(of: project) {
      table.set(ByteKey(name), to: Bucket(name, at: now()))
    }
    for bucket in contents.buckets { table.set(ByteKey(bucket.name), to: bucket) }
    for object in contents.objects {
      guard folder.size(of: object.file) == object.metadata.size else {
        let name = "\(object.metadata.bucket)/\(object.metadata.name)"
        throw StatusError(
          .dataLoss,
          "\(folder.path): the content of \(name), in the file \(object.file), is missing or cut off"
        )
      }
      table.set(ObjectKey(object.metadata), to: object)
    }
    let horizon = now().advanced(by: .zero - UploadLimits.lifetime)
    let recent = contents.uploads.filter { $0.timeCreated > horizon }
    let expired = contents.uploads.filter { $0.timeCreated <= horizon }
    let uploads = recent.map { $0.resume(in: folder) }
    try folder.removeAll(
      besides: Set(table.files + uploads.filter { $0.result == nil }.map(\.file))
    )
    state = Mutex(
      State(
        table: table,
        uploads: Dictionary(uploads.map { ($0.id, $0) }) { first, _ in first },
        lastGeneration: contents.objects.map(\.metadata.generation).max() ?? 0,
        expiredUploads: expired.map(\.id)
      )
    )
  }

  // MARK: Reading

  package var buckets: [Bucket] { state.withLock(\.table.buckets) }

  /// Returns a bucket, or `nil` if it doesn't exist.
  func bucket(_ name: ByteKey) -> Bucket? { state.withLock { $0.table[name]?.bucket } }

  /// - Throws: An error with the status 404 if there is no such bucket.
  func bucket(_ name: String) throws(StorageError) -> Bucket {
    guard let bucket = bucket(ByteKey(name)) else { throw .noBucket(name) }
    return bucket
  }

  /// Returns an object, or `nil` if it doesn't exist.
  func object(_ key: ObjectKey) -> StoredObject? {
    state.withLock { $0.table[key.bucket]?.objects[key.name] }
  }

  /// Returns whether an object exists.
  package func exists(_ name: String, in bucket: String) -> Bool {
    object(ObjectKey(bucket, name)) != nil
  }

  func objectCount(of bucket: ByteKey) -> Int {
    state.withLock { $0.table[bucket]?.objects.count ?? 0 }
  }

  /// Returns all objects of all buckets, in order.
  package var objects: [StoredObject] {
    state.withLock { state in
      state.table.buckets.flatMap { state.table.objects(of: ByteKey($0.name)) }
    }
  }

  /// Returns a page of a bucket's objects.
  func list(_ listing: ObjectListing, of bucket: String) throws(StorageError) -> ObjectListing.Page
  {
    let page = state.withLock { state in
      state.table[ByteKey(bucket)].map { listing.page(of: $0) }
    }
    guard let page else { throw .noBucket(bucket) }
    return page
  }

  /// Returns an object with its open content, which stays readable if the object is replaced, or
  /// `nil` if it doesn't exist.
  func openObject(_ key: ObjectKey) throws(StorageError) -> OpenObject? {
    // Files are removed only after the state has changed, so the file exists under the lock.
    try state.withLock { state throws(StorageError) in
      guard let object = state.table[key.bucket]?.objects[key.name] else { return nil }
      return OpenObject(
        object: object,
        content: try folder.open(object.file, flags: O_RDONLY)
      )
    }
  }

  /// - Throws: An error with the status 404 if there is no such upload.
  func upload(_ id: String) throws(StorageError) -> ResumableUpload {
    guard let upload = state.withLock({ $0.uploads[id] }) else { throw .noUpload() }
    return upload
  }

  var uploads: [ResumableUpload] { state.withLock { Array($0.uploads.values) } }

  /// The time of the store's clock.
  var time: Timestamp { now() }

  // MARK: Changing

  /// Carries out a request's changes, and returns the closure's result after they are recorded.
  ///
  /// - Parameter body: Checks the request and makes the changes. If it throws an error, nothing is
  ///   changed.
  func edit<Success: Sendable>(
    cause: ObjectCause = ObjectCause(),
    _ body: @escaping @Sendable (inout StorageEdit) throws(StorageError) -> Success
  ) async throws(StorageError) -> Success {
    let result = await withCheckedContinuation { continuation in
      let success = Mutex<Success?>(nil)
      let queued = QueuedEdit(
        cause: cause,
        perform: { edit throws(StorageError) in
          let result = try body(&edit)
          success.withLock { $0 = result }
        },
        completion: { error in
          let result: Result<Success, StorageError> =
            switch (error, success.withLock { $0 }) {
            case (let error?, _): .failure(error)
            case (nil, let success?): .success(success)
            case (nil, nil): .failure(StorageError(StatusError(.internal, "no result")))
            }
          continuation.resume(returning: result)
        }
      )
      state.withLock { state in
        state.queue.append(queued)
        if state.writing == nil {
          state.writing = Task(executorPreference: FileExecutor.shared) { await self.writeQueue() }
        }
      }
    }
    return try result.get()
  }

  /// Waits until all changes so far are recorded.
  package func finishWrites() async { await state.withLock(\.writing)?.value }

  /// A group of requests, and what is known when it begins.
  private struct Group: Sendable {
    var edits: [QueuedEdit]
    var lastGeneration: Int64
    var expiredUploads: [String]
  }

  /// Carries out the waiting requests in groups, until none waits. The journal syncs a group at once.
  private func writeQueue() async {
    while true {
      let group = state.withLock { state -> Group? in
        guard !state.queue.isEmpty else {
          state.writing = nil
          return nil
        }
        defer { state.queue = [] }
        return Group(
          edits: state.queue,
          lastGeneration: state.lastGeneration,
          expiredUploads: state.expiredUploads
        )
      }
      guard let group else { return }
      await carryOut(group)
    }
  }

  private func carryOut(_ group: Group) async {
    var pending = PendingChanges(over: self)
    var generation = group.lastGeneration
    var events: [any CommitEvents] = []
    var succeeded: [QueuedEdit] = []
    for queued in group.edits {
      let time = now()
      generation = max(generation + 1, time.microseconds)
      do throws(StorageError) {
        let changes = try Self.changes(
          of: queued,
          over: pending,
          at: time.truncatedToMilliseconds,
          generation: generation
        )
        pending.merge(changes)
        if queued.cause.firesTriggers, let observer {
          events += changes.changes.compactMap(observer.prepare)
        }
        succeeded.append(queued)
      } catch {
        queued.completion(error)
      }
    }
    let content = pending.content
    do throws(StorageError) {
      try await record(content, events, expiredUploads: group.expiredUploads)
    } catch {
      for queued in succeeded { queued.completion(error) }
      return
    }
    let last = generation
    state.withLock { state in
      state.lastGeneration = max(last, content.lastGeneration)
      state.expiredUploads = []
      state.apply(content)
      for event in events { event.publish() }
    }
    for file in content.unusedFiles { folder.remove(file) }
    for queued in succeeded { queued.completion(nil) }
  }

  /// Returns the changes of one request. The edit ends here, so that the pending changes aren't
  /// shared, and copied, when they are merged.
  private static func changes(
    of queued: QueuedEdit,
    over pending: PendingChanges,
    at time: Timestamp,
    generation: Int64
  ) throws(StorageError) -> PendingChanges.Content {
    var edit = StorageEdit(base: pending, at: time, generation: generation, cause: queued.cause)
    try queued.perform(&edit)
    return edit.own
  }

  private func record(
    _ content: PendingChanges.Content,
    _ events: [any CommitEvents],
    expiredUploads: [String]
  ) async throws(StorageError) {
    guard let journal else { return }
    try folder.synchronize()
    do throws(StatusError) {
      try await journal.record(
        content,
        expiredUploads: expiredUploads,
        with: events.flatMap(\.records)
      )
    } catch {
      throw error.code == .resourceExhausted ? .diskFull(error.message) : StorageError(error)
    }
  }
}

extension ObjectStore.State {
  mutating func apply(_ content: PendingChanges.Content) {
    for (name, bucket) in content.buckets { table.set(name, to: bucket) }
    for (key, object) in content.objects { table.set(key, to: object) }
    for (id, change) in content.uploads {
      switch change {
      case .begin(let upload): uploads[id] = upload
      case .end(let upload, let outcome):
        upload.end(outcome)
        if case .cancelled = outcome { uploads[id] = nil }
      }
    }
  }
}
