import Core
import NIOHPACK

/// What an RPC knows about its caller beside the message.
package struct RPCContext: Sendable {
  /// Such as `/google.firestore.v1.Firestore/Commit`.
  package var path: String
  package var metadata: RPCMetadata
  /// When the client stops waiting; nil if it never does.
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

/// A call's metadata as it came: most calls look at one field of ten, so no dictionary is made.
package struct RPCMetadata: Sendable, ExpressibleByDictionaryLiteral {
  private let headers: HPACKHeaders

  init(_ headers: HPACKHeaders) {
    self.headers = headers
  }

  package init(dictionaryLiteral elements: (String, String)...) {
    headers = HPACKHeaders(elements)
  }

  /// The first value of a name in lower case; that of a `-bin` field is still Base64.
  package subscript(name: String) -> String? {
    headers.first(name: name)?.limitingCombiningMarks
  }
}
