import Core
import Cryptography
import FirestoreModel
import HTTPService
import TestKit
import Testing

@testable import CloudStorage

/// The store of objects: its conditions, its files, and what survives a restart.
struct ObjectStoreTests {
  private static func condition(
    _ condition: WritableKeyPath<Conditions, Int64?>,
    _ number: Int64
  ) -> Conditions {
    var conditions = Conditions()
    conditions[keyPath: condition] = number
    return conditions
  }

  @Test func `of two writers who expect no object, one wins`() async throws {
    try await withTemporaryFolder { folder in
      let side = try StorageSide(in: folder)
      let condition = Self.condition(\.ifGenerationMatch, 0)
      let statuses = await withTaskGroup(of: Int?.self) { group in
        for number in 0..<20 {
          group.addTask {
            await status { () async throws(StorageError) in
              try await side.put("a", "\(number)", conditions: condition)
            }
          }
        }
        return await group.reduce(into: [Int?]()) { $0.append($1) }
      }
      #expect(statuses.count { $0 == nil } == 1)
      #expect(statuses.count { $0 == 412 } == 19)
      #expect(side.fileCount == 1)
    }
  }

  @Test func `an object that is replaced or deleted leaves no file`() async throws {
    try await withTemporaryFolder { folder in
      let log = EventLog()
      let side = try StorageSide(in: folder, observer: log)
      let first = try await side.put("a", "one")
      let second = try await side.put("a", "two")
      #expect(second.generation > first.generation)
      #expect(try side.text("a") == "two")
      #expect(side.fileCount == 1)
      try await side.store.delete(StorageSide.bucket, "a", by: side.requester)
      #expect(try side.text("a") == nil)
      #expect(side.fileCount == 0)
      #expect(log.events == ["finalized a", "deleted a", "finalized a", "deleted a"])
    }
  }

  @Test func `an open object stays readable when it is deleted`() async throws {
    try await withTemporaryFolder { folder in
      let side = try StorageSide(in: folder)
      _ = try await side.put("a", "content")
      let object = try #require(try side.store.openObject(ObjectKey(StorageSide.bucket, "a")))
      try await side.store.delete(StorageSide.bucket, "a", by: side.requester)
      #expect(try object.content.piece(at: 3, upTo: 7) == Data("tent".utf8))
    }
  }

  @Test func `objects, buckets and uploads survive a restart, and files of nobody don't`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let journal = MemoryJournal()
      let side = try StorageSide(in: folder, journal)
      let metadata = try await side.put("a/ö", "content")
      _ = try await side.store.createBucket("other", ["labels": .object(["x": .string("y")])])
      let resumable = try await side.store.beginUpload(
        ObjectUpload(bucket: StorageSide.bucket, name: "b"),
        by: side.requester
      )
      try resumable.append(Data("0123".utf8), resumable.begin())
      try await makeFile("\(side.store.folder.path)/orphan", "x")

      let next = try StorageSide(in: folder, journal)
      #expect(next.store.object(ObjectKey(StorageSide.bucket, "a/ö"))?.metadata == metadata)
      #expect(try next.text("a/ö") == "content")
      #expect(try next.store.bucket("other").settings["labels"]?["x"] == .string("y"))
      #expect(next.fileCount == 2)
      let resumed = try next.store.upload(resumable.id)
      let turn = try resumed.begin()
      #expect(turn.size == 4)
      try resumed.append(Data("4567".utf8), turn)
      let content = try resumed.finish(turn)
      let object = try await next.store.complete(
        resumed,
        content,
        resumed.upload,
        by: next.requester
      )
      #expect(try next.text("b") == "01234567")
      let whole = try await next.put("c", "01234567")
      #expect(object.md5 == whole.md5)
      #expect(object.crc32c == whole.crc32c)

