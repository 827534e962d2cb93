import Core
import FirestoreModel
import Rules
import Testing

struct QueryPathTests {
  /// The queries of these tests, by a name for each.
  enum Kind: String, CaseIterable, Sendable {
    case top, below, group, groupBelow, all, allBelow, named, namedInGroup

    var query: StructuredQuery {
      let collection =
        switch self {
        case .top, .named: "t"
        default: "c"
        }
      var query = StructuredQuery(from: collection)
      switch self {
      case .top, .below: break
      case .group, .groupBelow: query.from[0].allDescendants = true
      case .all, .allBelow: query.from[0].collectionId = nil
      case .named: query.filter = .name(.equal, "t/x")
      case .namedInGroup:
        query.from[0].allDescendants = true
        query.filter = .name(.equal, "a/b/c/d")
      }
      return query
    }

    var parent: String {
      switch self {
      case .below, .groupBelow, .allBelow: "a/b"
      case .top, .group, .all, .named, .namedInGroup: ""
      }
    }
  }

  private static let inC: [Kind] = [.below, .namedInGroup]
  private static let belowB: [Kind] = [.below, .groupBelow, .namedInGroup]

  @Test(
    arguments: [
      ("/t/{i}", [.top, .named]),
      ("/t/x", [.named]),
      ("/t/y", []),
      ("/t", []),
      ("/t/{i=**}", [.top, .named]),
      ("/{i}/{j}", [.top, .all, .named]),
      ("/{i=**}", Kind.allCases),
      ("/{i=**}/{j}", Kind.allCases),
      ("/{i=**}/x", [.named]),
      ("/{i=**}/t/{j}", [.top, .named]),
      ("/a/{x}/c/{y}", inC),
      ("/a/b/c/{y}", inC),
      ("/a/q/c/{y}", []),
      ("/a/{x=**}", belowB + [.allBelow]),
      ("/a/b/{x=**}/c/{y}", belowB),
      ("/{x=**}/c/{y}", belowB + [.group]),
      ("/{x=**}/c/d", [.namedInGroup]),
      ("/{x=**}/c", []),
      ("/{x=**}/b/c/{z}", inC),
      ("/a/{x=**}/b/c/{y}", inC),
    ] as [(String, [Kind])]
  ) func `a pattern matches the queries whose documents it all matches`(
    pattern: String,
    kinds: [Kind]
  ) throws {
    let probe = try QueryProbe("true", match: pattern)
    for kind in Kind.allCases {
      let isAllowed = try probe.allows(kind.query, in: kind.parent)
      #expect(isAllowed == kinds.contains(kind), "\(kind)")
    }
  }

  @Test(
    arguments: [
      ("/t/{i}", "i == 'x'", Kind.top, false),
      ("/t/{i}", "i != 'x'", .top, false),
      ("/t/{i}", "i == null", .top, false),
      ("/t/{i}", "i == 'x'", .named, true),
      ("/a/{x}/c/{y}", "x == 'b'", .below, true),
      ("/a/{x}/c/{y}", "exists(/databases/$(db)/documents/a/$(x))", .below, true),
      ("/a/{x}/c/{y}", "exists(/databases/$(db)/documents/a/$(y))", .below, false),
      ("/t/{i=**}", "i != /x", .top, false),
      ("/{i=**}/c/{j}", "i == /a/b", .below, true),
      ("/{i=**}/c/{j}", "i[0] == 'a'", .groupBelow, false),
      ("/{i=**}/c/{j}", "i == /a/b", .namedInGroup, true),
    ]
  ) func `reading a segment that a query leaves open is an error`(
    pattern: String,
    condition: String,
    kind: Kind,
    isAllowed: Bool
  ) throws {
    var probe = try QueryProbe(condition, match: pattern)
    probe.documents.fields = ["a/b": [:], "t/x": ["n": 1], "a/b/c/d": [:]]
    #expect(try probe.allows(kind.query, in: kind.parent) == isAllowed)
  }

  @Test(
    arguments: [
      (.name(.equal, "items/i1"), "resource.data.n == 1", true),
      (.name(.equal, "items/i1"), "resource.id == 'i1' && id == 'i1'", true),
      (.name(.equal, "items/i1"), "resource.data.n == 2", false),
      (.all(.name(.equal, "items/i1"), .n(.equal, 2)), "resource.data.n == 2", false),
      (.name(.equal, "items/none"), "true", true),
      (.name(.equal, "items/none"), "resource == null", false),
      (
        .field(.documentName, .in, [.document("items/i1"), .document("items/i2")]),
        "resource.data.n == 1", false
      ),
      (
        .field(.documentName, .in, [.document("items/i1"), .document("items/i2")]),
        "resource.data.n < 3", true
      ),
      (.any(.name(.equal, "items/i1"), .n(.equal, 1)), "resource.data.n == 1", true),
      (
        .all(.name(.equal, "items/i1"), .name(.greaterThan, "items/a")), "resource.data.n == 1",
        false
      ),
      (
        .all(.name(.equal, "items/i1"), .name(.greaterThan, "items/a")),
        "resource.__name__ == /databases/(default)/documents/items/i1", true
      ),
      (
        .name(.notEqual, "items/i1"),
        "resource.__name__ != /databases/(default)/documents/items/i1", true
      ),
      (
        .name(.notEqual, "items/i1"),
        "resource.__name__ != /databases/(default)/documents/items/i2", false
      ),
      (.name(.greaterThan, "items/i1"), "resource.__name__ != null", false),
    ] as [(StructuredQuery.Filter, String, Bool)]
  ) func `a query by name is decided on the document itself`(
    filter: StructuredQuery.Filter,
    condition: String,
    isAllowed: Bool
  ) throws {
    var probe = try QueryProbe(condition)
    probe.documents.fields = ["items/i1": ["n": 1], "items/i2": ["n": 2]]
    #expect(try probe.allows(where: filter) == isAllowed)
  }
}
