package import Core
package import FirestoreModel

/// What an invocation asked of a provider, and what that answered. Of headers, where the keys and tokens
/// are, it has none.
package struct ProviderCall: Sendable {
  /// A request's or an answer's, as far as it is kept.
  package struct Body: Sendable {
    package static let maximumBytes = 16 << 10
    /// Of a longer one, how much of its end: a stream says there what it took.
    private static let maximumTailBytes = 2 << 10

    /// The beginning.
    package private(set) var bytes = Data()
    /// The end of one that is longer.
    package private(set) var tail = Data()
    /// Of all of it.
    package private(set) var count = 0

    package init() {}

    package init(_ data: Data) { append(data) }

    package mutating func append(_ data: Data) {
      count += data.count
      let room = Self.maximumBytes - bytes.count
      // A copy: a part would keep all of it in memory.
      if room > 0 { bytes.append(contentsOf: data.prefix(room)) }
      guard data.count > room else { return }
      let rest = tail + data.dropFirst(room)
      tail = Data(Array(rest.suffix(Self.maximumTailBytes)))
    }

    package var isWhole: Bool { bytes.count == count }
  }

  /// The delivery or call that asked.
  package let invocation: String
  /// The span of its attempt.
  package let traceparent: String
  /// Its name, such as `translation`.
  package let provider: String
  package let method: String
  /// Without the query, where some have their keys.
  package let path: String
  package let started: Timestamp
  package let duration: Duration
  /// HTTP's; nil if the connection was cut.
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

  /// About how much memory its bodies take.
  var bytes: Int {
    [request, response].reduce(0) { $0 + $1.bytes.count + $1.tail.count }
  }
}
