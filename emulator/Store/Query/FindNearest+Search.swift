import Core
import FirestoreModel

extension StructuredQuery.FindNearest {
  private static let maximumLimit = 1_000

  /// Checks the search.
  ///
  /// - Throws: `INVALID_ARGUMENT` with Firestore's text for an invalid search.
  func validate(in query: StructuredQuery) throws(StatusError) {
    guard (1...Self.maximumLimit).contains(limit) else {
      throw StatusError(
        .invalidArgument,
        "FindNearest.limit must be a positive integer of no more than \(Self.maximumLimit)"
      )
    }
    let extra =
      query.limit != nil
      ? "query limit" : query.offset != 0 ? "query offset" : query.hasCursor ? "cursor" : nil
    if let extra {
      throw StatusError(.invalidArgument, "A \(extra) cannot be used with FindNearest")
    }
    guard queryVector.typeOrder == .vector else {
      throw StatusError(.invalidArgument, "Query Value must be of type vector.")
    }
    try DocumentLimits.checkVector(queryVector)
    if let name = distanceResultField?.segments.first, name.string.isReservedName {
      throw StatusError(
        .invalidArgument,
        "The distanceResultField.property.name \"\(name)\" is reserved."
      )
    }
  }

  /// Returns the nearest rows, nearest first. Rows without a vector of the query vector's length
  /// are left out.
  func nearest(of rows: [Row]) -> [Row] {
    let target = queryVector.vector ?? []
    var found: [(row: Row, distance: Double)] = rows.compactMap { row in
      guard let vector = row.document.fields[vectorField]?.vector, vector.count == target.count
      else { return nil }
      let distance = distance(vector, target)
      return isWithinThreshold(distance) ? (row, distance) : nil
    }
    found.sort { left, right in
      // Rows whose distance is NaN come last. Rows at the same distance are sorted by name.
      if left.distance.isNaN || right.distance.isNaN {
        if left.distance.isNaN != right.distance.isNaN { return right.distance.isNaN }
      } else if left.distance != right.distance {
        return (left.distance < right.distance) != (distanceMeasure == .dotProduct)
      }
      return left.row.name < right.row.name
    }
    return found.prefix(limit).map { row, distance in
      guard let distanceResultField else { return row }
      var document = row.document
      document.fields.set(.double(distance), at: distanceResultField)
      return Row(document: document, name: row.name, sortKey: row.sortKey)
    }
  }

  private func isWithinThreshold(_ distance: Double) -> Bool {
    guard let distanceThreshold else { return true }
    return distanceMeasure == .dotProduct
      ? distance >= distanceThreshold : distance <= distanceThreshold
  }

  private func distance(_ left: [Double], _ right: [Double]) -> Double {
    var (dot, leftSquares, rightSquares, squares) = (0.0, 0.0, 0.0, 0.0)
    for (x, y) in zip(left, right) {
      dot += x * y
      leftSquares += x * x
      rightSquares += y * y
      squares += (x - y) * (x - y)
    }
    return switch distanceMeasure {
    case .euclidean: squares.squareRoot()
    case .cosine: 1 - dot / (leftSquares * rightSquares).squareRoot()
    case .dotProduct: dot
    }
  }
}

extension StructuredQuery {
  fileprivate var hasCursor: Bool { startAt != nil || endAt != nil }
}

extension Value {
  /// The numbers of a vector, or `nil` if the value isn't a vector.
  fileprivate var vector: [Double]? {
    guard typeOrder == .vector else { return nil }
    return mapValue?["value"]?.arrayValue?.map {
      if case .double(let double) = $0 { double } else { .nan }
    }
  }
}
