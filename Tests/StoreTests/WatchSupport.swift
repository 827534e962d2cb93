import Core
import FirestoreModel
import Synchronization

@testable import Store

/// A client that watches a store and maintains the current result of each target.
final class WatchClient {
  let store: Store
  let listener: Listener
  /// The current documents of each target.
  private(set) var answers: [Int32: [DocumentName: Document]] = [:]
  private(set) var closed: [Int32] = []
  private(set) var refused: [Int32: StatusError] = [:]
  /// The time of the last item. Each item's time must be equal or later.
  private(set) var time = Timestamp(microseconds: 0)
  /// The number of events that the client has received.
  private(set) var eventCount = 0
  private(set) var heard: [WatchChange] = []
  private(set) var openings: [WatchOpening] = []
  private var watches: [Int: [Int32]] = [:]

  init(_ store: Store, maximumWeight: Int = 16 << 20) {
    self.store = store
    listener = Listener(maximumWeight: maximumWeight)
  }

  func watch(_ query: StructuredQuery, below parent: String = "", as number: Int32 = 1) throws {
    try watch(WatchRequest(.query(query, parent: resource(parent))), as: number)
  }

  func watch(documents paths: String..., as number: Int32 = 1) throws {
    let names = try paths.map { try name($0) }
    try watch(WatchRequest(.documents(database, Set(names))), as: number)
  }

  func watch(_ request: WatchRequest, as number: Int32 = 1) throws {
    try store.watch(request, as: number, by: listener)
  }

  /// Returns a new client that resumes all targets with their current documents.
  ///
  /// - Parameters:
  ///   - token: the resume token, or `nil` for the one of the last item.
  ///   - isCounting: whether the requests contain the number of documents that the client has.
  func reconnected(token: ResumeToken? = nil, isCounting: Bool = false) throws -> WatchClient {
    let client = WatchClient(store)
    client.answers = answers
    client.time = time
    for opening in openings {
      var request = opening.request
      request.resumption = .token(token ?? ResumeToken(run: store.run, time: time))
      if isCounting { request.expectedCount = answers[opening.target]?.count }
      try client.watch(request, as: opening.target)
    }
    return client
  }

  /// Processes all pending items. The client requests a heartbeat first, so that there is at least
  /// one.
  func hear() async throws {
    store.sendHeartbeat(listener)
    heard = []
    for item in try await listener.next() { try hear(item) }
  }

  private func hear(_ item: Listener.Item) throws {
    switch item {
    case .opened(var opening):
      try advance(to: opening.readTime)
      openings.append(opening)
      if opening.isReset || answers[opening.target] == nil { answers[opening.target] = [:] }
      while true {
        let changes: [WatchChange]
        do throws(StatusError) {
          changes = try opening.next(3)
        } catch {
          guard error.code == .aborted else { throw error }
          return try store.watchAgain(opening, by: listener)
        }
        if changes.isEmpty { break }
        for change in changes { apply(change, to: opening.target) }
      }
      if let existing = opening.existing {
        answers[opening.target] = answers[opening.target]?.filter { existing.contains($0.key) }
      }
      if !opening.request.isOnce { watches[opening.watch, default: []].append(opening.target) }
    case .closed(let target):
      closed.append(target)
      answers[target] = nil
      for watch in watches.keys { watches[watch]?.removeAll { $0 == target } }
    case .refused(let target, let error): refused[target] = error
    case .revoked(let target, let error):
      refused[target] = error
      answers[target] = nil
    case .event(let event):
      try advance(to: event.time)
      eventCount += 1
      switch event.news {
      case .changes(let news):
        for (watch, changes) in news {
          for target in watches[watch] ?? [] {
            for change in changes { apply(change, to: target) }
          }
        }
      case .clearing: for target in answers.keys { answers[target] = [:] }
      }
    case .quiet(let time): try advance(to: time)
    case .ended: break
    }
  }

  private func advance(to next: Timestamp) throws {
    guard next >= time else { throw StatusError(.internal, "time goes back") }
    time = next
  }

  private func apply(_ change: WatchChange, to target: Int32) {
    heard.append(change)
    switch change {
    case .present(let document): answers[target]?[document.name] = document
    case .left(let document): answers[target]?[document.name] = nil
    case .displaced(let name), .deleted(let name): answers[target]?[name] = nil
    }
  }

  /// Returns the sorted IDs of a target's documents.
  func ids(_ target: Int32 = 1) -> [String] { (answers[target] ?? [:]).keys.map(\.id).sorted() }
}

extension WatchChange {
  /// The change as text: `+a` (present), `-a` (left the result), `<a` (displaced by the limit), or
  /// `!a` (deleted).
  var text: String {
    switch self {
    case .present(let document): "+\(document.name.id)"
    case .left(let document): "-\(document.name.id)"
    case .displaced(let name): "<\(name.id)"
    case .deleted(let name): "!\(name.id)"
    }
  }
}

extension Store {
  /// A Boolean value that indicates whether any client watches the store.
  var isListenedTo: Bool { state.withLock { !$0.watches.isEmpty } }
}
