package import Core
package import FirestoreModel
import Synchronization

extension Store {
  /// The minimum size of a partition, as in production.
  private static let minimumPartition = 128

  /// Returns the document names at which to split a collection group into partitions of about equal
  /// size, in order.
  ///
  /// - Parameter count: The maximum number of names. Fewer are returned if the partitions would be
  ///   too small.
  /// - Throws: `INVALID_ARGUMENT` if the query doesn't select a whole collection group, or isn't
  ///   sorted by name.
  package func partition(
    _ query: StructuredQuery,
    parent: ResourceName,
    count: Int64,
    _ consistency: ReadConsistency
  ) throws(StatusError) -> [DocumentName] {
    guard count > 0 else {
      throw StatusError(.invalidArgument, "partition_count must be greater than zero.")
    }
    let isGroup = query.from.first.map {
      $0.allDescendants == true && $0.collectionId?.isEmpty == false
    }
    guard isGroup == true else {
      throw StatusError(.invalidArgument, "Partition queries must be collection group queries.")
    }
    let isByName = query.orderBy.allSatisfy {
      $0.field.fieldPath == .documentName && $0.direction != .descending
    }
    guard isByName else {
      throw StatusError(
        .invalidArgument,
        "Partition queries must be ordered by __name__ ASCENDING."
      )
    }
    guard query.filter == nil, query.limit == nil, query.offset == 0, query.startAt == nil,
      query.endAt == nil, query.findNearest == nil
    else {
      throw StatusError(
        .invalidArgument,
        "Partition queries must not have filters, limits, offsets or cursors."
      )
    }
    let prepared = try PreparedQuery(query, parent: parent)
    let range = ScanPlan(Conjunction(conditions: []), prepared).range
    // A name is only a position between documents, so the read needn't wait for other commits.
    let attempt = try read(in: parent.database, consistency, blockedBy: { _ in false }) {
      state,
      _ in
      guard let names = state.database(parent.database).scope(of: prepared.target)?.names else {
        return [DocumentName]()
      }
      let start = range.start(in: names)
      let total = names.distance(from: start, to: range.end(in: names))
      let parts = min(Int(clamping: count), total / Self.minimumPartition - 1) + 1
      guard parts > 1 else { return [] }
      return (1..<parts).map { part in
        names[names.index(start, offsetBy: total * part / parts)].record.name
      }
    }
    guard case .done(let cuts) = attempt else { throw .contention }
    return cuts
  }
}
