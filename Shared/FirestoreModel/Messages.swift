package import JSONCoding
import Platform

// The requests and answers of google.firestore.v1 in their REST form, one type for both ends.
// Members that no part of this package serves yet are decoded only to be refused by name.

package struct CommitRequest: Sendable, Decodable, JSONEncodable {
  package var writes: [Write]?
  /// Opaque id of the transaction to commit, base64.
  package var transaction: String?

  package init(writes: [Write]) { self.writes = writes }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    writes = try container.decodeIfPresent([Write].self, forKey: .writes)
    transaction = try container.decodeIfPresent(String.self, forKey: .transaction)
  }

  package var json: JSONValue {
    var members: JSONObject = [:]
    members[CodingKeys.writes.rawValue] = writes.map { .array($0.map(\.json)) }
    members[CodingKeys.transaction.rawValue] = transaction.map(JSONValue.string)
    return .object(members)
  }

  private enum CodingKeys: String, CodingKey, CaseIterable { case writes, transaction }
}

package struct CommitResponse: Sendable, Encodable {
  package var writeResults: [WriteResult]?
  package var commitTime: Timestamp

  package init(writeResults: [WriteResult], commitTime: Timestamp) {
    self.writeResults = writeResults
    self.commitTime = commitTime
  }
}

package struct BatchGetDocumentsRequest: Sendable, Decodable, JSONEncodable {
  package var documents: [DocumentName]?
  package var mask: FieldMask?

  package init(documents: [DocumentName], mask: FieldMask? = nil) {
    self.documents = documents
    self.mask = mask
  }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    documents = try container.decodeIfPresent([DocumentName].self, forKey: .documents)
    mask = try container.decodeIfPresent(FieldMask.self, forKey: .mask)
  }

  package var json: JSONValue {
    var members: JSONObject = [:]
    members[CodingKeys.documents.rawValue] = documents.map { .array($0.map(\.json)) }
    members[CodingKeys.mask.rawValue] = mask?.json
    return .object(members)
  }

  private enum CodingKeys: String, CodingKey, CaseIterable { case documents, mask }
}

/// One element of the answer: exactly one of found and missing.
package struct BatchGetDocumentsResponse: Sendable, Encodable {
  package var found: Document?
  package var missing: DocumentName?
  package var readTime: Timestamp?

  package init(found: Document? = nil, missing: DocumentName? = nil, readTime: Timestamp) {
    self.found = found
    self.missing = missing
    self.readTime = readTime
  }
}

package struct RunQueryRequest: Sendable, Codable {
  package var structuredQuery: StructuredQuery

  package init(_ query: StructuredQuery) { structuredQuery = query }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    structuredQuery = try container.decode(StructuredQuery.self, forKey: .structuredQuery)
  }

  private enum CodingKeys: String, CodingKey, CaseIterable { case structuredQuery }
}

/// One element of the answer; the only one without a document when nothing matched.
package struct RunQueryResponse: Sendable, Encodable {
  package var document: Document?
  package var readTime: Timestamp?

  package init(document: Document? = nil, readTime: Timestamp) {
    self.document = document
    self.readTime = readTime
  }
}

package struct ListDocumentsResponse: Sendable, Codable {
  package var documents: [Document]?
  package var nextPageToken: String?

  package init(documents: [Document], nextPageToken: String?) {
    self.documents = documents.isEmpty ? nil : documents
    self.nextPageToken = nextPageToken
  }
}

package struct ListCollectionIdsResponse: Sendable, Codable {
  package var collectionIds: [String]?
  package var nextPageToken: String?

  package init(collectionIds: [String], nextPageToken: String? = nil) {
    self.collectionIds = collectionIds.isEmpty ? nil : collectionIds
    self.nextPageToken = nextPageToken
  }
}

/// An error as every Google REST API writes it: `{"error":{"code":404,"message":…,"status":…}}`.
package struct ErrorResponse: Sendable, Codable {
  package struct Body: Sendable, Encodable {
    /// The HTTP status, in numbers.
    package var code: Int?
    package var message: String?
    /// The name of a google.rpc code.
    package var status: String?
  }

  package var error: Body
}
