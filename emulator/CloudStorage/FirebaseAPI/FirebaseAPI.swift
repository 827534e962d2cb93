import Core
import FirestoreModel
import HTTPService

/// A request of a Firebase SDK. Security rules decide on it, unless it is an administrator's.
struct FirebaseAPI {
  let service: StorageService
  let request: ServiceRequest

  var store: ObjectStore { service.store }

  /// Returns the response to a request.
  ///
  /// - Parameter path: The path after `/v0`.
  func respond(_ path: ArraySlice<String>) async throws(StorageError) -> ServiceResponse {
    let parts = Array(path)
    guard (3...4).contains(parts.count), parts[0] == "b", parts[2] == "o" else {
      throw StorageError(service.notFound(request))
    }
    let bucket = parts[1]
    try BucketName.check(bucket)
    let requester = try requester
    let name = parts.count == 4 ? parts[3] : request[query: "name"]
    let method = request.headers["x-http-method-override"]?.uppercased() ?? request.method
    if method == "POST" {
      if let name, parts.count == 4, let response = try await changeTokens(of: name, in: bucket) {
        return response
      }
      return try await FirebaseUpload(api: self, bucket: bucket, requester: requester)
        .respond(name: name)
    }
    guard parts.count == 4 else {
      guard method == "GET" else { throw StorageError(service.notFound(request)) }
      return try list(bucket, requester)
    }
    return try await respond(method, bucket, parts[3], requester)
  }

  private var requester: StorageRequester {
    get throws(StorageError) {
      var requester = service.requester(try service.callers.caller(request), request)
      requester.createsBuckets = true
      return requester
    }
  }

  private func respond(
    _ method: String,
    _ bucket: String,
    _ name: String,
    _ requester: StorageRequester
  ) async throws(StorageError) -> ServiceResponse {
    switch method {
    case "GET":
      return request[query: "alt"] == "media"
        ? try content(bucket, name, requester) : try await metadata(bucket, name, requester)
    case "PATCH", "PUT":
      let patch = try await request.json()
      let metadata = try await store.update(bucket, name, by: requester) {
        attributes throws(StatusError) in
        let tokens = attributes.custom[DownloadTokens.name]
        try attributes.apply(patch.withoutTokens)
        attributes.custom[DownloadTokens.name] = tokens
      }
      return .json(JSONValue.object(metadata.firebaseResource))
    case "DELETE":
      try await store.delete(bucket, name, by: requester)
      return ServiceResponse(status: 204)
    default: throw StorageError(service.notFound(request))
    }
  }

  // MARK: Reading

  private func content(
    _ bucket: String,
    _ name: String,
    _ requester: StorageRequester
  ) throws(StorageError) -> ServiceResponse {
    let object = try store.openObject(ObjectKey(bucket, name))
    let hasToken =
      if let token = request[query: "token"], let object {
        DownloadTokens.has(token, object.metadata.attributes)
      } else {
        false
      }
    if !hasToken {
      try requester.rights.checkRead(bucket, name, object?.object, at: store.time)
    }
    guard let object else { throw .noObject(name, in: bucket) }
    return try service.content(of: object, for: request)
  }

  /// Returns an object's metadata. An object without a download token gets one, as in production.
  private func metadata(
    _ bucket: String,
    _ name: String,
    _ requester: StorageRequester
  ) async throws(StorageError) -> ServiceResponse {
    let object = store.object(ObjectKey(bucket, name))
    try requester.rights.checkRead(bucket, name, object, at: store.time)
    guard var metadata = object?.metadata else { throw .noObject(name, in: bucket) }
    if DownloadTokens.of(metadata.attributes).isEmpty {
      metadata = try await store.changeTokens(of: name, in: bucket) { attributes in
        if DownloadTokens.of(attributes).isEmpty { DownloadTokens.add(to: &attributes) }
      }
    }
    return .json(JSONValue.object(metadata.firebaseResource))
  }

