package import Core

/// A request to decide on, of any service.
package struct RulesRequest: Sendable {
  /// The service whose rules decide, such as `cloud.firestore`.
  package var service: String
  package var method: RulesMethod
  /// The segments of the path, such as `databases`, `(default)`, `documents`, `users`, `u1`.
  package var path: [PathSegment]
  /// The variables `request` and `resource`, by name.
  package var variables: [ByteKey: RulesValue]

  package enum PathSegment: Hashable, Sendable {
    case named(String)
    /// One segment that the request leaves open, such as the document's ID in a query.
    case anyOne
    /// Any number of segments, such as those above a collection group.
    case anyNumber
  }

  package init(
    service: String,
    method: RulesMethod,
    path: [PathSegment],
    variables: [ByteKey: RulesValue]
  ) {
    self.service = service
    self.method = method
    self.path = path
    self.variables = variables
  }
}
