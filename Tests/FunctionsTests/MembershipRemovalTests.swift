import Core
import FirestoreModel
import FunctionRuntime
import TestKit
import Testing

@testable import sendNotification

struct MembershipRemovalTests {
  private func event(_ kind: EventType.Kind, from old: Value?, to new: Value?) throws
    -> DocumentEvent
  {
    func conversation(_ participants: Value?) throws -> Document? {
      try participants.map { try ChatDocuments.conversation(["participants": $0]) }
    }
    return DocumentEvent(
      id: "e",
      type: EventType(kind),
      document: try ChatDocuments.conversation([:]).name,
      time: ChatDocuments.updateTime,
      value: try conversation(new),
      oldValue: try conversation(old)
    )
  }

  static let updates: [(old: Value?, new: Value?, left: [String]?)] = [
    (["a", "b", "c"], ["c"], ["a", "b"]),
    (["b", "a", "b"], [], ["a", "b"]),
    (["a", "b"], ["b", "c"], ["a"]),
    (["a", "b"], ["b", "a"], nil),
    (["a"], ["a", "b"], nil),
    (["a", 7, "", "x/y"], ["a"], nil),
    // The lists of these conversations have the wrong type. The code that reads the conversation
    // reports that.
    (["a"], "a", ["a"]),
    ("a", ["b"], nil),
    (nil, ["b"], nil),
    (["a"], nil, nil),
  ]

  @Test(arguments: updates)
  func `an update removes the members who are no longer in the list`(
    old: Value?,
    new: Value?,
    left: [String]?
  ) throws {
    #expect(MembershipRemoval(try event(.updated, from: old, to: new))?.uids == left)
  }

  @Test func `a deletion removes all members, and a creation none`() throws {
    #expect(MembershipRemoval(try event(.deleted, from: ["b", "a"], to: nil))?.uids == ["a", "b"])
    #expect(MembershipRemoval(try event(.deleted, from: [], to: nil)) == nil)
    #expect(MembershipRemoval(try event(.created, from: nil, to: ["a"])) == nil)
  }

  @Test func `the same removal in the same conversation has one lease`() throws {
    func key(_ old: Value, _ new: Value) throws -> String? {
      MembershipRemoval(try event(.updated, from: old, to: new))?.leaseKey
    }
    let both = try key(["a", "b", "c"], ["a"])
    #expect(try key(["c", "b"], ["d"]) == both)
    #expect(try key(["c", "b"], ["b"]) != both)
    #expect(MembershipRemoval(try event(.deleted, from: ["b", "c"], to: nil))?.leaseKey != both)
  }
}
