extension String {
  /// The maximum length of a name that is compared, since a comparison's cost is the product of both
  /// lengths.
  private static let maximumComparedLength = 64

  /// Returns the known name that this one is probably a misspelling of, or `nil` if none is near.
  ///
  /// A name is near if one letter is missing, added, replaced or exchanged with its neighbour, and
  /// in a name of more than five letters also if two are. Case doesn't count. Of equally near names,
  /// the first one wins.
  package func nearest(of names: some Sequence<String>) -> String? {
    let own = Array(lowercased().unicodeScalars.prefix(Self.maximumComparedLength + 1))
    guard own.count <= Self.maximumComparedLength else { return nil }
    var nearest: (name: String, distance: Int)?
    for name in names {
      let other = Array(name.lowercased().unicodeScalars)
      let limit = Swift.min(own.count, other.count) > 5 ? 2 : 1
      guard other.count <= Self.maximumComparedLength, abs(own.count - other.count) <= limit else {
        continue
      }
      let distance = Self.distance(own, other)
      if distance <= limit, distance < nearest?.distance ?? .max { nearest = (name, distance) }
    }
    return nearest?.name
  }

  /// Returns the number of letters to add, remove, replace or exchange with their neighbour until
  /// one text is the other (the optimal string alignment distance).
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var least = Swift.min(
          previous[column] + (letter == other ? 0 : 1),
          previous[column + 1] + 1,
          current[column] + 1
        )
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          least = Swift.min(least, beforePrevious[column - 1] + 1)
        }
        current.append(least)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
