package import RPCStatus

/// An answer that is a stream. Whoever sends it on fetches it in portions, at the speed at which
/// the other side reads.
package struct ResponseStream<Response: Sendable>: Sendable {
  private let begin: [[Response]]
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
    self.init(begin: [first], next: next, last: last)
  }

  private init(
    begin: [[Response]],
    next: @escaping @Sendable (_ position: Int) throws(StatusError) -> [Response],
    last: @escaping @Sendable (_ count: Int) -> [Response]
  ) {
    self.begin = begin.filter { !$0.isEmpty }
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
    let portion = try next(0)
    let more = portion.isEmpty ? [] : try next(portion.count)
    guard !more.isEmpty else {
      return .whole(begin.flatMap(\.self) + portion + last(portion.count))
    }
    let known = portion.count + more.count
    return .partial(
      ResponseStream(
        begin: begin + [portion, more],
        next: { position throws(StatusError) in try next(known + position) },
        last: { count in last(known + count) }
      )
    )
  }

  /// Hands over the portions, none of them empty, each when the one before is dealt with.
  package func forEach(
    _ send: ([Response]) async throws(StatusError) -> Void
  ) async throws(StatusError) {
    for portion in begin { try await send(portion) }
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
