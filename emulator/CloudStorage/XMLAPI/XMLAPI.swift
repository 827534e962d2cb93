import Core
import HTTPService

/// A request to the XML API of Cloud Storage, whose paths are `/BUCKET/OBJECT`: reads, uploads in one
/// request, and deletions, also with signed URLs.
struct XMLAPI {
  let service: StorageService
  let request: ServiceRequest

  func respond() async throws(StorageError) -> ServiceResponse {
    let (bucket, name) = try resource
    try service.signingKeys.check(request, at: service.store.time)
    guard !name.isEmpty else { throw .notEmulated("lists of the XML API are") }
    let requester = service.administrator(request)
    switch request.method {
    case "GET":
      _ = try service.store.bucket(bucket)
      let generation = try request.number("generation")
      guard let object = try service.store.openObject(ObjectKey(bucket, name)),
        generation == nil || generation == object.metadata.generation
      else { throw .noObject(name, in: bucket) }
      try conditions.check(reading: object.metadata)
      var response = try service.content(of: object, for: request)
      // A signed URL may say how browsers show the object.
      for header in ["content-type", "content-disposition"] {
        guard let value = request[query: "response-\(header)"] else { continue }
        response.headers.removeAll { $0.name == header }
        response.headers.append((header, value))
      }
      return response
    case "PUT":
      let upload = try upload(bucket, name)
      let content = try await service.store.receive(request.bodyStream)
      let object = try await service.store.put(content, upload, by: requester)
      return ServiceResponse(headers: [
        ("etag", "\"\(object.etag)\""), ("x-goog-generation", String(object.generation)),
        ("x-goog-metageneration", "1"), ("x-goog-hash", "crc32c=\(object.crc32cText)"),
      ])
    case "POST" where request.headers["x-goog-resumable"] == "start":
      let upload = try upload(bucket, name)
      let resumable = try await service.store.beginUpload(upload, by: requester)
      return resumable.started(at: request.origin, status: 201)
    case "DELETE":
      try await service.store.delete(bucket, name, conditions: conditions, by: requester)
      return ServiceResponse(status: 204)
    default: throw .notEmulated("the XML API's \(request.method) requests are")
    }
  }

  /// Returns what the headers say about an upload.
  private func upload(_ bucket: String, _ name: String) throws(StorageError) -> ObjectUpload {
    try ObjectName.check(name)
    _ = try service.store.bucket(bucket)
    var upload = ObjectUpload(bucket: bucket, name: name)
    try upload.setContentType(request.headers["content-type"])
    let prefix = "x-goog-meta-"
    let custom = request.headers.filter { $0.key.hasPrefix(prefix) }.map {
      (ByteKey($0.key.dropFirst(prefix.count)), JSONValue.string($0.value))
    }
    try StorageError.wrapping { () throws(StatusError) in
      try upload.attributes.apply([
        "cacheControl": request.headers["cache-control"].map { .string($0) } ?? .null,
        "metadata": .object(JSONObject(custom) { first, _ in first }),
      ])
      upload.checksums = try ExpectedChecksums([:], header: request.headers["x-goog-hash"])
    }
    try upload.checksums.addMD5(header: request.headers["content-md5"])
    upload.conditions = try conditions
    return upload
  }

  private var conditions: Conditions {
    get throws(StorageError) {
      var conditions = Conditions()
      conditions.ifGenerationMatch = try condition("x-goog-if-generation-match")
      conditions.ifMetagenerationMatch = try condition("x-goog-if-metageneration-match")
      return conditions
    }
  }

  private func condition(_ header: String) throws(StorageError) -> Int64? {
    guard let text = request.headers[header] else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw .invalid("the header \(header) is not a number")
    }
    return number
  }

  /// The bucket and the object that the path names. The object's name may have empty parts.
  private var resource: (bucket: String, name: String) {
    get throws(StorageError) {
      let path = request.target.utf8.prefix { $0 != UInt8(ascii: "?") }
      let parts = path.dropFirst().split(
        separator: UInt8(ascii: "/"),
        maxSplits: 1,
        omittingEmptySubsequences: false
      )
      do throws(StatusError) {
        let bucket = try ServiceRequest.decode(Substring(parts[0]))
        return (bucket, parts.count > 1 ? try ServiceRequest.decode(Substring(parts[1])) : "")
      } catch {
        throw StorageError(error)
      }
    }
  }
}
