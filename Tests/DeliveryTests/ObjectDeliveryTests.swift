import Core
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Store
import Synchronization
import TestKit
import Testing

@testable import CloudStorage
@testable import Delivery

/// Deliveries of changes of objects.
@Suite(.timeLimit(.minutes(5)))
struct ObjectDeliveryTests {
  private static let bucket = "demo.appspot.com"

  private static func object(
    _ name: String = "avatars/sarah/a.png",
    generation: Int64 = 1,
    metageneration: Int64 = 1,
    in bucket: String = bucket
  ) -> ObjectMetadata {
    return ObjectMetadata(
      bucket: bucket,
      name: name,
      generation: generation,
      metageneration: metageneration,
      size: 3,
      crc32c: 7,
      md5: [UInt8](repeating: 1, count: 16),
      timeCreated: Timestamp(seconds: generation),
      updated: Timestamp(seconds: generation),
      attributes: ObjectAttributes()
    )
  }

  private static func change(
    from old: ObjectMetadata?,
    to new: ObjectMetadata?,
    _ cause: ObjectCause = ObjectCause()
  ) -> ObjectChange {
    ObjectChange(old: old, new: new, time: Timestamp(seconds: 9), cause: cause)
  }

  private static func manifest(
    _ name: String,
    _ kinds: [EventType.Kind],
    object: String = FunctionManifest.Trigger.allObjects,
    bucket: String? = nil,
    writes: [String] = []
  ) -> FunctionManifest {
    FunctionManifest(
      name: name,
      triggers: kinds.map { .init($0, object: object, bucket: bucket) },
      objectWrites: writes
    )
  }

  /// Makes changes, and returns the deliveries that they cause after these have ended.
  private func deliveries(
    of changes: [ObjectChange],
    to manifests: [FunctionManifest],
    _ check: (Dispatcher) throws -> Void = { _ in }
  ) async throws -> [Delivery] {
    let found = Mutex<[Delivery]>([])
    try await withTargets(manifests.map { ($0, ScriptedTarget { _ in .ok }) }) { dispatcher in
      for change in changes { dispatcher.prepare(change)?.publish() }
      await dispatcher.quiet()
      try check(dispatcher)
      found.withLock { $0 = dispatcher.deliveries }
    }
    return found.withLock { $0 }
  }

  struct Case: Sendable {
    var old: ObjectMetadata?
    var new: ObjectMetadata?
    var kinds: [EventType.Kind]
  }

  @Test(arguments: [
    Case(new: object(), kinds: [.finalized]),
    Case(old: object(), kinds: [.deleted]),
    Case(old: object(), new: object(metageneration: 2), kinds: [.metadataUpdated]),
    Case(old: object(), new: object(generation: 2), kinds: [.deleted, .finalized]),
  ])
  func `a change has the events of its generations`(change: Case) async throws {
    let found = try await deliveries(
      of: [Self.change(from: change.old, to: change.new)],
      to: [Self.manifest("seen", [.finalized, .deleted, .metadataUpdated])]
    )
    #expect(found.map(\.event.change) == change.kinds)
    #expect(Set(found.map(\.event.traceparent)).count == 1)
    for delivery in found {
      guard case .object(let event) = delivery.event else {
        throw StatusError(.internal, "not an object")
      }
      let metadata = event.type.kind == .deleted ? change.old : change.new
      #expect(event.data == metadata?.resource() && event.time == Timestamp(seconds: 9))
    }
  }

