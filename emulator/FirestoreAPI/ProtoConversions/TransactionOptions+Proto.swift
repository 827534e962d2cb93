import Core
import FirestoreModel
import FirestoreProtos
import Store

extension TransactionOptions {
  /// Creates the options. By default a transaction reads and writes, and locks what it reads.
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
  /// Creates an ID, or returns `nil` for no bytes, which stand for no transaction in messages.
  init?(nonEmpty bytes: Data) {
    guard !bytes.isEmpty else { return nil }
    self.init(bytes)
  }
}
