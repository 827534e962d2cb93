import Core
import FirestoreModel

/// The part of the validation of writes that doesn't depend on stored documents.
enum WriteValidation {
  private static let maximumBytes = 10 * 1_024 * 1_024
  private static let maximumTransforms = 500

  /// Validates the writes, and returns them with their values in stored form.
  ///
  /// - Throws: `INVALID_ARGUMENT` with Firestore's text for the first invalid write.
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
      try check(
        write,
        isLookedAtTwice: writes.count > 1 || write.updateMask != nil || write.currentDocument != nil
      )
      if case .update(let document) = write.operation { bytes += DocumentLimits.size(of: document) }
    }
    guard bytes <= maximumBytes else {
      throw StatusError(.invalidArgument, "Transaction too big. Decrease transaction size.")
    }
    try checkSequences(writes)
    try checkTransformCount(writes)
    return writes.map(\.asStored)
  }

  /// Checks one write.
  ///
  /// - Parameter isLookedAtTwice: A Boolean value that indicates whether the write's values are
  ///   checked here and again when they are stored. The check here is needed if the commit may fail
  ///   before it stores them, or may not store all of them.
  private static func check(_ write: Write, isLookedAtTwice: Bool) throws(StatusError) {
    if case .updateTime(let time) = write.currentDocument, time.nanoseconds % 1_000 != 0 {
      throw StatusError(
        .invalidArgument,
        "timestamp cannot have more than microseconds precision"
      )
    }
    switch write.operation {
    case .update(let document):
      for path in write.updateMask?.fieldPaths ?? [] { try DocumentLimits.check(path) }
      // Firestore also checks values that are never stored, because they are outside the mask or a
      // later write replaces them.
      if isLookedAtTwice { try DocumentLimits.checkForm(document) }
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
    for transform in transforms { try check(transform, in: write.name.database) }
    // When sorted, a path directly precedes the paths below it.
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

  private static func check(
    _ transform: FieldTransform,
    in database: DatabaseName
  ) throws(StatusError) {
    try DocumentLimits.check(transform.fieldPath)
    switch transform.operation {
    case .increment(let operand), .maximum(let operand), .minimum(let operand):
      guard operand.typeOrder == .number else {
        throw StatusError(.invalidArgument, "Input must be int64 or double.")
      }
    case .appendMissingElements(let elements), .removeAllFromArray(let elements):
      for element in elements { try DocumentLimits.checkForm(element, in: database) }
    case .setToServerValue: break
    }
  }

  private static func transforms(of write: Write) -> [FieldTransform] {
    guard case .transform(_, let transforms) = write.operation else {
      return write.updateTransforms
    }
    return transforms + write.updateTransforms
  }

  private static func checkSequences(_ writes: [Write]) throws(StatusError) {
    guard writes.count > 1 else { return }
    var sequences: [DocumentName: WriteSequence] = [:]
    for write in writes {
      var sequence = sequences[write.name]
      if sequence == nil { sequence = WriteSequence(write) } else { try sequence?.append(write) }
      sequences[write.name] = sequence
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
