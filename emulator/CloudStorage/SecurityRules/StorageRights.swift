import Core
import FirestoreModel
import Rules

/// The rights that security rules give to the sender of a request.
struct StorageRights: Sendable {
  /// The permission that a request needs, in the words of Firebase's errors.
  enum Permission: String {
    case read = "READ"
    case list = "LIST"
    case write = "WRITE"
  }

  let caller: StorageCaller
  let rules: StorageRules
  let documents: FirestoreDocuments

  /// Checks a read of an object.
  func checkRead(_ bucket: String, _ name: String, _ object: StoredObject?, at time: Timestamp)
    throws(StorageError)
  {
    try check(.read, in: bucket, at: time) { $0.get(name, object?.metadata.forRules) }
  }

  /// Checks a list of the objects whose names have a prefix.
  func checkList(_ bucket: String, prefix: String, at time: Timestamp) throws(StorageError) {
    try check(.list, in: bucket, at: time) { $0.list(prefix: prefix) }
  }

  /// Checks an upload.
  ///
  /// - Parameter isAnnounced: Whether the content, and so its checksums, isn't known yet.
  func checkUpload(
    _ new: ObjectMetadata,
    over old: StoredObject?,
    isAnnounced: Bool = false
  ) throws(StorageError) {
    var object = new.forRules
    if isAnnounced { (object.crc32c, object.md5Hash) = (nil, nil) }
    try check(.write, in: new.bucket, at: new.timeCreated) {
      $0.create(object, existing: old?.metadata.forRules)
    }
  }

  /// Checks a change of metadata.
  ///
  /// - Parameter old: The object, or `nil` if it doesn't exist.
  func checkUpdate(_ new: ObjectMetadata, of old: StoredObject?) throws(StorageError) {
    try check(.write, in: new.bucket, at: new.updated) {
      $0.update(new.forRules, existing: old?.metadata.forRules)
    }
  }

  /// Checks a deletion.
  func checkDelete(_ bucket: String, _ name: String, _ object: StoredObject?, at time: Timestamp)
    throws(StorageError)
  {
    try check(.write, in: bucket, at: time) { $0.delete(name, object?.metadata.forRules) }
  }

  /// - Throws: An error with the status 403 if the rules don't allow the request.
  private func check(
    _ permission: Permission,
    in bucket: String,
    at time: Timestamp,
    _ request: (StorageRequests) -> RulesRequest
  ) throws(StorageError) {
    guard case .client(let caller) = caller, let ruleset = rules.file(of: bucket)?.ruleset else {
      return
    }
    let request = request(StorageRequests(bucket: bucket, caller: caller, time: time))
    var budget = RequestBudget.ofObject()
    guard case .allowed = ruleset.decide(request, documents: documents, budget: &budget) else {
      throw .denied(permission)
    }
  }
}

extension StorageError {
  fileprivate static func denied(_ permission: StorageRights.Permission) -> StorageError {
    StorageError(
      403,
      "forbidden",
      "Permission denied. No \(permission.rawValue) permission.",
      code: .permissionDenied
    )
  }
}

extension ObjectMetadata {
  fileprivate var forRules: StorageObject {
    StorageObject(
      name: name,
      bucket: bucket,
      generation: generation,
      metageneration: metageneration,
      size: size,
      timeCreated: timeCreated,
      updated: updated,
      md5Hash: md5Text,
      crc32c: crc32cText,
      etag: etag,
      storageClass: attributes.storageClass,
      contentType: attributes.contentType,
      contentDisposition: attributes.contentDisposition,
      contentEncoding: attributes.contentEncoding ?? "identity",
      contentLanguage: attributes.contentLanguage,
      cacheControl: attributes.cacheControl,
      metadata: attributes.custom.filter { $0.key != DownloadTokens.name }
    )
  }
}
