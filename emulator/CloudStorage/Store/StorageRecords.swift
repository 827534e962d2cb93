package import Core
import FirestoreModel
import Rules
package import Store

/// The buckets, objects and resumable uploads that a journal has.
package struct StorageContents: Sendable {
  var buckets: [Bucket] = []
  var objects: [StoredObject] = []
  var uploads: [UploadRecord] = []

  package init() {}
}

/// A resumable upload in the journal.
struct UploadRecord: Sendable {
  var id: String
  var upload: ObjectUpload
  var timeCreated: Timestamp
  var file: String
  var result: ObjectMetadata?

  func resume(in folder: ObjectFolder) -> ResumableUpload {
    ResumableUpload(
      upload,
      id: id,
      at: timeCreated,
      file: file,
      result: result,
      in: folder
    )
  }
}

/// The buckets, objects and resumable uploads as records in the journal of Firestore's store.
package struct StorageRecords: Sendable {
  private let store: Store
  private let keys: Keys

  /// Creates a journal that writes into a store's journal, if that store has one.
  package init(in store: Store, of project: String) {
    self.store = store
    keys = Keys(project)
  }

  /// The beginnings of the keys of a project's records.
  private struct Keys {
    let bucket: String
    let object: String
    let upload: String

    init(_ project: String) {
      bucket = "storage/\(project)/bucket/"
      object = "storage/\(project)/object/"
      upload = "storage/\(project)/upload/"
    }
  }

  func record(
    _ content: PendingChanges.Content,
    expiredUploads: [String],
    with events: [JournalRecord]
  ) async throws(StatusError) {
    var records = events
    for (name, bucket) in content.buckets {
      records.append(try Self.record(keys.bucket + name.string, bucket?.record))
    }
    for (key, object) in content.objects {
      let name = "\(keys.object)\(key.bucket)/\(key.name)"
      records.append(try Self.record(name, object?.record))
    }
    for (id, change) in content.uploads {
      let json: JSONObject? =
        switch change {
        case .begin(let upload): upload.record(result: nil)
        case .end(let upload, .object(let result)): upload.record(result: result)
        case .end: nil
        }
      records.append(try Self.record(keys.upload + id, json))
    }
    for id in expiredUploads { records.append(JournalRecord(key: keys.upload + id, content: nil)) }
    try await store.keep(records)
  }

  private static func record(
    _ key: String,
    _ json: JSONObject?
  ) throws(StatusError) -> JournalRecord {
    guard let json else { return JournalRecord(key: key, content: nil) }
    guard let data = try? JSON.encode(JSONValue.object(json)) else {
      throw StatusError(.internal, "a record of Cloud Storage can't be encoded")
    }
    return JournalRecord(key: key, content: data)
  }

  /// Returns the contents in a journal's records. Records of other components and projects are
  /// ignored.
  ///
  /// - Throws: `DATA_LOSS` if a record can't be decoded.
  package static func contents(
    of records: [String: Data],
    project: String
  ) throws(StatusError) -> StorageContents {
    let keys = Keys(project)
    var contents = StorageContents()
    for (key, content) in records {
      do throws(StatusError) {
        if key.utf8.starts(with: keys.bucket.utf8) {
          contents.buckets.append(try Bucket(record: object(in: content)))
        } else if key.utf8.starts(with: keys.object.utf8) {
          contents.objects.append(try StoredObject(record: object(in: content)))
        } else if key.utf8.starts(with: keys.upload.utf8) {
          let id = String(decoding: key.utf8.dropFirst(keys.upload.utf8.count), as: UTF8.self)
          contents.uploads.append(try UploadRecord(id: id, record: object(in: content)))
        }
      } catch {
        throw StatusError(
          .dataLoss,
          "the record \(quoted(key)) of Cloud Storage can't be decoded: \(error.message)"
        )
      }
    }
    return contents
  }

  private static func object(in content: Data) throws(StatusError) -> JSONObject {
    guard let object = try JSONValue(parsing: content).object else {
      throw StatusError(.invalidArgument, "not an object")
    }
    return object
  }
}

extension Bucket {
  fileprivate var record: JSONObject {
    [
      "name": .string(name), "timeCreated": .string(timeCreated.description),
      "updated": .string(updated.description), "metageneration": .integer(metageneration),
      "settings": .object(settings),
    ]
  }

  fileprivate init(record: JSONObject) throws(StatusError) {
    self.init(try record.text("name"), at: try Timestamp(record.text("timeCreated")))
    updated = try Timestamp(record.text("updated"))
    metageneration = try record.number("metageneration")
    settings = record["settings"]?.object ?? [:]
  }
}

extension StoredObject {
  fileprivate var record: JSONObject {
    ["file": .string(file), "object": .object(metadata.resource())]
  }

  fileprivate init(record: JSONObject) throws(StatusError) {
    self.init(
      metadata: try ObjectMetadata(resource: record["object"]?.object ?? [:]),
      file: try record.text("file")
    )
  }
}

extension ResumableUpload {
  fileprivate func record(result: ObjectMetadata?) -> JSONObject {
    var record: JSONObject = [
      "bucket": .string(upload.bucket), "name": .string(upload.name),
      "attributes": .object(upload.attributes.json), "file": .string(file),
      "timeCreated": .string(timeCreated.description),
    ]
    record["size"] = upload.size.map { .integer($0) }
    record["result"] = result.map { .object($0.resource()) }
    record["crc32c"] = upload.checksums.crc32c.map { .integer(Int64($0)) }
    record["md5"] = upload.checksums.md5.map { .string(Data($0).base64EncodedString()) }
    for (name, condition) in Conditions.names {
      record[ByteKey(name)] = upload.conditions[keyPath: condition].map { .integer($0) }
    }
    if case .client(let caller) = upload.caller {
      record["client"] = .object([
        "uid": caller.uid.map { .string($0) } ?? .null, "claims": .object(caller.claims),
      ])
    }
    return record
  }
}

extension UploadRecord {
  fileprivate init(id: String, record: JSONObject) throws(StatusError) {
    var upload = ObjectUpload(bucket: try record.text("bucket"), name: try record.text("name"))
    upload.attributes = try ObjectAttributes(stored: record["attributes"]?.object ?? [:])
    upload.size = record["size"]?.integer
    upload.checksums.crc32c = record["crc32c"]?.integer.flatMap { UInt32(exactly: $0) }
    upload.checksums.md5 = record["md5"]?.string.flatMap { Data(base64Encoded: $0) }.map(Array.init)
    for (name, condition) in Conditions.names {
      upload.conditions[keyPath: condition] = record[ByteKey(name)]?.integer
    }
    if let client = record["client"] {
      upload.caller = .client(
        client["uid"]?.string.map {
          RulesCaller(uid: $0, claims: client["claims"]?.object ?? [:])
        } ?? .nobody
      )
    }
    self.init(
      id: id,
      upload: upload,
      timeCreated: try Timestamp(record.text("timeCreated")),
      file: try record.text("file"),
      result: try record["result"]?.object.map { json throws(StatusError) in
        try ObjectMetadata(resource: json)
      }
    )
  }
}

extension JSONObject {
  fileprivate func text(_ name: ByteKey) throws(StatusError) -> String {
    guard let text = self[name]?.string else { throw StatusError(.invalidArgument, "no \(name)") }
    return text
  }

  fileprivate func number(_ name: ByteKey) throws(StatusError) -> Int64 {
    guard let number = self[name]?.integer else {
      throw StatusError(.invalidArgument, "no \(name)")
    }
    return number
  }
}