  @Test func `an object's name and bucket decide which functions get an event`() async throws {
    let found = try await deliveries(
      of: [
        Self.change(from: nil, to: Self.object()),
        Self.change(from: nil, to: Self.object("avatars/sarah/", in: "other")),
      ],
      to: [
        Self.manifest("all", [.finalized]),
        Self.manifest("avatar", [.finalized], object: "avatars/{uid}/{file}"),
        Self.manifest("bucket", [.finalized], bucket: "other"),
        Self.manifest("deleted", [.deleted]),
      ]
    )
    #expect(
      found.map { "\($0.function): \($0.event.resource)" }.sorted() == [
        "all: projects/_/buckets/demo.appspot.com/objects/avatars/sarah/a.png",
        "all: projects/_/buckets/other/objects/avatars/sarah/",
        "avatar: projects/_/buckets/demo.appspot.com/objects/avatars/sarah/a.png",
        "bucket: projects/_/buckets/other/objects/avatars/sarah/",
      ]
    )
  }

  @Test func `a change that fires no triggers has no events`() async throws {
    var cause = ObjectCause()
    cause.firesTriggers = false
    let changes = [Self.change(from: nil, to: Self.object(), cause)]
    #expect(
      try await deliveries(of: changes, to: [Self.manifest("seen", [.finalized])]).isEmpty
    )
    try await withTargets([]) { dispatcher in
      #expect(dispatcher.prepare(Self.change(from: nil, to: Self.object())) == nil)
    }
  }

  @Test func `a function that overwrites the object that triggers it is stopped`() async throws {
    let holder = Mutex<Dispatcher?>(nil)
    let target = ScriptedTarget { request in
      var cause = ObjectCause()
      cause.traceparent = request.invocation.traceparent
      let change = Self.change(from: nil, to: Self.object(), cause)
      holder.withLock(\.self)?.prepare(change)?.publish()
      return .ok
    }
    try await withTargets([(Self.manifest("loop", [.finalized]), target)]) { dispatcher in
      holder.withLock { $0 = dispatcher }
      defer { holder.withLock { $0 = nil } }
      dispatcher.prepare(Self.change(from: nil, to: Self.object()))?.publish()
      await dispatcher.quiet()
      let last = try #require(dispatcher.deliveries.last)
      #expect(last.state == .deadLettered && dispatcher.deliveries.count == 4)
      #expect(
        last.result?.error?.message.contains(
          "loop triggers itself: its work on avatars/sarah/a.png has triggered it 3 times"
        ) == true
      )
    }
  }

  @Test func `a function is known by its port`() async throws {
    let holder = Mutex<Dispatcher?>(nil)
    let target = ScriptedTarget { request in
      guard request.change?.path != "thumbs/a.png" else { return .ok }
      var cause = ObjectCause()
      cause.function = "thumbnail"
      let change = Self.change(from: nil, to: Self.object("thumbs/a.png"), cause)
      holder.withLock(\.self)?.prepare(change)?.publish()
      return .ok
    }
    try await withTargets([(Self.manifest("thumbnail", [.finalized]), target)]) { dispatcher in
      holder.withLock { $0 = dispatcher }
      defer { holder.withLock { $0 = nil } }
      dispatcher.prepare(Self.change(from: nil, to: Self.object()))?.publish()
      await dispatcher.quiet()
      let (first, second) = (dispatcher.deliveries.first, dispatcher.deliveries.last)
      #expect(second?.cause != nil && second?.cause == first?.id)
      #expect(second?.event.traceparent != first?.event.traceparent)
      let why = dispatcher.explain(object: "thumbs/a.png", in: Self.bucket, exists: true)
      #expect(why.sentence.contains("was uploaded at 1970-01-01T00:00:09Z, by thumbnail, "))
      #expect(
        why.chain.map(\.what).first == "an administrator finalized avatars/sarah/a.png"
          && why.chain.count == 3
      )
    }
  }

  @Test func `a delivery survives in the journal with a name of any length`() throws {
    let name = String(repeating: "é/", count: 340) + "x"
    let object = Self.object(name)
    let events: [ChangeEvent] = [
      .object(
        ObjectEvent(
          id: "e",
          type: EventType(.finalized, of: .object),
          bucket: object.bucket,
          name: name,
          time: Timestamp(seconds: 1),
          data: object.resource()
        )
      ),
      .reference(
        ReferenceEvent(
          id: "e",
          type: EventType(.written, of: .reference),
          instance: "db",
          ref: String(repeating: "k", count: 700) + "/" + String(repeating: "k", count: 700),
          time: Timestamp(seconds: 1),
          data: .null,
          delta: .integer(1)
        )
      ),
    ]
    for event in events {
      let delivery = Delivery(
        id: "d",
        function: "f",
        event: event,
        lineage: [],
        recorded: Timestamp(seconds: 1)
      )
      let record = try #require(delivery.record)
      let restored = try Delivery.restored(from: [record.key: try #require(record.content)])
      #expect(restored.map(\.event) == [event])
    }
  }

  // MARK: Explanations

  @Test func `who changed an object is explained`() async throws {
    var cause = ObjectCause()
    cause.author = .client(uid: "sarah")
    var nobody = ObjectCause()
    nobody.author = .client(uid: nil)
    let changes = [
      Self.change(from: nil, to: Self.object("a"), cause),
      Self.change(from: nil, to: Self.object("b")),
      Self.change(from: Self.object("b"), to: Self.object("b", metageneration: 2), nobody),
      Self.change(from: Self.object("c"), to: nil, cause),
      Self.change(from: nil, to: Self.object("a", in: "other")),
    ]
    let manifest = Self.manifest("thumbnail", [.finalized], bucket: "none", writes: ["thumbs/{f}"])
    _ = try await deliveries(of: changes, to: [manifest]) { dispatcher in
      func why(_ name: String, _ exists: Bool) -> String {
        dispatcher.explain(object: name, in: Self.bucket, exists: exists).sentence
      }
      let time = "at 1970-01-01T00:00:09Z, by"
      #expect(why("a", true) == "gs://demo.appspot.com/a was uploaded \(time) user sarah.")
      #expect(
        why("b", true)
          == "The metadata of gs://demo.appspot.com/b was changed \(time) an unauthenticated caller."
      )
      #expect(why("c", false) == "gs://demo.appspot.com/c was deleted \(time) user sarah.")
      #expect(
        why("d", true)
          == "gs://demo.appspot.com/d isn't in the history that this emulator has recorded."
      )
      #expect(
        why("thumbs/a", false)
          == "gs://demo.appspot.com/thumbs/a doesn't exist: nothing triggered thumbnail."
      )
      #expect(
        why("other/a", false)
          == "gs://demo.appspot.com/other/a doesn't exist, and no function here declares writes to such objects."
      )
    }
  }

  // MARK: Checks

  @Test(arguments: [
    (#""bucket":"x","#, #"the event's bucket is "x", but its data has "demo.appspot.com""#),
    (
      #""subject":"objects/x","#,
      #"the event's subject is "objects/x", but its data has "objects/a""#
    ),
    ("", nil),
  ])
  func `an event's attributes name the object in its data`(
    attributes: String,
    reason: String?
  ) throws {
    let manifest = Self.manifest("seen", [.finalized], bucket: Self.bucket)
    let input = Data(
      #"""
      {"specversion":"1.0","id":"1","source":"//storage.googleapis.com/projects/_/buckets/demo.appspot.com",
      "type":"google.cloud.storage.object.v1.finalized",\#(attributes)
      "data":{"bucket":"demo.appspot.com","name":"a"}}
      """#.utf8
    )
    #expect(statusError { try manifest.check(input: input) }?.message == reason)
    let elsewhere = Self.manifest("seen", [.finalized], bucket: "other")
    guard reason == nil else { return }
    #expect(
      statusError { try elsewhere.check(input: input) }?.message.contains(
        "none is for the bucket demo.appspot.com"
      ) == true
    )
  }
}
