import Core
package import FirestoreModel

/// The requests that one call to Cloud Storage asks its rules about.
///
/// An object's name is split at its slashes: each part is a segment of the request's path. No part
/// is special, also not `.` and `..`. A part can be empty, as in `a//b` and `a/`. A wildcard `{x}`
/// doesn't match an empty segment; `{x=**}` does.
package struct StorageRequests: Sendable {
  private let bucket: String
  private let caller: RulesCaller
  private let time: Timestamp

  /// - Parameter time: The time of the call.
  package init(bucket: String, caller: RulesCaller, time: Timestamp) {
    self.bucket = bucket
    self.caller = caller
    self.time = time
  }

  /// Returns the request for a read of an object or its metadata.
  ///
  /// - Parameter existing: The object, or `nil` if it doesn't exist.
  package func get(_ name: String, _ existing: StorageObject?) -> RulesRequest {
    request(.get, name.splitAtSlashes, before: existing)
  }

  /// Returns the request for a list of the objects whose names have a prefix.
  ///
  /// - Parameter prefix: Nothing, or a text that ends with a slash. Its last slash doesn't belong
  ///   to the path. Nothing stands for the whole bucket, whose path is `/b/{bucket}/o`.
  package func list(prefix: String) -> RulesRequest {
    var parts = prefix.splitAtSlashes
    if parts.last?.isEmpty == true { parts.removeLast() }
    return request(.list, parts, before: nil)
  }

  /// Returns the request for an upload of an object's content.
  ///
  /// The method is `create` also if the object exists, as in production: Firebase's documentation
  /// says that `create` is for content and `update` for metadata. A rule that doesn't let objects be
  /// replaced has the condition `resource == null`.
  ///
  /// - Parameters:
  ///   - new: The object as it will be. Rules don't see its version and times.
  ///   - existing: The object that the upload replaces, or `nil` if there is none.
  package func create(_ new: StorageObject, existing: StorageObject?) -> RulesRequest {
    request(
      .create,
      new.name.splitAtSlashes,
      before: existing,
      after: ObjectMembers(new, afterChangeOf: nil)
    )
  }

  /// Returns the request for a change of an object's metadata.
  ///
  /// - Parameters:
  ///   - new: The object with the changed and all other metadata. Rules see the version of the
  ///     existing object, and no times.
  ///   - existing: The object before the change, or `nil` if it doesn't exist.
  package func update(_ new: StorageObject, existing: StorageObject?) -> RulesRequest {
    request(
      .update,
      new.name.splitAtSlashes,
      before: existing,
      after: ObjectMembers(new, afterChangeOf: existing)
    )
  }

  /// Returns the request for the deletion of an object.
  ///
  /// - Parameter existing: The object, or `nil` if it doesn't exist.
  package func delete(_ name: String, _ existing: StorageObject?) -> RulesRequest {
    request(.delete, name.splitAtSlashes, before: existing)
  }

  private func request(
    _ method: RulesMethod,
    _ parts: [String],
    before: StorageObject?,
    after: ObjectMembers? = nil
  ) -> RulesRequest {
    let segments = ["b", bucket, "o"] + parts
    let members: [ByteKey: RulesValue] = [
      "auth": caller.auth,
      "method": .string(method.rawValue),
      "path": .path(RulesPath(segments)),
      "resource": after.map { .map(.members($0)) } ?? .null,
      "time": .timestamp(time),
    ]
    return RulesRequest(
      service: RulesService.storage.rawValue,
      method: method,
      path: segments.map { .named($0) },
      request: .map(.values(members)),
      resource: before.map { .map(.members(ObjectMembers($0))) } ?? .null
    )
  }
}
