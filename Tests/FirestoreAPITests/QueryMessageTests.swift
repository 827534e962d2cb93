import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import SwiftProtobuf
import Testing

struct QueryMessageTests {
  @Test func `every part of a query is decoded`() throws {
    let query = try StructuredQuery(
      .with { proto in
        proto.select.fields = [.with { $0.fieldPath = "a.b" }]
        proto.from = [
          .with {
            $0.collectionID = "c"
            $0.allDescendants = true
          }
        ]
        proto.where.compositeFilter.op = .or
        proto.where.compositeFilter.filters = [
          .with { filter in
            filter.fieldFilter.field.fieldPath = "a"
            filter.fieldFilter.op = .in
            filter.fieldFilter.value.arrayValue.values = [Value.integer(1).proto]
          },
          .with { filter in
            filter.unaryFilter.field.fieldPath = "b"
            filter.unaryFilter.op = .isNotNan
          },
        ]
        proto.orderBy = [
          .with { order in
            order.field.fieldPath = "a"
            order.direction = .descending
          },
          .with { $0.field.fieldPath = "__name__" },
        ]
        proto.startAt.values = [Value.integer(1).proto]
        proto.startAt.before = true
        proto.endAt.values = [Value.null.proto]
        proto.offset = 3
        proto.limit = 0
      }
    )
    #expect(query.select?.fields?.map(\.fieldPath) == [FieldPath("a", "b")])
    #expect(query.from == [.init("c", allDescendants: true)])
    #expect(
      query.filter
        == .composite(.or, [.field(FieldPath("a"), .in, [1]), .unary(FieldPath("b"), .isNotNaN)])
    )
    #expect(query.orderBy == [.init(FieldPath("a"), .descending), .init(.documentName)])
    #expect(
      query.startAt == .init([1], before: true) && query.endAt == .init([.null], before: false)
    )
    #expect(query.offset == 3 && query.limit == 0)
  }

  @Test func `an empty query matches everything`() throws {
    let query = try StructuredQuery(ProtoStructuredQuery())
    #expect(query.from.isEmpty && query.limit == nil && query.select == nil)
    #expect(query.startAt == nil && query.filter == nil && query.findNearest == nil)
  }

  @Test func `a cursor without values limits nothing`() throws {
    let query = try StructuredQuery(.with { $0.startAt.before = true })
    #expect(query.startAt == nil)
  }

  @Test func `a vector search is decoded`() throws {
    let nearest = try StructuredQuery(
      .with { proto in
        proto.findNearest.vectorField.fieldPath = "v"
        proto.findNearest.queryVector = Value.array([1]).proto
        proto.findNearest.distanceMeasure = .dotProduct
        proto.findNearest.limit = 5
        proto.findNearest.distanceResultField = "d"
        proto.findNearest.distanceThreshold = 0.5
      }
    ).findNearest
    #expect(
      nearest
        == .init(
          vectorField: FieldPath("v"),
          queryVector: [1],
          distanceMeasure: .dotProduct,
          limit: 5,
          distanceResultField: FieldPath("d"),
          distanceThreshold: 0.5
        )
    )
  }

  struct BadQuery: CustomTestStringConvertible, Sendable {
    var message: String
    var query: ProtoStructuredQuery
    var testDescription: String { message }

    init(_ message: String, _ fill: (inout ProtoStructuredQuery) -> Void) {
      self.message = message
      query = .with { fill(&$0) }
    }
  }

  static let badQueries = [
    BadQuery("Unknown Filter type.") { $0.where = .init() },
    BadQuery("Unsupported CompositeFilter operator.") { $0.where.compositeFilter = .init() },
    BadQuery("Unknown FieldFilter operator.") { query in
      query.where.fieldFilter.field.fieldPath = "a"
      query.where.fieldFilter.value = Value.integer(1).proto
    },
    BadQuery("Unknown FieldFilter operator.") { query in
      query.where.fieldFilter.field.fieldPath = "a"
      query.where.fieldFilter.op = .UNRECOGNIZED(99)
      query.where.fieldFilter.value = Value.integer(1).proto
    },
    BadQuery("type unset") { query in
      query.where.fieldFilter.field.fieldPath = "a"
      query.where.fieldFilter.op = .equal
    },
    BadQuery("Invalid empty property path") { query in
      query.where.fieldFilter.op = .equal
      query.where.fieldFilter.value = Value.integer(1).proto
    },
    BadQuery("Unsupported UnaryFilter operand type (non-FIELD).") { query in
      query.where.unaryFilter.op = .isNan
    },
    BadQuery("Unknown UnaryFilter operator.") { $0.where.unaryFilter.field.fieldPath = "a" },
    BadQuery("Unrecognized ordering.") { query in
      query.orderBy = [
        .with { order in
          order.field.fieldPath = "a"
          order.direction = .UNRECOGNIZED(7)
        }
      ]
    },
    BadQuery("Invalid property path \"0\"") { $0.select.fields = [.with { $0.fieldPath = "0" }] },
    BadQuery("distance_measure") { query in
      query.findNearest.vectorField.fieldPath = "v"
      query.findNearest.queryVector = Value.array([1]).proto
    },
    BadQuery("type unset") { $0.endAt.values = [ProtoValue()] },
  ]

  @Test(arguments: badQueries)
  func `an invalid query is refused`(_ bad: BadQuery) {
    let error = #expect(throws: StatusError.self) { try StructuredQuery(bad.query) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(bad.message) == true, "\(error?.message ?? "")")
  }
}
