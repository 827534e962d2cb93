package import Core

/// A response that is a stream.
///
/// Its sender fetches portions at the speed at which the client reads.
package struct ResponseStream<Response: Sendable>: Sendable {
  private let first: [Response]
  private let next: @Sendable (_ position: Int) throws(StatusError) -> [Response]
  private let holdsLast: Bool
  private let last: @Sendable (_ count: Int, _ held: Response?) -> [Response]

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - first: The messages before all others.
  ///   - next: A closure that returns available messages from a position on, and none at the end.
  ///   - holdsLast: A Boolean value that indicates whether the last message of `next` goes to
  ///     `last` instead of being sent.
  ///   - last: A closure that returns the messages at the end. It gets the number of messages from
  ///     `next` and, if `holdsLast`, the last of them.
  init(
    first: [Response] = [],
    next: @escaping @Sendable (_ position: Int) throws(StatusError) -> [Response] = { _ in [] },
    holdsLast: Bool = false,
    last: @escaping @Sendable (_ count: Int, _ held: Response?) -> [Response] = { _, _ in [] }
  ) {
    self.first = first
    self.next = next
    self.holdsLast = holdsLast
    self.last = last
  }

  /// A response whose beginning is known.
  enum Begun {
    /// All messages, which are no more than one portion.
    case whole([Response])
    case partial(ResponseStream)
  }

  /// Fetches enough to know whether there is more than one portion.
  ///
  /// So an error at the beginning is known before anything is sent.
  func begun() throws(StatusError) -> Begun {
    let portion = try next(0)
    let more = portion.isEmpty ? [] : try next(portion.count)
    guard more.isEmpty else {
      let next = next
      let known = portion.count + more.count
      return .partial(
        ResponseStream(
          first: first,
          next: { position throws(StatusError) in
            if position >= known { return try next(position) }
            return position == 0 ? portion : more
          },
          holdsLast: holdsLast,
          last: last
        )
      )
    }
    let sent = holdsLast ? portion.dropLast() : portion[...]
    return .whole(first + sent + last(portion.count, holdsLast ? portion.last : nil))
  }

  /// Passes the portions to a closure, one after the other. No portion is empty.
  package func forEach(
    _ send: ([Response]) async throws(StatusError) -> Void
  ) async throws(StatusError) {
    if !first.isEmpty { try await send(first) }
    var count = 0
    var held: Response?
    while true {
      var portion = try next(count)
      if portion.isEmpty { break }
      count += portion.count
      if holdsLast {
        if let held { portion.insert(held, at: 0) }
        held = portion.removeLast()
        if portion.isEmpty { continue }
      }
      try await send(portion)
    }
    let rest = last(count, held)
    if !rest.isEmpty { try await send(rest) }
  }
}
