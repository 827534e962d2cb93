// The requests and responses of google.firestore.v1 that `FirestoreClient` uses, in REST format.

package struct CommitRequest: Sendable, Encodable {
  private let writes: [Write]

  package init(writes: [Write]) { self.writes = writes }
}

package struct CommitResponse: Sendable, Decodable {
  package var writeResults: [WriteResult]?
  package var commitTime: Timestamp
}

package struct BatchGetDocumentsRequest: Sendable, Encodable {
  private let documents: [DocumentName]

  package init(documents: [DocumentName]) { self.documents = documents }
}

/// An element of the response to batchGet, with either `found` or `missing`.
package struct BatchGetDocumentsResponse: Sendable, Decodable {
  package var found: Document?
  package var missing: DocumentName?
  package var readTime: Timestamp?
}

package struct RunQueryRequest: Sendable, Encodable {
  private let structuredQuery: StructuredQuery

  package init(_ query: StructuredQuery) { structuredQuery = query }
}

/// An element of the response to runQuery. If no document matches the query, the response is one
/// element without a document.
package struct RunQueryResponse: Sendable, Decodable {
  package var document: Document?
  package var readTime: Timestamp?
}

/// An error response of Google's REST APIs: `{"error":{"code":404,"message":…,"status":…}}`.
package struct ErrorResponse: Sendable, Decodable {
  package struct Body: Sendable, Decodable {
    /// The HTTP status code.
    package var code: Int?
    package var message: String?
    /// The name of the google.rpc code.
    package var status: String?
  }

  package var error: Body
}
