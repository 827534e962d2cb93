import Chat
import Core
import FirestoreClient
import FirestoreModel

/// The results of a query, page by page in a fixed order.
///
/// A document that still matches after it was changed isn't returned again.
struct PagedQuery {
  /// The number of documents on a page; one commit can write 500.
  private static let size = 200

  private let session: ChatSession
  private let parent: DocumentName?
  private let field: FieldPath?
  private var query: StructuredQuery
  private var isAtEnd = false

  /// Creates the pages of a query.
  ///
  /// - Parameter field: a field that documents must have. The results are sorted by its values,
  ///   which requires only the field's own index. Without a field, they are sorted by name.
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

  /// Returns the next page with at least one document, or `nil` if there are no more.
  ///
  /// - Throws: `ABORTED` when the invocation's time is nearly up; a retry continues.
  mutating func next() async throws(StatusError) -> [Document]? {
    guard !isAtEnd else { return nil }
    guard session.waitDeadline > .now else {
      throw StatusError(.aborted, "the time was up before all data was deleted: run it again")
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
