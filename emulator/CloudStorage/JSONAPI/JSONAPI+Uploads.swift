import Core
import HTTPService

extension JSONAPI {
  /// Returns the response to a request of an upload.
  func upload(to bucket: String) async throws(StorageError) -> ServiceResponse {
    if let id = request[query: "upload_id"] { return try await continueUpload(id) }
    guard request.method == "POST" else { throw StorageError(service.notFound(request)) }
    switch request[query: "uploadType"] {
    case "media":
      var upload = try makeUpload(to: bucket, [:])
      try upload.setContentType(request.headers["content-type"])
      try upload.checksums.addMD5(header: request.headers["content-md5"])
      return try await put(upload, request.bodyStream)
    case "multipart": return try await multipart(to: bucket)
    case "resumable": return try await begin(to: bucket)
    default: throw .invalid("uploadType is not media, multipart or resumable")
    }
  }

  /// Returns what the query and the metadata say about an upload.
  private func makeUpload(
    to bucket: String,
    _ metadata: JSONObject
  ) throws(StorageError) -> ObjectUpload {
    guard let name = request[query: "name"] ?? metadata["name"]?.string else {
      throw .invalid("the object has no name: give it in the query or in the metadata")
    }
    try ObjectName.check(name)
    var upload = ObjectUpload(bucket: bucket, name: name)
    upload.conditions = try request.conditions()
    try StorageError.wrapping { () throws(StatusError) in
      try upload.attributes.apply(metadata)
      upload.checksums = try ExpectedChecksums(metadata, header: request.headers["x-goog-hash"])
    }
    return upload
  }

  private func put(
    _ upload: ObjectUpload,
    _ body: RequestBody
  ) async throws(StorageError) -> ServiceResponse {
    _ = try store.bucket(upload.bucket)
    let content = try await store.receive(body)
    return json(resource(try await store.put(content, upload, by: requester)))
  }

  private func multipart(to bucket: String) async throws(StorageError) -> ServiceResponse {
    let (upload, content) = try await service.receiveMultipart(request) {
      metadata throws(StorageError) in
      _ = try store.bucket(bucket)
      return try makeUpload(to: bucket, metadata)
    }
    return json(resource(try await store.put(content, upload, by: requester)))
  }

  // MARK: Resumable uploads

  private func begin(to bucket: String) async throws(StorageError) -> ServiceResponse {
    var upload = try makeUpload(to: bucket, try await request.json())
    try upload.setContentTypeIfMissing(request.headers["x-upload-content-type"])
    upload.size = try request.length("x-upload-content-length")
    let resumable = try await store.beginUpload(upload, by: requester)
    return resumable.started(at: request.origin)
  }

  private func continueUpload(_ id: String) async throws(StorageError) -> ServiceResponse {
    let resumable = try store.upload(id)
    if let result = resumable.result { return json(resource(result)) }
    switch request.method {
    case "PUT", "POST": break
    case "DELETE":
      try await store.cancel(resumable)
      // Production's status, which its clients expect.
      return ServiceResponse(status: 499)
    default: throw StorageError(service.notFound(request))
    }
    let turn = try resumable.begin()
    let range = try request.headers["content-range"].map(ContentRange.init)
    if let range, range.bytes == nil, range.total != turn.size {
      return Self.incomplete(turn.size)
    }
    let size = try await store.receive(
      request.bodyStream,
      for: resumable,
      turn,
      at: range.map { $0.bytes?.lowerBound ?? turn.size } ?? 0,
      count: range?.bytes?.count
    )
    if let range, range.total != size {
      guard range.total.map({ size < $0 }) ?? true else {
        throw .invalid("the upload has \(size) bytes, more than the total in Content-Range")
      }
      // A request that the client has given up may have sent more. Google's clients expect no more
      // than they know of; bytes that arrive again are ignored.
      return Self.incomplete(min(size, range.bytes?.upperBound ?? size))
    }
    try resumable.checkSize(size)
    let content = try resumable.finish(turn)
    var upload = resumable.upload
    // Google's clients send the checksums of the whole content with its last chunk.
    try StorageError.wrapping { () throws(StatusError) in
      try upload.checksums.add(header: request.headers["x-goog-hash"])
    }
    return json(resource(try await store.complete(resumable, content, upload, by: requester)))
  }

  /// The response that says how many bytes have arrived.
  private static func incomplete(_ size: Int64) -> ServiceResponse {
    var response = ServiceResponse(status: 308, headers: [("content-length", "0")])
    if size > 0 { response.headers.append(("range", "bytes=0-\(size - 1)")) }
    return response
  }
}

extension ResumableUpload {
  /// Returns the response to the request that began the upload.
  func started(at origin: String, status: Int = 200) -> ServiceResponse {
    let fields = [("uploadType", "resumable"), ("name", upload.name), ("upload_id", id)]
    let path = "/upload/storage/v1/b/\(upload.bucket)/o?\(PercentEncoding.query(fields))"
    return ServiceResponse(
      status: status,
      headers: [
        ("location", origin + path), ("x-guploader-uploadid", id), ("content-length", "0"),
      ]
    )
  }
}

extension ExpectedChecksums {
  /// Reads the checksums of an object's metadata, and those of the header `x-goog-hash`.
  init(_ metadata: JSONObject, header: String?) throws(StatusError) {
    try add(header: header)
    for name in ["crc32c", "md5Hash"] {
      if let text = metadata[ByteKey(name)]?.string { try set(name, text) }
    }
  }

  /// Adds the checksums of the header `x-goog-hash`.
  mutating func add(header: String?) throws(StatusError) {
    for part in (header ?? "").split(separator: ",") {
      let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      try set(pair[0] == "md5" ? "md5Hash" : String(pair[0]), String(pair[1]))
    }
  }

  /// Adds the checksum of the header `Content-MD5`, which is about a whole body.
  mutating func addMD5(header: String?) throws(StorageError) {
    guard let header else { return }
    do throws(StatusError) {
      md5 = try ObjectMetadata.bytes(header, count: 16, "Content-MD5")
    } catch {
      throw StorageError(error)
    }
  }

  private mutating func set(_ name: String, _ text: String) throws(StatusError) {
    switch name {
    case "crc32c":
      crc32c = try ObjectMetadata.bytes(text, count: 4, name).reduce(0) { $0 << 8 | UInt32($1) }
    case "md5Hash": md5 = try ObjectMetadata.bytes(text, count: 16, name)
    default: break
    }
  }
}
