package import FirestoreModel

/// The documents that `get()`, `exists()`, `getAfter()` and `existsAfter()` read, and
/// `firestore.get()` and `firestore.exists()` in rules of Storage.
///
/// Both methods get the complete path, such as `databases/(default)/documents/users/u1` by its
/// segments, and return the document's fields, or `nil` if it doesn't exist. They are called while
/// the store is locked, so they must be quick.
package protocol DocumentReader {
  /// Returns a document as it is before the request.
  func document(at path: [String]) -> Fields?

  /// Returns a document as it will be when all of the request's writes are applied.
  func documentAfterwards(at path: [String]) -> Fields?
}
