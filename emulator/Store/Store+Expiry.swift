package import Core
package import FirestoreModel

/// A TTL policy: a document of the collection group is deleted when the time in its field has
/// passed.
package struct ExpiryPolicy: Sendable, Hashable {
  package let collectionGroup: String
  package let field: FieldPath
}

extension Store {
  /// The number of documents that one commit deletes. Others read and write between two commits.
  static let expiryBatch = 200

  /// Deletes the expired documents of every database, according to the declared TTL policies.
  ///
  /// A document that is locked or changes meanwhile stays until the next sweep. Subcollections
  /// stay.
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
        // Too much has changed to read on: the next sweep deletes the rest.
        return count
      }
      guard !expired.isEmpty else { break }
      count += try await delete(expired[...], in: database)
    }
    return count
  }

  /// Deletes the documents that haven't changed and aren't locked.
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
