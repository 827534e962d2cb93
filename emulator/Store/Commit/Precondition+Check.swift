import Core
import FirestoreModel

extension Precondition {
  /// Checks that the stored document meets the precondition.
  ///
  /// - Throws: Production's error, with its text.
  func check(_ stored: Document?, name: DocumentName) throws(StatusError) {
    switch self {
    case .exists(true):
      guard stored != nil else {
        throw StatusError(.notFound, "No document to update: \(name)")
      }
    case .exists(false):
      guard stored == nil else {
        throw StatusError(.alreadyExists, "Document already exists: \(name)")
      }
    case .updateTime(let required):
      let version = stored?.updateTime
      guard version != required else { return }
      if let version, version < required {
        throw StatusError(
          .invalidArgument,
          "Invalid base version, it is greater than the stored version: \(name)"
        )
      }
      throw StatusError(
        .failedPrecondition,
        "the stored version (\(version?.microseconds ?? 0)) does not match the required base "
          + "version (\(required.microseconds))"
      )
    }
  }
}
