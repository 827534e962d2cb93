package import Core
import FirestoreModel
import HTTPService
import Persistence

/// The objects in exports, in the layout of Firebase's tools: `buckets.json`, a file with the content
/// of each object in `blobs`, and one with its metadata in `metadata`.
package struct ObjectExport: ExportedService {
  private static let bucketsFile = "buckets.json"
  private static let blobsFolder = "blobs"
  private static let metadataFolder = "metadata"
  private static let suffix = ".json"

  private let store: ObjectStore

  package init(of store: ObjectStore) { self.store = store }

  package var name: String { "storage" }

  private static func words(for count: Int) -> String? {
    switch count {
    case 0: nil
    case 1: "1 object"
    default: "\(count) objects"
    }
  }

  // MARK: Export

  package func write(to folder: String) throws(StatusError) -> String? {
    let buckets = store.buckets.map { JSONValue.object(["id": .string($0.name)]) }
    try Self.write(.object(["buckets": .array(buckets)]), to: "\(folder)/\(Self.bucketsFile)")
    for part in [Self.blobsFolder, Self.metadataFolder] {
      guard mkdir("\(folder)/\(part)", 0o777) == 0 else {
        throw StatusError(.failedPrecondition, "\(folder)/\(part): \(lastSystemError())")
      }
    }
    var count = 0
    for key in store.objects.map({ ObjectKey($0.metadata) }) {
      do throws(StorageError) {
        // An object that was deleted meanwhile isn't exported.
        guard let object = try store.openObject(key) else { continue }
        try write(object, to: folder)
        count += 1
      } catch {
        throw error.statusError
      }
    }
    return Self.words(for: count)
  }

  private func write(_ object: OpenObject, to folder: String) throws(StorageError) {
    let metadata = object.metadata
    let file = object.object.file
    try StorageError.wrapping { () throws(StatusError) in
      let output = try FileOutput(path: "\(folder)/\(Self.blobsFolder)/\(file)")
      var position: Int64 = 0
      while position < metadata.size {
        let piece = try object.content.exportedPiece(at: position, upTo: metadata.size)
        try output.write(piece)
        position += Int64(piece.count)
      }
      _ = try output.finish()
      try Self.write(
        .object(metadata.exported),
        to: "\(folder)/\(Self.metadataFolder)/\(file)\(Self.suffix)"
      )
    }
  }

  private static func write(_ json: JSONValue, to path: String) throws(StatusError) {
    guard let data = try? JSON.encode(json) else {
      throw StatusError(.internal, "\(path) can't be encoded")
    }
    let file = try FileOutput(path: path)
    try file.write(data + Data("\n".utf8))
    _ = try file.finish()
  }

  // MARK: Import

  private struct ImportedObject: Sendable {
    var upload: ObjectUpload
    var path: String
  }

  /// Reads objects. Each replaces the one with its name; the others stay.
  package func read(
    from folder: String
  ) throws(StatusError) -> @Sendable () async throws(StatusError) -> String? {
    let buckets = try Self.json(in: "\(folder)/\(Self.bucketsFile)")["buckets"]?.array ?? []
    var names: [String] = []
    for bucket in buckets {
      guard let name = bucket["id"]?.string else {
        throw StatusError(.invalidArgument, "\(folder)/\(Self.bucketsFile): a bucket has no id")
      }
      try Self.checking("\(folder)/\(Self.bucketsFile)") { () throws(StorageError) in
        try BucketName.check(name)
      }
      names.append(name)
    }
    let objects = try Self.objects(in: folder)
    let (store, bucketNames) = (store, names + objects.map(\.upload.bucket))
    return { () async throws(StatusError) in
      do throws(StorageError) {
        try await store.importObjects(objects.map { ($0.path, $0.upload) }, buckets: bucketNames)
      } catch {
        throw error.statusError
      }
      return Self.words(for: objects.count)
    }
  }

  private static func objects(in folder: String) throws(StatusError) -> [ImportedObject] {
    let metadataFolder = "\(folder)/\(metadataFolder)"
    // An export without objects may have no folder.
    guard let entries = try? FileManager.default.contentsOfDirectory(atPath: metadataFolder) else {
      return []
    }
    var objects: [ImportedObject] = []
    for entry in entries.sorted() where entry.hasSuffix(suffix) {
      let path = "\(metadataFolder)/\(entry)"
      let json = try json(in: path)
      // Firebase's tools encode the name of the content's file.
      let encoded = String(entry.dropLast(suffix.utf8.count))
      guard let blob = try? ServiceRequest.decode(encoded), !blob.contains("/"),
        !blob.hasPrefix(".")
      else {
        throw StatusError(.invalidArgument, "\(path): the file isn't named after a file in blobs")
      }
      let content = "\(folder)/\(blobsFolder)/\(blob)"
      guard FileManager.default.isReadableFile(atPath: content) else {
        throw StatusError(.notFound, "\(path): the content in \(content) can't be read")
      }
      var upload = ObjectUpload(
        bucket: json["bucket"]?.string ?? "",
        name: json["name"]?.string ?? ""
      )
      try checking(path) { () throws(StorageError) in
        try BucketName.check(upload.bucket)
        try ObjectName.check(upload.name)
      }
      do throws(StatusError) {
        try upload.attributes.apply(exported: json)
      } catch {
        throw StatusError(.invalidArgument, "\(path): \(error.message)")
      }
      objects.append(ImportedObject(upload: upload, path: content))
    }
    return objects
  }

  private static func checking(
    _ path: String,
    _ check: () throws(StorageError) -> Void
  ) throws(StatusError) {
    do throws(StorageError) {
      try check()
    } catch {
      throw StatusError(.invalidArgument, "\(path): \(error.message)")
    }
  }

  private static func json(in path: String) throws(StatusError) -> JSONObject {
    let data = try FileInput.all(of: path)
    guard let object = try? JSONValue(parsing: data).object else {
      throw StatusError(.invalidArgument, "\(path) is not a JSON object, or is cut off")
    }
    return object
  }
}

