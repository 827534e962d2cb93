import Core
import FirestoreModel
import FirestoreProtos
import Store
import SwiftProtobuf

extension Aggregation {
  init(_ proto: ProtoStructuredAggregationQuery.Aggregation) throws(StatusError) {
    let `operator`: Operator =
      switch proto.operator {
      case .count(let count): .count(upTo: count.hasUpTo ? count.upTo.value : nil)
      case .sum(let sum): .sum(try FieldPath(sum.field))
      case .avg(let average): .average(try FieldPath(average.field))
      case nil: throw StatusError(.invalidArgument, "Operator field in Aggregation is not set.")
      }
    self.init(proto.alias, `operator`)
  }
}
