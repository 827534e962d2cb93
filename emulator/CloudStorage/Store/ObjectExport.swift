package import Core
import FirestoreModel
import HTTPService
import Persistence
import Store

/// The objects in exports, in the layout of Firebase's tools: `buckets.json`, a file with the content
/// of each object in `blobs`, and one with its metadata in `metadata`.
package struct ObjectExport: ExportedService {
  package static let name = "storage"

  private static let bucketsFile = "buckets.json"
  private static let blobsFolder = "blobs"
  private static let metadataFolder = "metadata"
  private static let suffix = ".json"

  private let store: ObjectStore

  package init(of store: ObjectStore) { self.store = store }

  package var name: String { Self.name }

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

  fileprivate struct ImportedObject: Sendable {
    var upload: ObjectUpload
    var path: String
    /// The metadata in the format of Firebase's tools.
    var metadata: JSONObject
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
        for object in objects { try object.checkSize() }
        try await store.importObjects(objects, buckets: bucketNames)
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
      let content = try content(named: String(entry.dropLast(suffix.utf8.count)), in: folder)
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
      objects.append(ImportedObject(upload: upload, path: content, metadata: json))
    }
    return objects
  }

  /// Returns the path of an object's content.
  ///
  /// - Parameter name: The name of the content's file, which older versions of Firebase's tools
  ///   have encoded for the file with the metadata.
  private static func content(
    named name: String,
    in folder: String
  ) throws(StatusError) -> String {
    for name in [name, (try? ServiceRequest.decode(name)) ?? name]
    where !name.contains("/") && !name.hasPrefix(".") {
      let path = "\(folder)/\(blobsFolder)/\(name)"
      if FileManager.default.isReadableFile(atPath: path) { return path }
    }
    throw StatusError(
      .notFound,
      "\(folder)/\(metadataFolder)/\(name)\(suffix): the content in \(blobsFolder) can't be read"
    )
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

extension ObjectExport.ImportedObject {
  /// Checks that the content isn't cut off.
  fileprivate func checkSize() throws(StorageError) {
    var information = stat()
    guard let size = metadata["size"]?.number, stat(path, &information) == 0,
      Int64(information.st_size) != size
    else { return }
    throw .invalid("\(path) has \(information.st_size) bytes instead of \(size)")
  }
}

extension JSONValue {
  /// A number, which tools write as a number or as a text.
  fileprivate var number: Int64? { integer ?? string.flatMap { Int64($0) } }
}

extension ObjectMetadata {
  /// Takes on the version and the times of exported metadata.
  fileprivate mutating func keepVersion(of exported: JSONObject) {
    if let number = exported["generation"]?.number, number > 0 { generation = number }
    if let number = exported["metageneration"]?.number, number > 0 { metageneration = number }
    if let time = exported["timeCreated"]?.string, let time = try? Timestamp(time) {
      timeCreated = time.truncatedToMilliseconds
    }
    if let time = exported["updated"]?.string, let time = try? Timestamp(time) {
      updated = time.truncatedToMilliseconds
    }
    if let count = exported["componentCount"]?.number {
      componentCount = count
      md5 = nil
    }
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
    _ objects: [ObjectExport.ImportedObject],
    buckets: [String]
  ) async throws(StorageError) {
    var cause = ObjectCause()
    cause.firesTriggers = false
    try await edit(cause: cause) { edit throws(StorageError) in
      for bucket in buckets { try edit.createIfMissing(bucket) }
    }
    for object in objects {
      let content = try await FileExecutor.run { () async throws(StorageError) in
        try await self.copyContent(of: object.path)
      }
      do throws(StorageError) {
        try await edit(cause: cause) { edit throws(StorageError) in
          var metadata = ObjectMetadata(content, object.upload, edit)
          metadata.keepVersion(of: object.metadata)
          edit.put(StoredObject(metadata: metadata, file: content.file))
        }
      } catch {
        folder.remove(content.file)
        throw error
      }
    }
  }

  private func copyContent(of path: String) async throws(StorageError) -> ObjectContent {
    guard let file = OpenFile(path, flags: O_RDONLY) else { throw .file("\(path) can't be read") }
    return try await newContent { writer throws(StorageError) in
      while true {
        let piece = try file.piece(at: writer.size, upTo: nil)
        guard !piece.isEmpty else { return }
        try writer.append(piece)
      }
    }
  }
}
