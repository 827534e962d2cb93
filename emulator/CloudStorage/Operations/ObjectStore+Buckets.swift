import Core

extension StorageEdit {
  /// The maximum number of buckets.
  private static var maximumBuckets: Int { 1_000 }

  /// Creates a bucket.
  mutating func create(_ name: String, _ settings: JSONObject = [:]) throws(StorageError) -> Bucket
  {
    try BucketName.check(name)
    guard existingBucket(name) == nil else {
      throw .conflict("The bucket \(name) exists already.")
    }
    guard bucketCount < Self.maximumBuckets else {
      throw StorageError(
        StatusError(
          .resourceExhausted,
          "there are \(Self.maximumBuckets) buckets, and no more are possible"
        )
      )
    }
    var bucket = Bucket(name, at: time)
    try bucket.apply(settings)
    put(bucket)
    return bucket
  }

  mutating func createIfMissing(_ name: String) throws(StorageError) {
    if existingBucket(name) == nil { _ = try create(name) }
  }
}

extension ObjectStore {
  func createBucket(_ name: String, _ settings: JSONObject) async throws(StorageError) -> Bucket {
    try await edit { edit throws(StorageError) in try edit.create(name, settings) }
  }

  func updateBucket(
    _ name: String,
    _ patch: JSONObject,
    conditions: Conditions
  ) async throws(StorageError) -> Bucket {
    try await edit { edit throws(StorageError) in
      var bucket = try edit.bucket(name)
      try conditions.check(bucket)
      try bucket.apply(patch)
      bucket.metageneration += 1
      bucket.updated = edit.time
      edit.put(bucket)
      return bucket
    }
  }

  func deleteBucket(_ name: String, conditions: Conditions) async throws(StorageError) {
    try await edit { edit throws(StorageError) in
      try conditions.check(try edit.bucket(name))
      guard edit.isEmpty(name) else {
        throw .conflict("The bucket you tried to delete is not empty.")
      }
      edit.removeBucket(name)
    }
  }
}

extension Conditions {
  fileprivate func check(_ bucket: Bucket) throws(StorageError) {
    if let number = ifMetagenerationMatch, number != bucket.metageneration {
      throw .conditionNotMet
    }
    if let number = ifMetagenerationNotMatch, number == bucket.metageneration {
      throw .conditionNotMet
    }
  }
}
