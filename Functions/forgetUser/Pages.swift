import Chat
import FirestoreModel
import FirestoreREST
import RPCStatus

/// What a query finds, part by part in the order of names: a document that still matches after it was
/// dealt with isn't found again.
struct Pages {
  /// A commit takes 500 writes.
  private static let size = 200

  private let session: ChatSession
  private let parent: DocumentName?
  private var query: StructuredQuery
  private var isAtEnd = false

  init(_ query: StructuredQuery, below parent: DocumentName?, of session: ChatSession) {
    self.session = session
    self.parent = parent
    self.query = query
    self.query.orderBy = [.init(.documentName)]
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
    query.startAt = .init([.reference(last.name.description)], before: false)
    return page
  }
}
