import Core
import HTTPService

/// An upload of a Firebase SDK: in one request, or resumable.
struct FirebaseUpload {
  /// The number of bytes that chunks of resumable uploads should be multiples of.
  private static let granularity = 256 << 10

  let api: FirebaseAPI
  let bucket: String
  let requester: StorageRequester

  private var request: ServiceRequest { api.request }
  private var store: ObjectStore { api.store }

  /// The words of the header X-Goog-Upload-Command.
  private var commands: [String] {
    (request.headers["x-goog-upload-command"] ?? "").split { $0 == "," || $0 == " " }
      .map { $0.lowercased() }
  }

  /// Returns the response to a request.
  ///
  /// - Parameter name: The object's name, or `nil` if only the metadata has it.
  func respond(name: String?) async throws(StorageError) -> ServiceResponse {
    if let id = request[query: "upload_id"] { return try await resume(store.upload(id)) }
    if commands.contains("start") || request[query: "uploadType"] == "resumable" {
      return try await start(name)
    }
    let type = request.headers["content-type"]
    if request.headers["x-goog-upload-protocol"]?.lowercased() == "multipart"
      || type?.mediaType == "multipart/related"
    {
      let (upload, content) = try await api.service.receiveMultipart(request) {
        metadata throws(StorageError) in
        try makeUpload(name, metadata)
      }
      return try await .json(finished(content, upload))
    }
    var upload = try makeUpload(name, [:])
    try upload.setContentType(type)
    return try await .json(finished(store.receive(request.bodyStream), upload))
  }

  /// Returns the upload of the metadata that a client sends.
  private func makeUpload(
    _ name: String?,
    _ metadata: JSONObject
  ) throws(StorageError) -> ObjectUpload {
    guard let name = name ?? metadata["name"]?.string else {
      throw .invalid("the object has no name: give it in the query or in the metadata")
    }
    try ObjectName.check(name)
    var upload = ObjectUpload(bucket: bucket, name: name)
    upload.caller = requester.rights.caller
    try StorageError.wrapping { () throws(StatusError) in
      try upload.attributes.apply(metadata.withoutTokens)
      upload.checksums = try ExpectedChecksums(metadata, header: request.headers["x-goog-hash"])
    }
    DownloadTokens.add(to: &upload.attributes)
    return upload
  }

  private func finished(
    _ content: ObjectContent,
    _ upload: ObjectUpload
  ) async throws(StorageError) -> JSONValue {
    .object(try await store.put(content, upload, by: requester).firebaseResource)
  }

  // MARK: Resumable uploads

  private func start(_ name: String?) async throws(StorageError) -> ServiceResponse {
    var upload = try makeUpload(name, try await request.json())
    try upload.setContentTypeIfMissing(request.headers["x-goog-upload-header-content-type"])
    upload.size = try request.length("x-goog-upload-header-content-length")
    try checkAnnounced(upload)
    let resumable = try await store.beginUpload(upload, by: requester)
    let fields = [
      ("name", upload.name), ("upload_id", resumable.id), ("upload_protocol", "resumable"),
    ]
    let url = "\(request.origin)/v0/b/\(bucket)/o?\(PercentEncoding.query(fields))"
    return ServiceResponse(headers: [
      ("x-goog-upload-status", "active"), ("x-goog-upload-url", url),
      ("x-goog-upload-control-url", url), ("x-gupload-uploadid", resumable.id),
      ("x-goog-upload-chunk-granularity", String(Self.granularity)),
    ])
  }

  /// Asks the rules about an upload with an announced size, so that a large file that they don't
  /// allow isn't sent in vain. They are asked again when the content is known.
  private func checkAnnounced(_ upload: ObjectUpload) throws(StorageError) {
    guard let size = upload.size else { return }
    let new = ObjectMetadata(
      bucket: bucket,
      name: upload.name,
      generation: 0,
      size: size,
      crc32c: 0,
      timeCreated: store.time,
      updated: store.time,
      attributes: upload.attributes
    )
    try requester.rights.checkUpload(
      new,
      over: store.object(ObjectKey(bucket, upload.name)),
      isAnnounced: true
    )
  }

  private func resume(_ resumable: ResumableUpload) async throws(StorageError) -> ServiceResponse {
    if let result = resumable.result {
      guard !commands.contains("cancel") else { return status("final", code: 400) }
      return status("final", .object(result.firebaseResource))
    }
    if case .failure(let error)? = resumable.outcome { return failed(error) }
    if commands.contains("cancel") {
      try await store.cancel(resumable)
      return status("cancelled")
    }
    let turn = try resumable.begin()
    if commands.contains("query") { return status("active", size: turn.size) }
    var size = turn.size
    if commands.contains("upload") {
      guard let offset = request.headers["x-goog-upload-offset"].flatMap({ Int64($0) }), offset >= 0
      else { throw .invalid("X-Goog-Upload-Offset is not a number") }
      guard offset <= size else {
        var response = StorageError.invalid(
          "X-Goog-Upload-Offset is \(offset), but \(size) bytes have arrived: continue there"
        ).response
        response.headers += status("active", size: size).headers
        return response
      }
      size = try await store.receive(request.bodyStream, for: resumable, turn, at: offset)
    }
    guard commands.contains("finalize") else {
      guard commands.contains("upload") else {
        throw .invalid(
          "X-Goog-Upload-Command is none of upload, finalize, query and cancel"
        )
      }
      return status("active", size: size)
    }
    try resumable.checkSize(size)
    let content = try resumable.finish(turn)
    var requester = requester
    // The rules hold for the user who began the upload, as in Firebase's emulator.
    requester.rights = StorageRights(
      caller: resumable.upload.caller,
      rules: requester.rights.rules,
      documents: requester.rights.documents
    )
    requester.cause.author = resumable.upload.caller.author
    do throws(StorageError) {
      let metadata = try await store.complete(
        resumable,
        content,
        resumable.upload,
        by: requester
      )
      return status("final", .object(metadata.firebaseResource))
    } catch {
      return failed(error)
    }
  }

  /// Returns the response to each request of an upload that has failed.
  private func failed(_ error: StorageError) -> ServiceResponse {
    var response = error.response
    response.headers.append(("x-goog-upload-status", "final"))
    return response
  }

  private func status(
    _ status: String,
    _ body: JSONValue? = nil,
    size: Int64? = nil,
    code: Int = 200
  ) -> ServiceResponse {
    var response = body.map { .json($0, status: code) } ?? ServiceResponse(status: code)
    response.headers.append(("x-goog-upload-status", status))
    if let size { response.headers.append(("x-goog-upload-size-received", String(size))) }
    return response
  }
}
