import Core
import FirestoreModel
import Store
import TestKit
import Testing

/// Several writes to one document in a single commit.
struct WriteSequenceTests {
  private let time = Timestamp(seconds: 1)

  private func commit(_ texts: [String], at time: Timestamp, to store: Store) throws {
    let writes = try texts.map { text in
      let condition: Precondition? =
        switch text.last {
        case "+": .exists(true)
        case "-": .exists(false)
        case "@": .updateTime(time)
        case "?": .updateTime(Timestamp(seconds: 2))
        default: nil
        }
      return text.hasPrefix("delete")
        ? try Write.delete("c/a", if: condition) : try Write.set("c/a", ["n": 1], if: condition)
    }
    _ = try store.commit(writes, in: database)
  }

  /// The suffixes are preconditions.
  ///
  /// `+`: the document exists. `-`: it doesn't exist. `@`: it has the stored update time. `?`: it
  /// has another update time.
  @Test(
    arguments: [
      (["set-", "set-"], "Cannot insert then insert"),
      (["set", "set-"], "Cannot upsert then insert"),
      (["set+", "set-"], "Cannot update then insert"),
      (["set@", "set-"], "Cannot update then insert"),
      (["set-", "delete-"], "Cannot insert then delete"),
      (["delete", "set+"], "Cannot delete then update"),
      (["delete", "set@"], "Cannot delete then update"),
      (["delete+", "delete+"], "Cannot delete then delete"),
      (["delete+", "set", "set-"], "Cannot update then insert"),
      (["delete@", "set", "set-"], "Cannot upsert then insert"),
      (["delete", "set", "delete", "delete+"], "Cannot delete then delete"),
    ] as [([String], String)]
  )
  func `a sequence that can't be merged into one write is refused`(writes: [String], words: String)
    throws
  {
    for isThere in [false, true] {
      let store = Store()
      let stored = isThere ? try store.commit(.set("c/a")).time : time
      let error = statusError { try commit(writes, at: stored, to: store) }
      #expect(error == invalid("\(words) an entity in the same request."))
      #expect(try store.fields("c/a") == (isThere ? [:] : nil))
    }
  }

  @Test(arguments: [
    ["set", "set@"], ["set@", "set?"], ["delete", "delete@"], ["delete@", "delete?"],
  ])
  func `two writes can't require different update times`(writes: [String]) throws {
    let store = Store()
    let stored = try store.commit(.set("c/a")).time
    let error = statusError { try commit(writes, at: stored, to: store) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("different update times as preconditions") == true)
  }

  @Test(
    arguments: [
      (["set@", "set@"], true), (["set@", "set", "set@"], true), (["delete@", "delete@"], false),
      (["delete", "set-"], true), (["delete", "delete-"], false), (["set", "delete+"], false),
      (["set+", "delete", "set-", "set+"], true),
    ]
  )
  func `other sequences are executed in order`(writes: [String], remains: Bool) throws {
    let store = Store()
    let stored = try store.commit(.set("c/a", ["old": 1])).time
    try commit(writes, at: stored, to: store)
    #expect(try store.fields("c/a") == (remains ? ["n": 1] : nil))
  }

  @Test func `another document's writes don't matter`() throws {
    let store = Store()
    try store.commit(.set("c/a", if: .exists(false)), .set("c/b", if: .exists(false)))
    #expect(try store.fields("c/a") != nil && store.fields("c/b") != nil)
  }
}
