// The requests and answers of google.firestore.v1 in their REST form, as a client needs them.

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

/// One element of the answer: exactly one of found and missing.
package struct BatchGetDocumentsResponse: Sendable, Decodable {
  package var found: Document?
  package var missing: DocumentName?
  package var readTime: Timestamp?
}

package struct RunQueryRequest: Sendable, Encodable {
  private let structuredQuery: StructuredQuery

  package init(_ query: StructuredQuery) { structuredQuery = query }
}

/// One element of the answer; the only one without a document when nothing matched.
package struct RunQueryResponse: Sendable, Decodable {
  package var document: Document?
  package var readTime: Timestamp?
}

/// An error as every Google REST API writes it: `{"error":{"code":404,"message":…,"status":…}}`.
package struct ErrorResponse: Sendable, Decodable {
  package struct Body: Sendable, Decodable {
    /// The HTTP status, in numbers.
    package var code: Int?
    package var message: String?
    /// The name of a google.rpc code.
    package var status: String?
  }

  package var error: Body
}
