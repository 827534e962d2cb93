import Core
import NIOHPACK

/// The data of an RPC beside its message.
package struct RPCContext: Sendable {
  /// The method's path, such as `/google.firestore.v1.Firestore/Commit`.
  package var path: String
  package var metadata: RPCMetadata
  /// The time at which the client stops waiting, or `nil` if it never does.
  package var deadline: ContinuousClock.Instant?

  package init(
    path: String,
    metadata: RPCMetadata = [:],
    deadline: ContinuousClock.Instant? = nil
  ) {
    self.path = path
    self.metadata = metadata
    self.deadline = deadline
  }
}

/// A call's metadata as it was received.
///
/// Most calls read one field of ten, so there is no dictionary.
package struct RPCMetadata: Sendable, ExpressibleByDictionaryLiteral {
  private let headers: HPACKHeaders

  init(_ headers: HPACKHeaders) {
    self.headers = headers
  }

  package init(dictionaryLiteral elements: (String, String)...) {
    headers = HPACKHeaders(elements)
  }

  /// Returns the first value of a lower-case name. The value of a `-bin` field is still Base64.
  package subscript(name: String) -> String? {
    headers.first(name: name)?.limitingCombiningMarks
  }
}
