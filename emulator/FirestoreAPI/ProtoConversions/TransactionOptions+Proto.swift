import Core
import FirestoreModel
import FirestoreProtos
import Store

extension TransactionOptions {
  /// Creates options from their message. By default, a transaction can write, and locks the data
  /// that it reads.
  init(_ proto: ProtoTransactionOptions) throws(StatusError) {
    switch proto.mode {
    case .readOnly(let options):
      switch options.consistencySelector {
      case .readTime(let time): self = .readOnly(readTime: try Timestamp(time))
      case nil: self = .readOnly(readTime: nil)
      }
    case .readWrite(let options):
      let mode: ConcurrencyMode =
        switch options.concurrencyMode {
        case .unspecified, .pessimistic: .pessimistic
        case .optimistic: .optimistic
        case .UNRECOGNIZED(let number):
          throw StatusError(.invalidArgument, "Unknown concurrency mode \(number).")
        }
      self = .readWrite(retrying: TransactionID(nonEmpty: options.retryTransaction), mode)
    case nil: self = .readWrite(retrying: nil, .pessimistic)
    }
  }
}

extension TransactionID {
  /// Creates an ID, or returns `nil` if there are no bytes. In messages, no bytes mean no
  /// transaction.
  init?(nonEmpty bytes: Data) {
    guard !bytes.isEmpty else { return nil }
    self.init(bytes)
  }
}
