import Core
import NIOHPACK

/// The properties of a call other than its messages.
package struct RPCContext: Sendable {
  /// The method's path, such as `/google.firestore.v1.Firestore/Commit`.
  package var path: String
  package var metadata: RPCMetadata
  /// The time at which the client stops waiting, or `nil` if it waits forever.
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

/// The metadata of a call.
///
/// Handlers read about one field of ten, so the fields aren't put into a dictionary.
package struct RPCMetadata: Sendable, ExpressibleByDictionaryLiteral {
  private let headers: HPACKHeaders

  init(_ headers: HPACKHeaders) {
    self.headers = headers
  }

  package init(dictionaryLiteral elements: (String, String)...) {
    headers = HPACKHeaders(elements)
  }

  /// Returns the first value of the field with a lower-case name. The value of a `-bin` field isn't
  /// decoded from Base64.
  package subscript(name: String) -> String? {
    headers.first(name: name)?.limitingCombiningMarks
  }
}
