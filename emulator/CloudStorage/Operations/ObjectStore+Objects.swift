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
  /// Makes an object of uploaded content. If that fails, the content's file is removed.
  ///
  /// - Parameter resumable: The upload that is complete with it, or `nil` for an upload in one
  ///   request.
  func put(
    _ content: ObjectContent,
    _ upload: ObjectUpload,
    completing resumable: ResumableUpload? = nil,
    by requester: StorageRequester
  ) async throws(StorageError) -> ObjectMetadata {
    do throws(StorageError) {
      try upload.checksums.check(content)
      return try await edit(cause: requester.cause) { edit throws(StorageError) in
        // Another request may have completed the upload.
        if let resumable, let result = edit.result(of: resumable) { return result }
        if requester.createsBuckets { try edit.createIfMissing(upload.bucket) }
        _ = try edit.bucket(upload.bucket)
        let old = edit.object(upload.bucket, upload.name)
        let new = ObjectMetadata(content, upload, edit)
        try requester.rights.checkUpload(new, over: old)
        try upload.conditions.check(old?.metadata)
        edit.put(StoredObject(metadata: new, file: content.file))
        if let resumable { edit.change(resumable.id, .complete(resumable, new)) }
        return new
      }
    } catch {
      if resumable == nil { folder.remove(content.file) }
      throw error
    }
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
      let old = try edit.existing(bucket, name, generation: generation)
      var new = old
      do throws(StatusError) {
        try change(&new.metadata.attributes)
      } catch {
        throw StorageError(error)
      }
      new.metadata.metageneration += 1
      new.metadata.updated = edit.time
      try requester.rights.checkUpdate(new.metadata, of: old)
      try conditions.check(old.metadata)
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
    var writer = try ContentWriter(in: folder)
    do throws(StorageError) {
      var componentCount: Int64 = 0
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
      var content = try writer.finish()
      content.md5 = nil
      let (composed, count) = (content, componentCount)
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
      writer.discard()
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

extension OpenFile {
  private static let pieceSize = 256 << 10

  /// Returns the bytes at a position, at most 256 KiB. Without an end it is empty at the end of the
  /// file.
  ///
  /// - Parameter end: The position after the last byte, or `nil` for the end of the file.
  func piece(at position: Int64, upTo end: Int64?) throws(StorageError) -> Data {
    let size = end.map { Int(min(Int64(Self.pieceSize), $0 - position)) } ?? Self.pieceSize
    var piece = Data(count: size)
    let count = piece.withUnsafeMutableBytes { read(into: $0, at: position) }
    guard let count, end == nil || count == size else { throw .file("the object can't be read") }
    return count == size ? piece : piece.prefix(count)
  }
}
