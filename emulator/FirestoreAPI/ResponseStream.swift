package import Core

/// The response messages of a streaming method.
///
/// They are produced in portions, at the speed at which the client reads.
package struct ResponseStream<Response: Sendable>: Sendable {
  private let first: [Response]
  private let next: @Sendable (_ position: Int) throws(StatusError) -> [Response]
  private let holdsLast: Bool
  private let last: @Sendable (_ count: Int, _ held: Response?) -> [Response]

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - first: The messages at the beginning of the stream.
  ///   - next: A closure that returns the messages from a position on: at least one, or none at the
  ///     end. The position is the number of messages it has returned before.
  ///   - holdsLast: A Boolean value that indicates whether the last message of `next` isn't sent
  ///     but passed to `last`, which can change it.
  ///   - last: A closure that returns the messages at the end of the stream. It gets the number of
  ///     messages from `next` and, if `holdsLast` is true, the last of them.
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

  /// A stream whose first portion was read.
  enum Begun {
    /// All messages of a stream with at most one portion.
    case whole([Response])
    case partial(ResponseStream)
  }

  /// Reads the beginning of the stream, to know whether it has more than one portion.
  ///
  /// An error at the beginning is thrown here, before anything is sent.
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

  /// Calls a closure with each portion. Portions are never empty.
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
