import Core
import FirestoreModel
import HTTPService

/// A request to the JSON API of Cloud Storage, as Google's clients make it.
struct JSONAPI {
  let service: StorageService
  let request: ServiceRequest
  /// The members that the query's field `fields` names, or `nil` for all.
  private let fields: ResponseFields?

  /// - Throws: An error if `fields` has another form, before anything is changed.
  init(service: StorageService, request: ServiceRequest) throws(StorageError) {
    self.service = service
    self.request = request
    fields = try request[query: "fields"].flatMap { text throws(StorageError) in
      try ResponseFields(text)
    }
  }

  var store: ObjectStore { service.store }

  var requester: StorageRequester { service.administrator(request) }

  /// Returns the response to a request.
  ///
  /// - Parameter path: The path after `/storage/v1`.
  func respond(_ path: ArraySlice<String>) async throws(StorageError) -> ServiceResponse {
    let parts = Array(path)
    if request[query: "uploadType"] != nil, parts.count == 3, parts[0] == "b", parts[2] == "o" {
      return try await upload(to: parts[1])
    }
    switch (request.method, parts.first, parts.count) {
    case (_, "b", 1): return try await respondToBuckets()
    case (_, "b", 2): return try await respond(toBucket: parts[1])
    case ("GET", "b", 3) where parts[2] == "o": return try list(parts[1])
    case ("GET", "b", 3) where parts[2] == "storageLayout":
      return json(try store.bucket(parts[1]).layout)
    case ("GET", "b", 3) where parts[2] == "managedFolders":
      _ = try store.bucket(parts[1])
      return json(["kind": .string("storage#managedFolders")])
    case (_, "b", 4) where parts[2] == "o":
      return try await respond(toObject: parts[3], in: parts[1])
    case ("POST", "b", _) where parts.count > 4 && parts[2] == "o":
      return try await combine(parts)
    case ("GET", "projects", 3) where parts[2] == "serviceAccount":
      return json([
        "kind": .string("storage#serviceAccount"),
        "email_address": .string("emulator@\(store.project).iam.gserviceaccount.com"),
      ])
    default: throw notEmulated(parts)
    }
  }

  private func notEmulated(_ parts: [String]) -> StorageError {
    let subjects = [
      "acl": "access control lists are", "defaultObjectAcl": "access control lists are",
      "iam": "IAM policies are", "notificationConfigs": "notifications are",
      "channels": "notifications are", "hmacKeys": "HMAC keys are", "folders": "folders are",
      "managedFolders": "managed folders are", "anywhereCaches": "caches are",
    ]
    if let subject = parts.compactMap({ subjects[$0] }).first { return .notEmulated(subject) }
    return StorageError(service.notFound(request))
  }

  /// Returns a response with the members that the query's field `fields` names.
  func json(_ members: JSONObject) -> ServiceResponse {
    let value = JSONValue.object(members)
    return .json(fields?.select(from: value) ?? value)
  }

  func resource(_ metadata: ObjectMetadata) -> JSONObject {
    metadata.resource(origin: request.origin)
  }

  // MARK: Buckets

  private func respondToBuckets() async throws(StorageError) -> ServiceResponse {
    switch request.method {
    case "GET":
      let prefix = request[query: "prefix"] ?? ""
      let buckets = store.buckets.filter { $0.name.utf8.starts(with: prefix.utf8) }
      return json([
        "kind": .string("storage#buckets"),
        "items": .array(buckets.map { .object($0.resource(origin: request.origin)) }),
      ])
    case "POST":
      let settings = try await request.json()
      guard let name = settings["name"]?.string else { throw .invalid("the bucket has no name") }
      let bucket = try await store.createBucket(name, settings)
      return json(bucket.resource(origin: request.origin))
    default: throw StorageError(service.notFound(request))
    }
  }

  private func respond(toBucket name: String) async throws(StorageError) -> ServiceResponse {
    let conditions = try request.conditions()
    switch request.method {
    case "GET": return json(try store.bucket(name).resource(origin: request.origin))
    case "PATCH", "PUT":
      let patch = try await request.json()
      let bucket = try await store.updateBucket(name, patch, conditions: conditions)
      return json(bucket.resource(origin: request.origin))
    case "DELETE":
      try await store.deleteBucket(name, conditions: conditions)
      return ServiceResponse(status: 204)
    default: throw StorageError(service.notFound(request))
    }
  }

  // MARK: Objects

  private func list(_ bucket: String) throws(StorageError) -> ServiceResponse {
    for name in ["matchGlob", "filter"] where request[query: name] != nil {
      throw .notEmulated("lists with \(name) are")
    }
    if request.isTrue("softDeleted") { throw .notEmulated("soft-deleted objects are") }
    var listing = ObjectListing()
    listing.prefix = request[query: "prefix"] ?? ""
    listing.delimiter = request[query: "delimiter"] ?? ""
    listing.startOffset = request[query: "startOffset"] ?? ""
    listing.endOffset = request[query: "endOffset"] ?? ""
    listing.includesTrailingDelimiter = request.isTrue("includeTrailingDelimiter")
    listing.limit = try request.pageLimit
    listing.token = try request.pageToken
    let page = try store.list(listing, of: bucket)
    var members: JSONObject = ["kind": .string("storage#objects")]
    if !page.objects.isEmpty {
      members["items"] = .array(page.objects.map { .object(resource($0.metadata)) })
    }
    if !page.prefixes.isEmpty { members["prefixes"] = .array(page.prefixes.map { .string($0) }) }
    members["nextPageToken"] = page.nextPageToken.map { .string($0) }
    return json(members)
  }

