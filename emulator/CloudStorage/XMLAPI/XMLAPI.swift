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
      guard let object = try service.store.openObject(ObjectKey(bucket, name)) else {
        throw .noObject(name, in: bucket)
      }
      return try service.content(of: object, for: request)
    case "PUT":
      try ObjectName.check(name)
      _ = try service.store.bucket(bucket)
      var upload = ObjectUpload(bucket: bucket, name: name)
      upload.attributes.contentType =
        request.headers["content-type"] ?? "application/octet-stream"
      let metadata = request.headers.filter { $0.key.hasPrefix("x-goog-meta-") }
      try StorageError.wrapping { () throws(StatusError) in
        try upload.attributes.apply([
          "cacheControl": request.headers["cache-control"].map { .string($0) } ?? .null,
          "metadata": .object(
            JSONObject(
              metadata.map { (ByteKey($0.key.dropFirst("x-goog-meta-".count)), .string($0.value)) }
            ) { first, _ in first }
          ),
        ])
        upload.checksums = try ExpectedChecksums([:], header: request.headers["x-goog-hash"])
      }
      let content = try await service.store.receive(request.bodyStream)
      let object = try await service.store.put(content, upload, by: requester)
      return ServiceResponse(headers: [
        ("etag", "\"\(object.etag)\""), ("x-goog-generation", String(object.generation)),
        ("x-goog-metageneration", "1"), ("x-goog-hash", "crc32c=\(object.crc32cText)"),
      ])
    case "DELETE":
      try await service.store.delete(bucket, name, by: requester)
      return ServiceResponse(status: 204)
    default: throw .notEmulated("the XML API's \(request.method) requests are")
    }
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
