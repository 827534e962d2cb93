package import Core
package import FirestoreModel

/// A TTL policy: a document of the collection group goes when the time in its field has come.
package struct ExpiryPolicy: Sendable, Hashable {
  package let collectionGroup: String
  package let field: FieldPath
}

extension Store {
  /// How many documents one commit takes away; others read and write between two.
  static let expiryBatch = 200

  /// Takes away what has expired by now in every database, as the policies of the declared indexes
  /// say.
  ///
  /// A document that changes meanwhile, or is locked, stays until the next time. Subcollections stay.
  ///
  /// - Returns: how many documents went.
  /// - Throws: what the journal refuses a commit with.
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
        // So much has changed that the rest has to be looked for again.
        return count
      }
      guard !expired.isEmpty else { break }
      count += try await delete(expired[...], in: database)
    }
    return count
  }

  /// - Returns: how many are gone; those that are others by now, or locked, are left.
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
