package import RPCStatus

/// An answer that is a stream. Whoever sends it on fetches it in portions, at the speed at which
/// the other side reads.
package struct ResponseStream<Response: Sendable>: Sendable {
  private let first: [Response]
  private let next: @Sendable (_ position: Int) throws(StatusError) -> [Response]
  private let last: @Sendable (_ count: Int) -> [Response]

  /// - Parameters:
  ///   - first: what there is to say before anything else.
  ///   - next: the messages from a position on, as many as are handy; none at the end.
  ///   - last: what there is to say at the end, told how many messages `next` gave.
  init(
    first: [Response] = [],
    next: @escaping @Sendable (_ position: Int) throws(StatusError) -> [Response] = { _ in [] },
    last: @escaping @Sendable (_ count: Int) -> [Response] = { _ in [] }
  ) {
    self.first = first
    self.next = next
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
    let (next, last) = (next, last)
    var portion = try next(0)
    let more = portion.isEmpty ? [] : try next(portion.count)
    guard !more.isEmpty else { return .whole(first + portion + last(portion.count)) }
    portion += more
    return .partial(
      ResponseStream(
        first: first + portion,
        next: { [count = portion.count] position throws(StatusError) in
          try next(count + position)
        },
        last: { [before = portion.count] count in last(before + count) }
      )
    )
  }

  /// Hands over the portions, none of them empty, each when the one before is dealt with.
  package func forEach(
    _ send: ([Response]) async throws(StatusError) -> Void
  ) async throws(StatusError) {
    if !first.isEmpty { try await send(first) }
    var count = 0
    while true {
      let portion = try next(count)
      if portion.isEmpty { break }
      count += portion.count
      try await send(portion)
    }
    let rest = last(count)
    if !rest.isEmpty { try await send(rest) }
  }
}
