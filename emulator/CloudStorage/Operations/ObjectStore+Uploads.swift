import Core
import FirestoreModel

extension ObjectStore {
  /// Begins a resumable upload, which is recorded before it is returned.
  ///
  /// If the requester may create buckets, a missing one is created when the upload is complete.
  func beginUpload(
    _ upload: ObjectUpload,
    by requester: StorageRequester
  ) async throws(StorageError) -> ResumableUpload {
    let id = ObjectFolder.newName()
    let resumable = try ResumableUpload(upload, id: id, at: time, in: folder)
    do throws(StorageError) {
      let excess = try excessUploads()
      try await edit(cause: requester.cause) { edit throws(StorageError) in
        if !requester.createsBuckets { _ = try edit.bucket(upload.bucket) }
        for upload in excess { edit.end(upload, .cancelled) }
        edit.begin(resumable)
      }
    } catch {
      folder.remove(resumable.file)
      throw error
    }
    return resumable
  }

  /// Returns the uploads to end before another one begins: those that have expired, and the oldest
  /// ended ones if there are too many.
  ///
  /// - Throws: An error with the status 429 if there are too many that are open.
  private func excessUploads() throws(StorageError) -> [ResumableUpload] {
    let uploads = uploads.sorted { $0.timeCreated < $1.timeCreated }
    let horizon = time.advanced(by: .zero - UploadLimits.lifetime)
    var excess = Array(uploads.prefix { $0.timeCreated <= horizon })
    let missing = uploads.count - excess.count - UploadLimits.count + 1
    if missing > 0 {
      excess += uploads.dropFirst(excess.count).filter { $0.outcome != nil }.prefix(missing)
      guard uploads.count - excess.count < UploadLimits.count else {
        throw StorageError(
          StatusError(.resourceExhausted, "there are too many uploads: end some of them first")
        )
      }
    }
    return excess
  }

  /// Ends an upload, and removes what has arrived.
  ///
  /// - Throws: An error with the status 409 if the upload is complete.
  func cancel(_ upload: ResumableUpload) async throws(StorageError) {
    try await edit { edit throws(StorageError) in
      switch edit.outcome(of: upload) {
      case .object: throw .conflict("the upload is complete")
      case .cancelled, .failure: throw .noUpload()
      case nil: edit.end(upload, .cancelled)
      }
    }
  }
}