  private func list(
    _ bucket: String,
    _ requester: StorageRequester
  ) throws(StorageError) -> ServiceResponse {
    var listing = ObjectListing()
    listing.prefix = request[query: "prefix"] ?? ""
    listing.delimiter = request[query: "delimiter"] ?? ""
    guard listing.prefix.isEmpty || listing.prefix.utf8.last == UInt8(ascii: "/") else {
      throw .invalid(
        "The prefix parameter is required to be empty or ends with a single / character."
      )
    }
    listing.limit = try request.pageLimit
    listing.token = try request.pageToken
    try requester.rights.checkList(bucket, prefix: listing.prefix, at: store.time)
    let page = store.bucket(ByteKey(bucket)) == nil ? .init() : try store.list(listing, of: bucket)
    // Firebase's SDKs have no references to names with empty parts, so lists leave them out.
    let names = page.objects.map(\.metadata.name).filter { !$0.hasEmptyPart }
    let prefixes = page.prefixes.filter { !String($0.dropLast()).hasEmptyPart }
    var members: JSONObject = [
      "prefixes": .array(prefixes.map { .string($0) }),
      "items": .array(
        names.map { .object(["name": .string($0), "bucket": .string(bucket)]) }
      ),
    ]
    members["nextPageToken"] = page.nextPageToken.map { .string($0) }
    return .json(JSONValue.object(members))
  }

  // MARK: Tokens

  /// Adds or removes a download token, if the query asks for it.
  private func changeTokens(
    of name: String,
    in bucket: String
  ) async throws(StorageError) -> ServiceResponse? {
    let (removed, isNew) = (request[query: "delete_token"], request[query: "create_token"])
    guard removed != nil || isNew == "true" else { return nil }
    guard case .administrator = try service.callers.caller(request) else {
      throw StorageError(
        StatusError(.permissionDenied, "only administrators can change download tokens")
      )
    }
    let metadata = try await store.changeTokens(of: name, in: bucket) { attributes in
      if let removed { DownloadTokens.remove(removed, from: &attributes) }
      if isNew == "true" || DownloadTokens.of(attributes).isEmpty {
        DownloadTokens.add(to: &attributes)
      }
    }
    return .json(JSONValue.object(metadata.firebaseResource))
  }
}

extension ObjectMetadata {
  /// The metadata in the format of Firebase's SDKs.
  var firebaseResource: JSONObject {
    var custom = attributes.custom
    custom[DownloadTokens.name] = nil
    let file = name.splitAtSlashes.last ?? name
    var members: JSONObject = [
      "name": .string(name),
      "bucket": .string(bucket),
      "generation": .string(String(generation)),
      "metageneration": .string(String(metageneration)),
      "contentType": .string(attributes.contentType ?? "application/octet-stream"),
      "timeCreated": .string(timeCreated.inMilliseconds),
      "updated": .string(updated.inMilliseconds),
      "storageClass": .string(attributes.storageClass),
      "size": .string(String(size)),
      "contentEncoding": .string(attributes.contentEncoding ?? "identity"),
      "contentDisposition": .string(
        attributes.contentDisposition ?? "inline; filename*=utf-8''\(PercentEncoding.encode(file))"
      ),
      "crc32c": .string(crc32cText),
      "etag": .string(etag),
      "downloadTokens": .string(DownloadTokens.of(attributes).joined(separator: ",")),
    ]
    members["md5Hash"] = md5Text.map { .string($0) }
    members["cacheControl"] = attributes.cacheControl.map { .string($0) }
    members["contentLanguage"] = attributes.contentLanguage.map { .string($0) }
    if !custom.isEmpty { members["metadata"] = .object(custom.mapValues { .string($0) }) }
    return members
  }
}

extension JSONObject {
  /// The metadata without the download tokens, which clients can't choose.
  var withoutTokens: JSONObject {
    guard var custom = self["metadata"]?.object else { return self }
    custom[DownloadTokens.name] = nil
    var members = self
    members["metadata"] = .object(custom)
    return members
  }
}

extension ObjectStore {
  /// Changes an object's download tokens. It is no change of the metadata: it has no event and no
  /// new metageneration.
  fileprivate func changeTokens(
    of name: String,
    in bucket: String,
    _ change: @escaping @Sendable (inout ObjectAttributes) -> Void
  ) async throws(StorageError) -> ObjectMetadata {
    var cause = ObjectCause()
    cause.firesTriggers = false
    return try await edit(cause: cause) { edit throws(StorageError) in
      guard var object = edit.object(bucket, name) else { throw .noObject(name, in: bucket) }
      change(&object.metadata.attributes)
      edit.put(object)
      return object.metadata
    }
  }
}

extension String {
  /// A Boolean value that indicates whether nothing is before, between or after the slashes.
  fileprivate var hasEmptyPart: Bool { splitAtSlashes.contains { $0.isEmpty } }
}
