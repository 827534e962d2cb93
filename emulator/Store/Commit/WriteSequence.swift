import Core
import FirestoreModel

/// The writes of one commit to one document. Firestore combines them into one mutation.
///
/// Firestore refuses a sequence that one mutation can't express, such as two creations. The check
/// doesn't depend on the stored document. Source: Google's emulator, tried with all pairs of writes
/// and 4,394 triples.
struct WriteSequence {
  /// The verb that describes the first write in Google's errors.
  private let first: Verb
  /// The update time that the first write requires, or `nil` if it requires none.
  private let updateTime: Timestamp?
  private var last: Write

  /// Creates a sequence from the first write to a document.
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
  /// - Throws: `INVALID_ARGUMENT` for a write that isn't allowed after the earlier ones.
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

  /// Returns the error's text if two writes can't be combined because at least one of them is a
  /// verify, or `nil` if they can be combined.
  ///
  /// A verified document must not be written or verified again in the same commit.
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
  /// The verb that the write's precondition implies. Errors about a delete use `delete` instead.
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
