package import Core
package import FirestoreModel
package import SwiftProtobuf

extension Timestamp {
  /// Creates a timestamp from a protobuf message.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the nanoseconds aren't in 0..<1,000,000,000 or the year isn't
  ///   in 0001...9999.
  package init(_ proto: Google_Protobuf_Timestamp) throws(StatusError) {
    guard (0..<1_000_000_000).contains(proto.nanos) else {
      throw StatusError(.invalidArgument, "Timestamp nanos exceeds limit for field.")
    }
    self.init(seconds: proto.seconds, nanoseconds: proto.nanos)
    guard isInFirestoreRange else {
      throw StatusError(.invalidArgument, "Timestamp seconds exceeds limit for field.")
    }
  }

  package var proto: Google_Protobuf_Timestamp {
    Google_Protobuf_Timestamp(seconds: seconds, nanos: nanoseconds)
  }
}
