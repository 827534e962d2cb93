package import Core

/// An answer that is a stream. Whoever sends it on fetches it in portions, at the speed at which
/// the other side reads.
package struct ResponseStream<Response: Sendable>: Sendable {
  private let first: [Response]
  private let next: @Sendable (_ position: Int) throws(StatusError) -> [Response]
  private let holdsLast: Bool
  private let last: @Sendable (_ count: Int, _ held: Response?) -> [Response]

  /// - Parameters:
  ///   - first: what there is to say before anything else.
  ///   - next: the messages from a position on, as many as are handy; none at the end.
  ///   - holdsLast: whether the last message of `next` goes to `last` instead of being sent.
  ///   - last: what there is to say at the end, told how many messages `next` gave and, if
  ///     `holdsLast`, which was the last.
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

  /// An answer whose begin is known.
  enum Begun {
    /// It is no longer than one portion.
    case whole([Response])
    case partial(ResponseStream)
  }

  /// Fetches as much as tells whether there is more than one portion: an error that is there from
  /// the begin is known before anything is sent.
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

  /// Hands over the portions, none of them empty, each when the one before is dealt with.
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
