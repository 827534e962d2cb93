import Core
import HTTPService

extension ObjectStore {
  /// Writes a new file, and removes it if that fails.
  func newContent(
    _ write: (inout ContentWriter) async throws(StorageError) -> Void
  ) async throws(StorageError) -> ObjectContent {
    var writer = try ContentWriter(in: folder)
    do throws(StorageError) {
      try await write(&writer)
      return try writer.finish()
    } catch {
      writer.discard()
      throw error
    }
  }

  /// Writes a body to a new file.
  func receive(_ body: RequestBody) async throws(StorageError) -> ObjectContent {
    try await newContent { writer throws(StorageError) in
      while let piece = try await body.nextPiece() { try writer.append(piece) }
    }
  }

  /// Appends a body to a resumable upload.
  ///
  /// Bytes that have arrived before a client disconnects stay, so that the upload can continue after
  /// them.
  ///
  /// - Parameters:
  ///   - position: The position of the body's first byte. Bytes that have arrived already are
  ///     ignored.
  ///   - count: The number of bytes that the body must have, or `nil` for any.
  /// - Returns: The number of bytes that have arrived, at most those that the upload has announced.
  func receive(
    _ body: RequestBody,
    for upload: ResumableUpload,
    _ turn: ResumableUpload.Turn,
    at position: Int64,
    count: Int64? = nil
  ) async throws(StorageError) -> Int64 {
    guard position <= turn.size else {
      throw .invalid(
        "the chunk begins at \(position), but \(turn.size) bytes have arrived: continue there"
      )
    }
    var known = turn.size - position
    var received: Int64 = 0
    let limit = upload.upload.size
    do throws(StorageError) {
      while let piece = try await body.nextPiece() {
        received += Int64(piece.count)
        if let count, received > count {
          throw .invalid("the chunk has more bytes than the \(count) of its range")
        }
        if let limit, position + received > limit {
          throw .invalid("the upload has more bytes than the announced \(limit)")
        }
        let skipped = min(known, Int64(piece.count))
        known -= skipped
        if skipped < piece.count { try upload.append(piece.dropFirst(Int(skipped)), turn) }
      }
    } catch {
      _ = try? upload.pause(turn)
      throw error
    }
    let size = try upload.pause(turn)
    guard count.map({ received == $0 }) ?? true else {
      throw .invalid("the chunk has \(received) bytes instead of the \(count ?? 0) of its range")
    }
    return size
  }
}

extension ResumableUpload {
  /// Checks that all announced bytes have arrived.
  func checkSize(_ size: Int64) throws(StorageError) {
    guard let announced = upload.size, announced != size else { return }
    throw .invalid("the upload has \(size) bytes instead of the announced \(announced)")
  }
}

extension StorageService {
  /// Receives a multipart upload.
  ///
  /// - Parameter upload: Returns the upload of the metadata, before the content is read.
  func receiveMultipart(
    _ request: ServiceRequest,
    _ upload: (JSONObject) throws(StorageError) -> ObjectUpload
  ) async throws(StorageError) -> (ObjectUpload, ObjectContent) {
    var body = try MultipartBody(
      request.bodyStream,
      contentType: request.headers["content-type"]
    )
    _ = try await body.nextPart()
    let text = try await body.smallPart(atMost: Self.maximumJSONBytes)
    let metadata = try StorageError.wrapping { () throws(StatusError) in
      try text.isEmpty ? [:] : JSON.parse(text, what: "the metadata").object
    }
    guard let metadata else { throw .invalid("the metadata is not a JSON object") }
    var upload = try upload(metadata)
    let headers = try await body.nextPart()
    try upload.setContentTypeIfMissing(headers["content-type"])
    let content = try await store.newContent { writer throws(StorageError) in
      try await body.lastPart { piece throws(StorageError) in try writer.append(piece) }
    }
    return (upload, content)
  }
}

extension RequestBody {
  func nextPiece() async throws(StorageError) -> Data? {
    do throws(StatusError) {
      return try await next()
    } catch {
      throw StorageError(error)
    }
  }
}
