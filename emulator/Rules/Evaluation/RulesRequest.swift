import Core

/// A request to decide on, of any service.
package struct RulesRequest: Sendable {
  /// The service whose rules decide, such as `cloud.firestore`.
  package var service: String
  package var method: RulesMethod
  /// The segments of the path, such as `databases`, `(default)`, `documents`, `users`, `u1`. A query
  /// leaves segments open, the documents' IDs at least.
  package var path: [PathSegment]
  /// The variable `request`.
  package var request: RulesValue
  /// The variable `resource`, or `nil` if reading it is an error.
  package var resource: RulesValue?

  /// A segment of the request's path.
  ///
  /// A pattern matches the whole path or not at all. This table says which segments of a pattern
  /// match which segments of a path:
  ///
  /// | pattern    | `named`           | `anyOne`                     | `anyNumber`            |
  /// |------------|-------------------|------------------------------|------------------------|
  /// | `literal`  | the same bytes    | never                        | never                  |
  /// | `{x}`      | yes, `x` = the ID | yes, reading `x` is an error | never                  |
  /// | `{x=**}`   | takes zero or more segments of all three kinds                             |||
  ///
  /// A name of Cloud Storage can have empty segments, as `a//b` does. `{x}` doesn't match them.
  ///
  /// `x` of `{x=**}` is the path of the segments that it takes. If any of them is open, reading it
  /// is an error, since the documents that a query finds have different paths. An error there is
  /// `Null value error.` for `{x}` and `Variable  is not bound in path template.` for `{x=**}`.
  ///
  /// So a collection group's query, `…/documents`, `anyNumber`, `messages`, `anyOne`, is matched by
  /// `/{p=**}/messages/{m}`, `/{p=**}/{m}` and `/{p=**}`, but by no pattern with a fixed number of
  /// segments.
  package enum PathSegment: Hashable, Sendable {
    case named(String)
    /// One segment that the request leaves open, such as the document's ID in a query.
    case anyOne
    /// Any number of segments, such as those above a collection group.
    case anyNumber
  }

  /// A Boolean value that indicates whether rules of Storage decide.
  var isOfStorage: Bool { service.hasSameBytes(as: RulesService.storage.rawValue) }

  package init(
    service: String,
    method: RulesMethod,
    path: [PathSegment],
    request: RulesValue,
    resource: RulesValue?
  ) {
    self.service = service
    self.method = method
    self.path = path
    self.request = request
    self.resource = resource
  }
}
