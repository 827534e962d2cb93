import Core
import FirestoreModel
import FirestoreProtos
import Store

/// The state that a request reads.
///
/// Each type of request message has its own selector type. These types have the same cases.
enum ConsistencySelector {
  case read(ReadConsistency)
  case newTransaction(TransactionOptions)

  init(
    _ selector: ProtoBatchGetDocumentsRequest.OneOf_ConsistencySelector?
  ) throws(StatusError) {
    switch selector {
    case .transaction(let id): self = .read(try ReadConsistency(transaction: id))
    case .newTransaction(let options): self = .newTransaction(try TransactionOptions(options))
    case .readTime(let time): self = .read(.readTime(try Timestamp(time)))
    case nil: self = .read(.latest)
    }
  }

  init(_ selector: ProtoRunQueryRequest.OneOf_ConsistencySelector?) throws(StatusError) {
    switch selector {
    case .transaction(let id): self = .read(try ReadConsistency(transaction: id))
    case .newTransaction(let options): self = .newTransaction(try TransactionOptions(options))
    case .readTime(let time): self = .read(.readTime(try Timestamp(time)))
    case nil: self = .read(.latest)
    }
  }

  init(
    _ selector: ProtoRunAggregationQueryRequest.OneOf_ConsistencySelector?
  ) throws(StatusError) {
    switch selector {
    case .transaction(let id): self = .read(try ReadConsistency(transaction: id))
    case .newTransaction(let options): self = .newTransaction(try TransactionOptions(options))
    case .readTime(let time): self = .read(.readTime(try Timestamp(time)))
    case nil: self = .read(.latest)
    }
  }
}

// The selectors of requests that can't begin a transaction.

extension ReadConsistency {
  init(_ selector: ProtoGetDocumentRequest.OneOf_ConsistencySelector?) throws(StatusError) {
    switch selector {
    case .transaction(let id): try self.init(transaction: id)
    case .readTime(let time): self = .readTime(try Timestamp(time))
    case nil: self = .latest
    }
  }

  init(_ selector: ProtoListDocumentsRequest.OneOf_ConsistencySelector?) throws(StatusError) {
    switch selector {
    case .transaction(let id): try self.init(transaction: id)
    case .readTime(let time): self = .readTime(try Timestamp(time))
    case nil: self = .latest
    }
  }

  init(_ selector: ProtoPartitionQueryRequest.OneOf_ConsistencySelector?) throws(StatusError) {
    switch selector {
    case .readTime(let time): self = .readTime(try Timestamp(time))
    case nil: self = .latest
    }
  }

  init(
    _ selector: ProtoListCollectionIdsRequest.OneOf_ConsistencySelector?
  ) throws(StatusError) {
    switch selector {
    case .readTime(let time): self = .readTime(try Timestamp(time))
    case nil: self = .latest
    }
  }

  fileprivate init(transaction id: Data) throws(StatusError) {
    guard let id = TransactionID(nonEmpty: id) else {
      throw StatusError(.invalidArgument, "Invalid transaction.")
    }
    self = .transaction(id)
  }
}
