package import Core
package import FirestoreModel

/// A TTL policy. A document of the collection group is deleted after the time in the document's
/// field.
package struct ExpiryPolicy: Sendable, Hashable {
  package let collectionGroup: String
  package let field: FieldPath
}

extension Store {
  /// The number of documents that one commit deletes. Clients can read and write between two such
  /// commits.
  static let expiryBatch = 200

  /// Deletes the expired documents of every database, according to the declared TTL policies.
  ///
  /// If a document is locked or changes meanwhile, it is kept until the next sweep. Subcollections
  /// of a deleted document are kept.
  ///
  /// - Returns: The number of deleted documents.
  /// - Throws: The journal's error.
  @discardableResult
  package func expire() async throws(StatusError) -> Int {
    var count = 0
    for policy in indexes?.expiryPolicies ?? [] {
      for database in databases { count += try await expire(policy, in: database) }
    }
    return count
  }

  private func expire(
    _ policy: ExpiryPolicy,
    in database: DatabaseName
  ) async throws(StatusError) -> Int {
    var query = StructuredQuery(from: policy.collectionGroup)
    query.from = [.init(policy.collectionGroup, allDescendants: true)]
    query.filter = .field(policy.field, .lessThanOrEqual, .timestamp(clock()))
    let cursor = try await attemptUncheckedReading(
      PreparedQuery(query, parent: ResourceName(database: database)),
      .latest
    ).value()
    var count = 0
    while !Task.isCancelled {
      let expired: [Document]
      do throws(StatusError) {
        expired = try cursor.next(Self.expiryBatch)
      } catch {
        // The state that is read was dropped. The next sweep deletes the rest.
        return count
      }
      guard !expired.isEmpty else { break }
      count += try await delete(expired[...], in: database)
    }
    return count
  }

  /// Deletes those of the documents that haven't changed and aren't locked.
  ///
  /// - Returns: The number of deleted documents.
  private func delete(
    _ documents: ArraySlice<Document>,
    in database: DatabaseName
  ) async throws(StatusError) -> Int {
    let writes = documents.map {
      Write(.delete($0.name), currentDocument: $0.updateTime.map(Precondition.updateTime))
    }
    do throws(StatusError) {
      _ = try await commit(writes, in: database, cause: CommitCause(caller: .expiry))
      return documents.count
    } catch {
      guard [.failedPrecondition, .notFound, .aborted].contains(error.code) else { throw error }
      guard documents.count > 1 else { return 0 }
      let middle = documents.startIndex + documents.count / 2
      return try await delete(documents[..<middle], in: database)
        + delete(documents[middle...], in: database)
    }
  }
}