extension OpenFile {
  fileprivate func exportedPiece(
    at position: Int64,
    upTo end: Int64
  ) throws(StatusError) -> Data {
    do throws(StorageError) {
      return try piece(at: position, upTo: end)
    } catch {
      throw error.statusError
    }
  }
}

extension ObjectMetadata {
  /// The metadata in the format of Firebase's tools.
  fileprivate var exported: JSONObject {
    var custom = attributes.custom
    custom[DownloadTokens.name] = nil
    var members = resource()
    for name in ["kind", "id", "selfLink", "mediaLink", "metadata", "timeFinalized"] {
      members[ByteKey(name)] = nil
    }
    members["generation"] = .integer(generation)
    members["metageneration"] = .integer(metageneration)
    members["size"] = .integer(size)
    members["downloadTokens"] = .array(DownloadTokens.of(attributes).map { .string($0) })
    members["customMetadata"] = .object(custom.mapValues { .string($0) })
    return members
  }
}

extension ObjectAttributes {
  /// Sets the attributes of metadata in the format of Firebase's tools.
  fileprivate mutating func apply(exported json: JSONObject) throws(StatusError) {
    var members = json
    var custom = json["customMetadata"]?.object ?? json["metadata"]?.object ?? [:]
    let tokens = (json["downloadTokens"]?.array ?? []).compactMap(\.string)
    if !tokens.isEmpty { custom[DownloadTokens.name] = .string(tokens.joined(separator: ",")) }
    members["metadata"] = .object(custom)
    try apply(members)
  }
}

extension ObjectStore {
  /// Imports objects from files, and triggers nothing.
  fileprivate func importObjects(
    _ objects: [(path: String, upload: ObjectUpload)],
    buckets: [String]
  ) async throws(StorageError) {
    var cause = ObjectCause()
    cause.firesTriggers = false
    try await edit(cause: cause) { edit throws(StorageError) in
      for bucket in buckets { try edit.createIfMissing(bucket) }
    }
    for (path, upload) in objects {
      let content = try await FileExecutor.run { () throws(StorageError) in
        try self.copyContent(of: path)
      }
      do throws(StorageError) {
        try await edit(cause: cause) { edit throws(StorageError) in
          let metadata = ObjectMetadata(content, upload, edit)
          edit.put(StoredObject(metadata: metadata, file: content.file))
        }
      } catch {
        folder.remove(content.file)
        throw error
      }
    }
  }

  private func copyContent(of path: String) throws(StorageError) -> ObjectContent {
    guard let file = OpenFile(path, flags: O_RDONLY) else { throw .file("\(path) can't be read") }
    var writer = try ContentWriter(in: folder)
    do throws(StorageError) {
      while true {
        let piece = try file.piece(at: writer.size, upTo: nil)
        guard !piece.isEmpty else { return try writer.finish() }
        try writer.append(piece)
      }
    } catch {
      writer.discard()
      throw error
    }
  }
}
