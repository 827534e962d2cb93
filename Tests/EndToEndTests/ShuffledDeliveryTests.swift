import Core
import FirestoreModel
import FunctionHost
import TestKit
import Testing

/// Events that are delivered in any order, late, or several times. The documents must be the same.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct ShuffledDeliveryTests {
  private typealias Scene = NotificationScene
  private static let people = ["sarah", "marco", "lea"]

  /// A model of the conversation: random changes of messages, their events, and the expected
  /// counts.
  private struct Chat {
    private(set) var messages: [String: JSONObject] = [:]
    private var dice: Dice
    private var count = 0

    init(seed: UInt64) { dice = Dice(seed: seed) }

    enum Change {
      case set(String, JSONObject)
      case delete(String)
    }

    /// Makes one change.
    ///
    /// - Returns: the change to write, and a closure that creates its event after the write.
    mutating func step(_ scene: NotificationScene) -> (Change, event: () -> String) {
      let kind = messages.isEmpty ? 0 : dice.number(below: 10)
      guard kind >= 4, let id = pick() else { return add(scene) }
      let old = messages[id] ?? [:]
      var new = old
      switch kind {
      case 4...6: return toggle(dice.pick(ShuffledDeliveryTests.people), id, scene)
      case 7...8: new = old.with(["text": .string("Edited \(dice.bits)")])
      default:
        messages[id] = nil
        return (.delete(id), { scene.deleted(id, old) })
      }
      messages[id] = new
      return (.set(id, new), { [new] in scene.updated(id, from: old, to: new) })
    }

    /// Marks a message as read by a person, or as unread.
    private mutating func toggle(
      _ reader: String,
      _ id: String,
      _ scene: NotificationScene
    ) -> (Change, event: () -> String) {
      let old = messages[id] ?? [:]
      var readers = (old["readBy"]?.array ?? []).compactMap(\.string)
      let isRead = readers.contains(reader)
      readers.removeAll { $0 == reader }
      if !isRead { readers.append(reader) }
      let new = old.read(by: readers)
      messages[id] = new
      return (.set(id, new), { scene.updated(id, from: old, to: new) })
    }

    /// Marks a message by somebody else as read by a person, or as unread.
    mutating func toggle(
      _ reader: String,
      _ scene: NotificationScene
    ) -> (Change, event: () -> String)? {
      newestFirst.first { $0.fields["senderId"] != .string(reader) }
        .map { toggle(reader, $0.id, scene) }
    }

    private mutating func add(_ scene: NotificationScene) -> (Change, event: () -> String) {
      count += 1
      let id = "m\(count)"
      // Some messages have the same time, so their IDs decide the order.
      let message = NotificationScene.message(
        from: dice.pick(ShuffledDeliveryTests.people),
        "Text \(count)",
        minute: count / 2
      )
      messages[id] = message
      return (.set(id, message), { scene.created(id, message) })
    }

    private mutating func pick() -> String? {
      messages.isEmpty ? nil : dice.pick(messages.keys.sorted())
    }

    mutating func shuffled(_ events: [String]) -> [String] {
      var events = events
      for index in events.indices.reversed() {
        events.swapAt(index, dice.number(below: index + 1))
      }
      return events
    }

    /// Returns a member's expected unread count: the number of unread messages of others among the
    /// newest 100 messages.
    ///
    /// If the member has read the oldest message by others among the newest 20, all messages before
    /// these 20 count as read.
    func unread(_ uid: String) -> Int {
      func isUnread(_ message: JSONObject) -> Bool {
        message["readBy"]?.array?.contains(.string(uid)) != true
      }
      let newest = newestFirst.prefix(100).map(\.fields)
      let others = { (messages: ArraySlice<JSONObject>) in
        messages.filter { $0["senderId"] != .string(uid) }
      }
      let part = others(newest.prefix(20))
      let hasReadOlder = newest.count >= 20 && part.last.map { !isUnread($0) } == true
      return (hasReadOlder ? part : others(newest[...])).count(where: isUnread)
    }

    var last: (id: String, fields: JSONObject)? { newestFirst.first }

    func lastOfOthers(for uid: String) -> String? {
      newestFirst.first { $0.fields["senderId"] != .string(uid) }?.id
    }

    /// The messages from the newest to the oldest. Equal times are ordered by ID.
    private var newestFirst: [(id: String, fields: JSONObject)] {
      let key = { (message: (key: String, value: JSONObject)) in
        (message.value["timestamp"]?.text ?? "", message.key)
      }
      return messages.sorted { key($0) > key($1) }.map { (id: $0.key, fields: $0.value) }
    }
  }

  private func apply(_ change: Chat.Change, _ scene: Scene) async throws {
    switch change {
    case .set(let id, let fields): try await scene.write([id: fields])
    case .delete(let id): try await scene.delete(Scene.path(id))
    }
  }

  /// Checks the conversation's last message and the members' unread counts.
  ///
  /// - Parameter leaver: a former member, who has no count.
  private func check(_ chat: Chat, without leaver: String? = nil, _ scene: Scene) async throws {
    let last = try #require(chat.last)
    let conversation = try await scene.fields(Scene.conversation)
    #expect(conversation?["lastMessageId"] == .string(last.id))
    #expect(conversation?["lastMessage"] == last.fields["text"])
    for uid in Self.people {
      let inbox = try await scene.fields("users/\(uid)/inbox/c")
      #expect(inbox?["unread"]?.integer == (uid == leaver ? nil : chat.unread(uid)), "\(uid)")
    }
    #expect(try await scene.emulator.collection("leases", project: scene.project) == [])
  }

  /// All changes are made before the first event is delivered.
  @Test(arguments: [1])
  func `1,000 shuffled deliveries leave last message, inboxes and badges equal`(
    seed: UInt64
  ) async throws {
    let scene = try Scene()
    try await scene.writePeople(Self.people)
    var chat = Chat(seed: seed)
    var events: [String] = []
    for _ in 0..<250 {
      let (change, event) = chat.step(scene)
      try await apply(change, scene)
      events.append(event())
    }
    let results = try await scene.deliver(
      chat.shuffled(events + events + events + events),
      workers: 3
    )
    #expect(results.count == 1_000)
    #expect(results.allSatisfy { $0["exitCode"] == .integer(0) })
    try await check(chat, scene)
    let inboxes = Self.people.map { "users/\($0)/inbox/c" }
    for (uid, inbox) in zip(Self.people, inboxes) {
      let last = chat.lastOfOthers(for: uid).map { JSONValue.string($0) }
      #expect(try await scene.fields(inbox)?["lastMessageId"] == last)
      let shown = try await scene.pushes().last { $0.token == "\(uid)-0" }?.badge
      #expect(shown == chat.unread(uid), "\(uid)'s phone")
    }
  }

  /// Each event is delivered to one of several workers while further changes are made.
  ///
  /// Lea leaves before the last hundred changes.
  @Test(arguments: [4])
  func `deliveries in the midst of changes leave the true state in the end`(
    seed: UInt64
  ) async throws {
    let scene = try Scene()
    try await scene.writePeople(Self.people)
    var chat = Chat(seed: seed)
    let queues = (0..<3).map { _ in AsyncStream.makeStream(of: String.self) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (events, _) in queues {
        group.addTask {
          let worker = try await WorkerSession("sendNotification", environment: scene.environment)
          for await event in events {
            try await worker.send(event)
            let result = try #require(try await worker.nextResult())
            #expect(result["exitCode"] == .integer(0), Comment(rawValue: result.text))
          }
          #expect(await worker.end() == .exited(0))
        }
      }
      var dice = Dice(seed: seed)
      for number in 0..<300 {
        if number == 200 {
          let others = Self.people.filter { $0 != "lea" }
          try await scene.writeMembers(others)
          let left = scene.changed(from: Self.people, to: others)
          for queue in queues { queue.continuation.yield(left) }
        }
        let (change, event) = chat.step(scene)
        try await apply(change, scene)
        dice.pick(queues).continuation.yield(event())
      }
      // A message isn't counted again for its own sender, although it moves the window of counted
      // messages. So each member's last change is a receipt.
      for uid in Self.people where uid != "lea" {
        let receipt = chat.toggle(uid, scene)
        let (change, event) = try #require(receipt)
        try await apply(change, scene)
        dice.pick(queues).continuation.yield(event())
      }
      for queue in queues { queue.continuation.finish() }
      try await group.waitForAll()
    }
    try await check(chat, without: "lea", scene)
  }
}
