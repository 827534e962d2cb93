import Core
import FirestoreModel
import HTTPService

extension StorageService {
  /// Returns an object's content, or the part of it that a Range header asks for.
  func content(
    of object: OpenObject,
    for request: ServiceRequest
  ) throws(StorageError) -> ServiceResponse {
    let (metadata, file) = (object.metadata, object.content)
    if let known = request.headers["if-none-match"], metadata.isNamed(in: known) {
      return ServiceResponse(status: 304, headers: [("etag", metadata.etag)])
    }
    if let expected = request.headers["if-match"], !metadata.isNamed(in: expected) {
      throw .conditionNotMet
    }
    // A part of another generation than the client has begun with is of no use.
    let isSame = request.headers["if-range"].map(metadata.isNamed) ?? true
    let range: ByteRange?
    do throws(StorageError) {
      range = try ByteRange.parse(isSame ? request.headers["range"] : nil, size: metadata.size)
    } catch {
      var response = error.response
      response.headers.append(("content-range", "bytes */\(metadata.size)"))
      return response
    }
    let part = range ?? ByteRange(lowerBound: 0, upperBound: metadata.size)
    var response = ServiceResponse(status: range == nil ? 200 : 206)
    response.headers = metadata.contentHeaders
    if range != nil {
      let last = part.upperBound - 1
      response.headers.append(
        ("content-range", "bytes \(part.lowerBound)-\(last)/\(metadata.size)")
      )
    }
    response.file = file.body(offset: part.lowerBound, count: part.count)
    return response
  }
}

extension ObjectMetadata {
  /// Returns whether a header such as If-Match has this entity tag, or a star for any.
  fileprivate func isNamed(in header: String) -> Bool {
    header.split { $0 == "," || $0 == " " }
      .contains { $0 == "*" || $0 == etag || $0 == "\"\(etag)\"" }
  }

  /// The headers of responses with an object's content.
  ///
  /// An upload may lie about its type. So browsers don't guess another type, and run no scripts: an
  /// HTML file must not act in the name of the emulator's address.
  fileprivate var contentHeaders: [(name: String, value: String)] {
    var hash = "crc32c=\(crc32cText)"
    if let md5Text { hash += ",md5=\(md5Text)" }
    var headers = [
      ("content-type", attributes.contentType ?? "application/octet-stream"),
      ("accept-ranges", "bytes"),
      ("etag", etag),
      ("last-modified", HTTPDate.string(time_t(updated.seconds))),
      ("cache-control", attributes.cacheControl ?? "private, max-age=0"),
      ("x-goog-generation", String(generation)),
      ("x-goog-metageneration", String(metageneration)),
      ("x-goog-storage-class", attributes.storageClass),
      ("x-goog-stored-content-encoding", attributes.contentEncoding ?? "identity"),
      ("x-goog-stored-content-length", String(size)),
      ("x-goog-hash", hash),
      ("x-content-type-options", "nosniff"),
      (
        "content-security-policy",
        "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox"
      ),
    ]
    if let encoding = attributes.contentEncoding { headers.append(("content-encoding", encoding)) }
    if let language = attributes.contentLanguage { headers.append(("content-language", language)) }
    headers.append(("content-disposition", attributes.contentDisposition ?? "inline"))
    for (name, value) in attributes.custom where name != DownloadTokens.name {
      headers.append(("x-goog-meta-\(name)", value))
    }
    return headers.map { (name: $0.0, value: $0.1) }
  }
}