  private func respond(
    toObject name: String,
    in bucket: String
  ) async throws(StorageError) -> ServiceResponse {
    let (generation, conditions) = (try request.number("generation"), try request.conditions())
    switch request.method {
    case "GET":
      _ = try store.bucket(bucket)
      guard let object = try store.openObject(ObjectKey(bucket, name)),
        generation == nil || generation == object.metadata.generation
      else { throw .noObject(name, in: bucket) }
      try conditions.check(reading: object.metadata)
      guard request[query: "alt"] == "media" else { return json(resource(object.metadata)) }
      return try service.content(of: object, for: request)
    case "PATCH", "PUT":
      let (patch, isWhole) = (try await request.json(), request.method == "PUT")
      let metadata = try await store.update(
        bucket,
        name,
        generation: generation,
        conditions: conditions,
        by: requester
      ) { attributes throws(StatusError) in
        if isWhole { attributes = ObjectAttributes() }
        try attributes.apply(patch)
      }
      return json(resource(metadata))
    case "DELETE":
      try await store.delete(
        bucket,
        name,
        generation: generation,
        conditions: conditions,
        by: requester
      )
      return ServiceResponse(status: 204)
    default: throw StorageError(service.notFound(request))
    }
  }

  /// Copies, rewrites or composes objects.
  private func combine(_ parts: [String]) async throws(StorageError) -> ServiceResponse {
    let body = try await request.json()
    if parts.count == 5, parts[4] == "compose" { return try await compose(parts, body) }
    guard parts.count == 9, parts[5] == "b", parts[7] == "o",
      ["copyTo", "rewriteTo"].contains(parts[4])
    else { throw notEmulated(parts) }
    let source = ObjectSource(
      bucket: parts[1],
      name: parts[3],
      generation: try request.number("sourceGeneration"),
      conditions: try request.conditions("ifSource")
    )
    // A body without members keeps the source's metadata.
    var attributes: ObjectAttributes?
    if !body.isEmpty {
      var new = ObjectAttributes()
      let original = store.object(ObjectKey(source.bucket, source.name))?.metadata.attributes
      try StorageError.wrapping { () throws(StatusError) in
        try new.setContentType(original?.contentType)
        try new.apply(body)
      }
      attributes = new
    }
    let metadata = try await store.copy(
      source,
      to: parts[6],
      parts[8],
      attributes: attributes,
      conditions: try request.conditions(),
      by: requester
    )
    guard parts[4] == "rewriteTo" else { return json(resource(metadata)) }
    return json([
      "kind": .string("storage#rewriteResponse"), "done": .boolean(true),
      "totalBytesRewritten": .string(String(metadata.size)),
      "objectSize": .string(String(metadata.size)), "resource": .object(resource(metadata)),
    ])
  }

  /// The maximum number of objects that another one is composed of, as in production.
  private static let maximumSources = 32

  private func compose(
    _ parts: [String],
    _ body: JSONObject
  ) async throws(StorageError) -> ServiceResponse {
    try ObjectName.check(parts[3])
    let entries = body["sourceObjects"]?.array ?? []
    guard (1...Self.maximumSources).contains(entries.count) else {
      throw .invalid("sourceObjects must have 1 to \(Self.maximumSources) objects")
    }
    var sources: [ObjectSource] = []
    for entry in entries {
      guard let name = entry["name"]?.string else { throw .invalid("a source object has no name") }
      var source = ObjectSource(bucket: parts[1], name: name)
      source.generation = try entry["generation"]?.number("generation")
      let condition = entry["objectPreconditions"]?["ifGenerationMatch"]
      source.conditions.ifGenerationMatch = try condition?.number("ifGenerationMatch")
      sources.append(source)
    }
    var upload = ObjectUpload(bucket: parts[1], name: parts[3])
    upload.conditions = try request.conditions()
    let destination = body["destination"]?.object ?? [:]
    try StorageError.wrapping { () throws(StatusError) in
      try upload.attributes.apply(destination)
    }
    return json(resource(try await store.compose(sources, upload, by: requester)))
  }
}

extension ServiceRequest {
  /// Returns whether a query field is true. Google's client for Python begins it with a capital.
  fileprivate func isTrue(_ name: String) -> Bool { self[query: name]?.lowercased() == "true" }

  /// The end of the page before, or `nil` for the first page.
  var pageToken: ObjectListing.Token? {
    get throws(StorageError) {
      guard let text = self[query: "pageToken"], !text.isEmpty else { return nil }
      return try ObjectListing.Token(text)
    }
  }

  /// The number of results that the query asks for.
  var pageLimit: Int {
    get throws(StorageError) {
      guard let number = try number("maxResults"), number > 0 else {
        return ObjectListing.maximumResults
      }
      return Int(min(number, Int64(ObjectListing.maximumResults)))
    }
  }
}

extension JSONValue {
  /// Returns a number, which JSON has as a number or as a string, or `nil` for null.
  fileprivate func number(_ name: String) throws(StorageError) -> Int64? {
    if isNull { return nil }
    guard let number = integer ?? string.flatMap({ Int64($0) }), number >= 0 else {
      throw .invalid("\(name) is not a number")
    }
    return number
  }
}
