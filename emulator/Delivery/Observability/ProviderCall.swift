package import Core
package import FirestoreModel

/// A request of an invocation to a provider, and the response.
///
/// Headers are left out, because they contain keys and tokens.
package struct ProviderCall: Sendable {
  /// The kept parts of a request's or response's body.
  package struct Body: Sendable {
    package static let maximumBytes = 16 << 10
    /// The maximum size of the kept end of a longer body. A stream's token usage is in its end.
    private static let maximumTailBytes = 2 << 10

    /// The beginning of the body.
    package private(set) var bytes = Data()
    /// The end of a body that is longer than `maximumBytes`; else empty.
    package private(set) var tail = Data()
    /// The size of the whole body, in bytes.
    package private(set) var count = 0

    package init() {}

    package init(_ data: Data) { append(data) }

    package mutating func append(_ data: Data) {
      count += data.count
      let room = Self.maximumBytes - bytes.count
      // Copy the bytes, as a slice would keep the whole buffer in memory.
      if room > 0 { bytes.append(contentsOf: data.prefix(room)) }
      guard data.count > room else { return }
      let rest = tail + data.dropFirst(room)
      tail = Data(Array(rest.suffix(Self.maximumTailBytes)))
    }

    /// A Boolean value that indicates whether the whole body is kept.
    package var isWhole: Bool { bytes.count == count }
  }

  /// The id of the delivery or call that sent the request.
  package let invocation: String
  /// The trace context of the attempt that sent the request.
  package let traceparent: String
  /// The provider's name, such as `translation`.
  package let provider: String
  package let method: String
  /// The path without the query. The query may contain a key.
  package let path: String
  package let started: Timestamp
  package let duration: Duration
  /// The HTTP status, or `nil` if the connection was closed.
  package let status: Int?
  package let request: Body
  package let response: Body

  package init(
    invocation: String,
    traceparent: String,
    provider: String,
    method: String,
    path: String,
    started: Timestamp,
    duration: Duration,
    status: Int?,
    request: Body,
    response: Body
  ) {
    self.invocation = invocation
    self.traceparent = traceparent
    self.provider = provider
    self.method = method
    self.path = path
    self.started = started
    self.duration = duration
    self.status = status
    self.request = request
    self.response = response
  }

  /// The approximate size of both bodies in memory, in bytes.
  var bytes: Int {
    [request, response].reduce(0) { $0 + $1.bytes.count + $1.tail.count }
  }
}
