import Core
import FirestoreModel

/// The sender of a request, and what it may change.
struct StorageRequester: Sendable {
  var rights: StorageRights
  var cause: ObjectCause
  /// A Boolean value that indicates whether an upload creates its bucket. Firebase's SDKs can't
  /// create buckets.
  var createsBuckets = false
}

extension ObjectStore {
  /// Makes an object of the content of an upload in one request. If that fails, the content's file
  /// is removed.
  func put(
    _ content: ObjectContent,
    _ upload: ObjectUpload,
    by requester: StorageRequester
  ) async throws(StorageError) -> ObjectMetadata {
    do throws(StorageError) {
      return try await edit(cause: requester.cause) { edit throws(StorageError) in
        try edit.put(content, upload, by: requester)
      }
    } catch {
      folder.remove(content.file)
      throw error
    }
  }

  /// Makes an object of the content of a resumable upload, which is complete with it.
  ///
  /// If the content isn't allowed, the upload has failed: its file is removed, and further requests
  /// get the same error.
  ///
  /// - Parameter upload: The upload's description, with checksums that the last request has added.
  func complete(
    _ resumable: ResumableUpload,
    _ content: ObjectContent,
    _ upload: ObjectUpload,
    by requester: StorageRequester
  ) async throws(StorageError) -> ObjectMetadata {
    let result = try await edit(cause: requester.cause) {
      edit throws(StorageError) -> Result<ObjectMetadata, StorageError> in
      switch edit.outcome(of: resumable) {
      // Another request may have completed the upload.
      case .object(let object): return .success(object)
      case .failure(let error): return .failure(error)
      case .cancelled: throw .noUpload()
      case nil: break
      }
      do throws(StorageError) {
        let object = try edit.put(content, upload, by: requester)
        edit.end(resumable, .object(object))
        return .success(object)
      } catch {
        edit.end(resumable, .failure(error))
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Changes an object's metadata.
  ///
  /// - Parameter change: Changes the attributes.
  func update(
    _ bucket: String,
    _ name: String,
    generation: Int64? = nil,
    conditions: Conditions = Conditions(),
    by requester: StorageRequester,
    _ change: @escaping @Sendable (inout ObjectAttributes) throws(StatusError) -> Void
  ) async throws(StorageError) -> ObjectMetadata {
    try await edit(cause: requester.cause) { edit throws(StorageError) in
      let found = edit.object(bucket, name)
      var metadata = found?.metadata ?? .missing(bucket, name, at: edit.time)
      do throws(StatusError) {
        try change(&metadata.attributes)
      } catch {
        throw StorageError(error)
      }
      metadata.metageneration += 1
      metadata.updated = edit.time
      // The rules come first, so that a denial doesn't tell whether the object exists.
      try requester.rights.checkUpdate(metadata, of: found)
      let old = try edit.existing(bucket, name, generation: generation)
      try conditions.check(old.metadata)
      let new = StoredObject(metadata: metadata, file: old.file)
      edit.put(new)
      return new.metadata
    }
  }

  func delete(
    _ bucket: String,
    _ name: String,
    generation: Int64? = nil,
    conditions: Conditions = Conditions(),
    by requester: StorageRequester
  ) async throws(StorageError) {
    try await edit(cause: requester.cause) { edit throws(StorageError) in
      let object = edit.object(bucket, name)
      try requester.rights.checkDelete(bucket, name, object, at: edit.time)
      let existing = try edit.existing(bucket, name, generation: generation)
      try conditions.check(existing.metadata)
      edit.removeObject(bucket, name)
    }
  }

  /// Deletes all objects, and triggers nothing.
  func removeAllObjects() async throws(StorageError) {
    var cause = ObjectCause()
    cause.firesTriggers = false
    let objects = objects
    try await edit(cause: cause) { edit throws(StorageError) in
      for object in objects { edit.removeObject(object.metadata.bucket, object.metadata.name) }
    }
  }

  /// Copies an object. The copy shares the content.
  ///
  /// - Parameter attributes: The attributes of the copy, or `nil` for those of the source.
  func copy(
    _ source: ObjectSource,
    to bucket: String,
    _ name: String,
    attributes: ObjectAttributes?,
    conditions: Conditions,
    by requester: StorageRequester
  ) async throws(StorageError) -> ObjectMetadata {
    try ObjectName.check(name)
    let (folder, file) = (folder, ObjectFolder.newName())
    do throws(StorageError) {
      return try await edit(cause: requester.cause) { edit throws(StorageError) in
        let original = try source.object(in: edit)
        _ = try edit.bucket(bucket)
        let old = edit.object(bucket, name)
        try conditions.check(old?.metadata)
        var new = original.metadata
        (new.bucket, new.name) = (bucket, name)
        (new.generation, new.metageneration) = (edit.generation, 1)
        (new.timeCreated, new.updated) = (edit.time, edit.time)
        if let attributes { new.attributes = attributes }
        try folder.link(original.file, as: file)
        edit.put(StoredObject(metadata: new, file: file))
        return new
      }
    } catch {
      folder.remove(file)
      throw error
    }
  }

  /// Composes an object of the content of others in the same bucket.
  func compose(
    _ sources: [ObjectSource],
    _ upload: ObjectUpload,
    by requester: StorageRequester
  ) async throws(StorageError) -> ObjectMetadata {
    var componentCount: Int64 = 0
    var content = try await newContent { writer throws(StorageError) in
      for source in sources {
        guard let object = try openObject(ObjectKey(source.bucket, source.name)) else {
          throw .noObject(source.name, in: source.bucket)
        }
        try source.check(object.object)
        componentCount += object.metadata.componentCount ?? 1
        var position: Int64 = 0
        while position < object.metadata.size {
          let piece = try object.content.piece(at: position, upTo: object.metadata.size)
          try writer.append(piece)
          position += Int64(piece.count)
        }
      }
    }
    content.md5 = nil
    let (composed, count) = (content, componentCount)
    do throws(StorageError) {
      return try await edit(cause: requester.cause) { edit throws(StorageError) in
        _ = try edit.bucket(upload.bucket)
        let old = edit.object(upload.bucket, upload.name)
        try upload.conditions.check(old?.metadata)
        var new = ObjectMetadata(composed, upload, edit)
        new.componentCount = count
        edit.put(StoredObject(metadata: new, file: composed.file))
        return new
      }
    } catch {
      folder.remove(composed.file)
      throw error
    }
  }
}

/// An object that another one is made from.
struct ObjectSource: Sendable {
  var bucket: String
  var name: String
  var generation: Int64?
  var conditions = Conditions()

  fileprivate func object(in edit: StorageEdit) throws(StorageError) -> StoredObject {
    _ = try edit.bucket(bucket)
    let object = try edit.existing(bucket, name, generation: generation)
    try conditions.check(object.metadata)
    return object
  }

  fileprivate func check(_ object: StoredObject) throws(StorageError) {
    if let generation, generation != object.metadata.generation {
      throw .noObject(name, in: bucket)
    }
    try conditions.check(object.metadata)
  }
}

extension StorageEdit {
  /// Makes an object of uploaded content.
  fileprivate mutating func put(
    _ content: ObjectContent,
    _ upload: ObjectUpload,
    by requester: StorageRequester
  ) throws(StorageError) -> ObjectMetadata {
    let old = object(upload.bucket, upload.name)
    let new = ObjectMetadata(content, upload, self)
    try requester.rights.checkUpload(new, over: old)
    try upload.checksums.check(content)
    if requester.createsBuckets { try createIfMissing(upload.bucket) }
    _ = try bucket(upload.bucket)
    try upload.conditions.check(old?.metadata)
    put(StoredObject(metadata: new, file: content.file))
    return new
  }

  /// - Throws: An error with the status 404 if the object doesn't exist, or has another generation.
  fileprivate func existing(
    _ bucket: String,
    _ name: String,
    generation: Int64?
  ) throws(StorageError) -> StoredObject {
    _ = try self.bucket(bucket)
    guard let object = object(bucket, name),
      generation == nil || generation == object.metadata.generation
    else { throw .noObject(name, in: bucket) }
    return object
  }
}

extension ObjectMetadata {
  /// Returns metadata that stands for an object that doesn't exist.
  fileprivate static func missing(
    _ bucket: String,
    _ name: String,
    at time: Timestamp
  ) -> ObjectMetadata {
    ObjectMetadata(
      bucket: bucket,
      name: name,
      generation: 0,
      metageneration: 0,
      size: 0,
      crc32c: 0,
      timeCreated: time,
      updated: time,
      attributes: ObjectAttributes()
    )
  }

  /// Creates the metadata of a new generation.
  init(_ content: ObjectContent, _ upload: ObjectUpload, _ edit: StorageEdit) {
    self.init(
      bucket: upload.bucket,
      name: upload.name,
      generation: edit.generation,
      size: content.size,
      crc32c: content.crc32c,
      md5: content.md5,
      timeCreated: edit.time,
      updated: edit.time,
      attributes: upload.attributes
    )
  }
}
