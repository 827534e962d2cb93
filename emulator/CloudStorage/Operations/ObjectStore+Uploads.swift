import Core
import FirestoreModel

extension ObjectStore {
  /// Begins a resumable upload, which is recorded before it is returned.
  func beginUpload(
    _ upload: ObjectUpload,
    by requester: StorageRequester
  ) async throws(StorageError) -> ResumableUpload {
    let id = ObjectFolder.newName()
    let resumable = try ResumableUpload(upload, id: id, at: time, in: folder)
    do throws(StorageError) {
      let expired = try expiredUploads()
      try await edit(cause: requester.cause) { edit throws(StorageError) in
        if requester.createsBuckets { try edit.createIfMissing(upload.bucket) }
        _ = try edit.bucket(upload.bucket)
        for id in expired { edit.change(id, .remove) }
        edit.change(id, .begin(resumable))
      }
    } catch {
      resumable.cancel()
      throw error
    }
    return resumable
  }

  /// Returns the uploads to remove before another one begins.
  ///
  /// - Throws: An error with the status 429 if there are too many that aren't complete.
  private func expiredUploads() throws(StorageError) -> [String] {
    let uploads = uploads.sorted { $0.timeCreated < $1.timeCreated }
    let horizon = time.advanced(by: .zero - UploadLimits.lifetime)
    var expired = uploads.filter { $0.timeCreated <= horizon }
    let excess = uploads.count - expired.count - UploadLimits.count + 1
    if excess > 0 {
      expired += uploads.filter { $0.timeCreated > horizon && $0.result != nil }.prefix(excess)
      guard uploads.count - expired.count < UploadLimits.count else {
        throw StorageError(
          StatusError(.resourceExhausted, "there are too many uploads: end some of them first")
        )
      }
    }
    for upload in expired { upload.cancel() }
    return expired.map(\.id)
  }

  /// Ends an upload, and removes what has arrived.
  func cancel(_ upload: ResumableUpload) async throws(StorageError) {
    try await edit { edit throws(StorageError) in edit.change(upload.id, .remove) }
    upload.cancel()
  }
}
