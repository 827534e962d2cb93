import FirestoreModel
import RPCStatus

/// What can be said about writes without looking at what is stored.
enum WriteValidation {
  private static let maximumBytes = 10 * 1_024 * 1_024
  private static let maximumTransforms = 500

  /// The writes with their values as they will be stored.
  ///
  /// - Throws: `INVALID_ARGUMENT` in Firestore's words for the first write it refuses.
  static func checked(
    _ writes: [Write],
    in database: DatabaseName,
    limits: Store.Limits
  ) throws(StatusError) -> [Write] {
    try limits.check(writeCount: writes.count)
    var bytes = 0
    for write in writes {
      guard write.name.database == database else {
        throw StatusError(
          .invalidArgument,
          "Document \(write.name) is not in the commit's database \(database)."
        )
      }
      try check(write)
      if case .update(let document) = write.operation { bytes += DocumentLimits.size(of: document) }
    }
    guard bytes <= maximumBytes else {
      throw StatusError(.invalidArgument, "Transaction too big. Decrease transaction size.")
    }
    try checkVerifies(writes)
    try checkTransformCount(writes)
    return writes.map(\.asStored)
  }

  private static func check(_ write: Write) throws(StatusError) {
    switch write.operation {
    case .update:
      if let mask = write.updateMask { try check(mask) }
    case .delete:
      try refuseExtras(of: write, "a delete")
    case .verify:
      try refuseExtras(of: write, "a verify")
      guard write.currentDocument != nil else {
        throw StatusError(.invalidArgument, "a verify must contain a precondition")
      }
    case .transform(_, let transforms):
      guard write.updateMask == nil else {
        throw StatusError(.invalidArgument, "a transform must not specify a document mask.")
      }
      guard !transforms.isEmpty else {
        throw StatusError(.invalidArgument, "The list of FieldTransform must not be empty.")
      }
    }
    let transforms = transforms(of: write)
    for transform in transforms { try check(transform) }
    // Sorted, a path is followed directly by those below it.
    let paths = transforms.count > 1 ? transforms.map(\.fieldPath).sorted() : []
    for (path, next) in zip(paths, paths.dropFirst())
    where path.segments.count < next.segments.count && next.segments.starts(with: path.segments) {
      throw StatusError(
        .invalidArgument,
        "Cannot transform property \(path) and its nested property at the same time."
      )
    }
  }

  private static func refuseExtras(of write: Write, _ what: String) throws(StatusError) {
    if write.updateMask != nil {
      throw StatusError(.invalidArgument, "\(what) must not specify a document mask.")
    }
    if !write.updateTransforms.isEmpty {
      throw StatusError(.invalidArgument, "\(what) must not specify a update transform.")
    }
  }

  private static func check(_ mask: FieldMask) throws(StatusError) {
    for path in mask.fieldPaths { try DocumentLimits.check(path) }
    // Sorted, a path is followed directly by those below it.
    let paths = mask.fieldPaths.sorted()
    for (path, next) in zip(paths, paths.dropFirst())
    where path.segments.count < next.segments.count && next.segments.starts(with: path.segments) {
      throw StatusError(
        .invalidArgument,
        "The update mask has overlapping paths: \(path) and \(next)."
      )
    }
  }

  private static func check(_ transform: FieldTransform) throws(StatusError) {
    try DocumentLimits.check(transform.fieldPath)
    switch transform.operation {
    case .increment(let operand), .maximum(let operand), .minimum(let operand):
      guard operand.typeOrder == .number else {
        throw StatusError(.invalidArgument, "Input must be int64 or double.")
      }
    case .setToServerValue, .appendMissingElements, .removeAllFromArray: break
    }
  }

  private static func transforms(of write: Write) -> [FieldTransform] {
    guard case .transform(_, let transforms) = write.operation else {
      return write.updateTransforms
    }
    return transforms + write.updateTransforms
  }

  /// A document is verified once and then not written, or never verified.
  private static func checkVerifies(_ writes: [Write]) throws(StatusError) {
    let verifies = { (write: Write) in
      if case .verify = write.operation { true } else { false }
    }
    guard writes.contains(where: verifies) else { return }
    var wasVerified: [DocumentName: Bool] = [:]
    for write in writes {
      let verb: String? =
        switch (wasVerified[write.name], verifies(write)) {
        case (true?, true): "verified more than once"
        case (true?, false): "verified and then written"
        case (false?, true): "written and then verified"
        case (false?, false), (nil, _): nil
        }
      if let verb {
        throw StatusError(
          .invalidArgument,
          "the same document cannot be \(verb) in a single request"
        )
      }
      wasVerified[write.name] = verifies(write)
    }
  }

  private static func checkTransformCount(_ writes: [Write]) throws(StatusError) {
    let total = writes.reduce(0) { $0 + transforms(of: $1).count }
    guard total > maximumTransforms else { return }
    var counts: [DocumentName: Int] = [:]
    for write in writes {
      let count = transforms(of: write).count
      if count > 0 { counts[write.name, default: 0] += count }
    }
    if let name = counts.first(where: { $0.value > maximumTransforms })?.key {
      throw StatusError(
        .invalidArgument,
        "A commit has at most \(maximumTransforms) field transforms for one document: \(name)"
      )
    }
  }
}
