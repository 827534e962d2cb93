import Chat
import Core
import FirestoreClient
import FirestoreModel

/// What a query finds, part by part in a fixed order: a document that still matches after it was dealt
/// with isn't found again.
struct Pages {
  /// A commit takes 500 writes.
  private static let size = 200

  private let session: ChatSession
  private let parent: DocumentName?
  private let field: FieldPath?
  private var query: StructuredQuery
  private var isAtEnd = false

  /// - Parameter field: only documents that have it are found, in the order of its values, which
  ///   needs no index but the field's own. Without it the order is that of names.
  init(
    _ query: StructuredQuery,
    below parent: DocumentName?,
    having field: FieldPath? = nil,
    of session: ChatSession
  ) {
    self.session = session
    self.parent = parent
    self.field = field
    self.query = query
    self.query.orderBy = [field, .documentName].compactMap(\.self).map { .init($0) }
    self.query.limit = Self.size
  }

  /// The next documents, at least one; nil if there are no more.
  ///
  /// - Throws: `ABORTED` when the invocation's time is nearly up: another one goes on.
  mutating func next() async throws(StatusError) -> [Document]? {
    guard !isAtEnd else { return nil }
    guard session.patience > .now else {
      throw StatusError(.aborted, "there is more than one invocation has time for")
    }
    let page = try await session.firestore.run(query, below: parent)
    isAtEnd = page.count < Self.size
    guard let last = page.last else { return nil }
    let value = field.flatMap { last.fields[$0] }
    query.startAt = .init(
      [value, .reference(last.name.description)].compactMap(\.self),
      before: false
    )
    return page
  }
}
