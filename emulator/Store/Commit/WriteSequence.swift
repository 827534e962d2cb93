import Core
import FirestoreModel

/// The writes of one commit to one document, which Firestore puts together into one mutation.
///
/// A sequence that no single mutation can stand for, such as two creations, is refused whatever is
/// stored. Source: Google's emulator, asked for all pairs of writes and 4,394 triples.
struct WriteSequence {
  /// What the first write does, in the words of Google's errors.
  private let first: Verb
  /// The update time that the first write asks for.
  private let updateTime: Timestamp?
  private var last: Write

  /// Begins with the first write to a document.
  init(_ write: Write) {
    if case .delete = write.operation, case .updateTime? = write.currentDocument {
      first = .upsert
    } else {
      first = write.requirement
    }
    updateTime = write.requiredUpdateTime
    last = write
  }

  /// Adds the next write to the same document.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a write that can't follow those before it.
  mutating func append(_ write: Write) throws(StatusError) {
    if let verb = Self.verification(last, write) {
      throw StatusError(
        .invalidArgument,
        "the same document cannot be \(verb) in a single request"
      )
    }
    let contradicts =
      last.isDelete
      ? write.requirement == .update && !(write.isDelete && write.requiredUpdateTime != nil)
      : write.requirement == .insert
    if contradicts {
      let verb = write.isDelete ? .delete : write.requirement
      throw StatusError(
        .invalidArgument,
        "Cannot \((last.isDelete ? .delete : first).rawValue) then \(verb.rawValue) an entity in the "
          + "same request."
      )
    }
    if let required = write.requiredUpdateTime, required != updateTime {
      throw StatusError(
        .invalidArgument,
        "The writes to \(write.name) have different update times as preconditions."
      )
    }
    last = write
  }

  /// A document is verified once and then not written, or never verified.
  private static func verification(_ last: Write, _ next: Write) -> String? {
    switch (last.isVerify, next.isVerify) {
    case (true, true): "verified more than once"
    case (true, false): "verified and then written"
    case (false, true): "written and then verified"
    case (false, false): nil
    }
  }
}

private enum Verb: String {
  case insert, update, upsert, delete
}

extension Write {
  /// What a write does, if it isn't a delete, by its precondition.
  fileprivate var requirement: Verb {
    switch currentDocument {
    case .exists(false): .insert
    case .exists(true), .updateTime: .update
    case nil: .upsert
    }
  }

  fileprivate var requiredUpdateTime: Timestamp? {
    if case .updateTime(let time) = currentDocument { time } else { nil }
  }

  fileprivate var isDelete: Bool { if case .delete = operation { true } else { false } }

  fileprivate var isVerify: Bool { if case .verify = operation { true } else { false } }
}