      let last = try StorageSide(in: folder, journal)
      #expect(try last.store.upload(resumable.id).result == object)
      #expect(last.fileCount == 3)
    }
  }

  @Test func `a missing or short file is named at the start`() async throws {
    try await withTemporaryFolder { folder in
      let journal = MemoryJournal()
      let side = try StorageSide(in: folder, journal)
      _ = try await side.put("a", "content")
      let file = try #require(side.store.object(ObjectKey(StorageSide.bucket, "a"))?.file)
      #expect(truncate("\(side.store.folder.path)/\(file)", 3) == 0)
      let error = #expect(throws: StatusError.self) { try StorageSide(in: folder, journal) }
      #expect(error?.code == .dataLoss)
      #expect(error?.message.contains("\(StorageSide.bucket)/a") == true)
    }
  }

  @Test func `a change that can't be recorded changes nothing`() async throws {
    try await withTemporaryFolder { folder in
      let journal = MemoryJournal()
      let side = try StorageSide(in: folder, journal)
      _ = try await side.put("a", "old")
      journal.fail(with: StatusError(.resourceExhausted, "the disk is full"))
      #expect(
        await status { () async throws(StorageError) in try await side.put("a", "new") } != nil
      )
      #expect(try side.text("a") == "old")
      #expect(side.fileCount == 1)
      journal.fail(with: nil)
      _ = try await side.put("a", "new")
      #expect(try side.text("a") == "new")
    }
  }

  @Test func `a later request takes an upload over`() async throws {
    try await withTemporaryFolder { folder in
      let side = try StorageSide(in: folder)
      let resumable = try await side.store.beginUpload(
        ObjectUpload(bucket: StorageSide.bucket, name: "a"),
        by: side.requester
      )
      let first = try resumable.begin()
      try resumable.append(Data("01".utf8), first)
      let second = try resumable.begin()
      #expect(second.size == 2)
      let late = await status { () throws(StorageError) in
        try resumable.append(Data("xx".utf8), first)
      }
      #expect(late == 409)
      try resumable.append(Data("23".utf8), second)
      let content = try resumable.finish(second)
      #expect(content.size == 4)
      // Nothing can be added to content that an object may have.
      let third = try resumable.begin()
      let added = await status { () throws(StorageError) in
        try resumable.append(Data("4".utf8), third)
      }
      #expect(added == 409)
    }
  }

  @Test func `a cancelled upload is gone with its file`() async throws {
    try await withTemporaryFolder { folder in
      let side = try StorageSide(in: folder)
      let resumable = try await side.store.beginUpload(
        ObjectUpload(bucket: StorageSide.bucket, name: "a"),
        by: side.requester
      )
      try resumable.append(Data("01".utf8), resumable.begin())
      #expect(side.fileCount == 1)
      try await side.store.cancel(resumable)
      #expect(side.fileCount == 0)
      #expect(await status { () throws(StorageError) in try resumable.begin() } == 404)
      #expect(
        await status { () throws(StorageError) in try side.store.upload(resumable.id) } == 404
      )
    }
  }

  @Test func `of a cancellation and a completion at once, one wins`() async throws {
    try await withTemporaryFolder { folder in
      let journal = MemoryJournal()
      let side = try StorageSide(in: folder, journal)
      for number in 0..<50 {
        let name = "\(number)"
        let resumable = try await side.store.beginUpload(
          ObjectUpload(bucket: StorageSide.bucket, name: name),
          by: side.requester
        )
        let turn = try resumable.begin()
        try resumable.append(Data("content".utf8), turn)
        let content = try resumable.finish(turn)
        async let completion = status { () async throws(StorageError) in
          try await side.store.complete(resumable, content, resumable.upload, by: side.requester)
        }
        async let cancellation = status { () async throws(StorageError) in
          try await side.store.cancel(resumable)
        }
        let outcome = await (completion, cancellation)
        #expect(outcome == (nil, 409) || outcome == (404, nil))
        #expect(try side.text(name) == (outcome.0 == nil ? "content" : nil))
      }
      // Every object has its content, and no file is left.
      let next = try StorageSide(in: folder, journal)
      #expect(next.fileCount == next.store.objects.count)
    }
  }

  @Test func `an upload whose end isn't allowed leaves no file, and keeps its error`() async throws
  {
    try await withTemporaryFolder { folder in
      let side = try StorageSide(in: folder)
      var upload = ObjectUpload(bucket: StorageSide.bucket, name: "a")
      upload.checksums.crc32c = 1
      let resumable = try await side.store.beginUpload(upload, by: side.requester)
      let turn = try resumable.begin()
      try resumable.append(Data("content".utf8), turn)
      let content = try resumable.finish(turn)
      let failure = await status { () async throws(StorageError) in
        try await side.store.complete(resumable, content, upload, by: side.requester)
      }
      #expect(failure == 400)
      #expect(side.fileCount == 0)
      #expect(await status { () throws(StorageError) in try resumable.begin() } == 400)
      #expect(try side.text("a") == nil)
    }
  }

  @Test func `an upload holds no file open between its requests`() async throws {
    try await withTemporaryFolder { folder in
      let side = try StorageSide(in: folder)
      let resumable = try await side.store.beginUpload(
        ObjectUpload(bucket: StorageSide.bucket, name: "a"),
        by: side.requester
      )
      for piece in ["con", "tent"] {
        let turn = try resumable.begin()
        try resumable.append(Data(piece.utf8), turn)
        _ = try resumable.pause(turn)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count { name in
          let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/dev/fd/\(name)")
          return target?.hasSuffix(resumable.file) == true
        }
        #expect(open == 0)
      }
      let turn = try resumable.begin()
      #expect(try resumable.finish(turn).crc32c == CRC32C.checksum("content".utf8))
    }
  }

  @Test func `an upload of a week ago is gone after a restart, with its file and its record`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let journal = MemoryJournal()
      let side = try StorageSide(in: folder, journal)
      let resumable = try await side.store.beginUpload(
        ObjectUpload(bucket: StorageSide.bucket, name: "a"),
        by: side.requester
      )
      let later = Timestamp.now.advanced(by: UploadLimits.lifetime + .seconds(1))
      let next = try StorageSide(in: folder, journal, now: { later })
      #expect(
        await status { () throws(StorageError) in try next.store.upload(resumable.id) } == 404
      )
      #expect(next.fileCount == 0)
      _ = try await next.put("b", "content")
      #expect(!journal.records.keys.contains { $0.contains(resumable.id) })
    }
  }

  @Test func `metadata that was accepted is accepted at the next start`() async throws {
    try await withTemporaryFolder { folder in
      let journal = MemoryJournal()
      let side = try StorageSide(in: folder, journal)
      var upload = ObjectUpload(bucket: StorageSide.bucket, name: "a")
      let text = String(repeating: "x", count: 8_191)
      try upload.attributes.apply(["metadata": .object(["y": .string(text)])])
      DownloadTokens.add(to: &upload.attributes)
      let content = try await side.store.receive(RequestBody(Data("content".utf8)))
      let metadata = try await side.store.put(content, upload, by: side.requester)
      let next = try StorageSide(in: folder, journal)
      #expect(next.store.object(ObjectKey(StorageSide.bucket, "a"))?.metadata == metadata)
    }
  }

  @Test(arguments: ["image/png\r\nx: y", "a\u{1}b", String(repeating: "x", count: 1_025)])
  func `a content type that is no header is refused`(type: String) {
    var upload = ObjectUpload(bucket: StorageSide.bucket, name: "a")
    #expect(throws: StorageError.self) { try upload.setContentType(type) }
  }

  @Test func `a copy has a life of its own`() async throws {
    try await withTemporaryFolder { folder in
      let side = try StorageSide(in: folder)
      let original = try await side.put("a", "content")
      let copy = try await side.store.copy(
        ObjectSource(bucket: StorageSide.bucket, name: "a"),
        to: StorageSide.bucket,
        "b",
        attributes: nil,
        conditions: Conditions(),
        by: side.requester
      )
      #expect(copy.generation > original.generation)
      try await side.store.delete(StorageSide.bucket, "a", by: side.requester)
      #expect(try side.text("b") == "content")
      #expect(side.fileCount == 1)
    }
  }

  @Test(arguments: [
    "", ".", "..", "a\nb", "a\rb", "a\u{0}b", ".well-known/acme-challenge/x",
    String(repeating: "ä", count: 513),
  ])
  func `a name that production refuses is refused`(name: String) {
    #expect(throws: StorageError.self) { try ObjectName.check(name) }
  }

  @Test(arguments: ["a/../b", "//", " ", "a//b/", "%2F", "<b>", String(repeating: "ä", count: 512)])
  func `a name that production allows is allowed`(name: String) throws {
    try ObjectName.check(name)
  }

  @Test func `a bucket with objects isn't deleted`() async throws {
    try await withTemporaryFolder { folder in
      let side = try StorageSide(in: folder)
      _ = try await side.put("a", "content")
      let delete = { () async throws(StorageError) in
        try await side.store.deleteBucket(StorageSide.bucket, conditions: Conditions())
      }
      #expect(await status(of: delete) == 409)
      try await side.store.delete(StorageSide.bucket, "a", by: side.requester)
      #expect(await status(of: delete) == nil)
      #expect(await status(of: delete) == 404)
    }
  }
}
