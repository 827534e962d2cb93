package import Core
import FirestoreModel
import FirestoreProtos
import Store
import SwiftProtobuf

/// The responses of a Listen stream. They are read in portions, by one task.
///
/// Clients rely on the order. A target's ADD comes before its documents, and its CURRENT comes
/// after them. NO_CHANGE without targets means that all targets show the state at the same time.
package struct ListenResponses {
  /// The maximum number of documents of an initial result that are read at a time.
  private static let portion = 100
  /// The approximate size of the documents in a portion, in bytes. The next portion is encoded only
  /// after the client has read.
  private static let portionBytes = 256 << 10

  private let session: ListenSession
  /// The items that aren't reported to the client yet. The next one is the last element.
  private var items: [Listener.Item] = []
  /// The initial result that is being sent, or `nil` if none is.
  private var opening: WatchOpening?
  /// The documents of the initial result that were read but aren't reported yet.
  private var fetched: ArraySlice<WatchChange> = []
  private var isEnded = false
  /// The targets whose initial result was sent, by the number of the store's watch. Targets with
  /// the same query share a watch.
  private var targets: [Int: [Int32]] = [:]

  package init(of session: ListenSession) { self.session = session }

  /// Returns the next responses, or `nil` at the end of the stream.
  ///
  /// - Throws: The error that ends the stream. All responses before the error are returned first.
  package mutating func next()
    async throws(StatusError) -> [ListenPortion]?
  {
    while true {
      if let responses = try continueOpening() { return [ListenPortion(responses)] }
      if items.isEmpty {
        if isEnded { return nil }
        items = try await session.listener.next().reversed()
      }
      let responses = try tell()
      if !responses.isEmpty { return responses }
    }
  }

  /// Returns the responses for the items up to the next initial result.
  private mutating func tell() throws(StatusError) -> [ListenPortion] {
    var told: [ListenPortion] = []
    while let item = items.last {
      switch item {
      case .opened(let opening):
        told.append(ListenPortion(begin(opening)))
        items.removeLast()
        return told
      case .closed(let target):
        close(target)
        session.hasRemoved(target)
        told.append(ListenPortion([.change(.remove, [target])]))
      case .refused(let target, let error):
        told.append(
          ListenPortion([
            .change(.add, [target]), .change(.remove, [target], cause: error),
          ])
        )
      case .revoked(let target, let error):
        close(target)
        session.listener.hasRevoked(target)
        // If the client has removed the target meanwhile, the response to its removal follows.
        if session.forget(target) {
          told.append(ListenPortion([.change(.remove, [target], cause: error)]))
        }
      case .event(let event):
        if let news = try news(of: event) { told.append(news) }
      case .quiet(let time): told.append(ListenPortion([snapshot(at: time)]))
      case .ended(let error):
        // Send the responses before the error first.
        if !told.isEmpty { return told }
        isEnded = true
        items = []
        if let error { throw error }
        return []
      }
      items.removeLast()
    }
    return told
  }

  // MARK: Openings

  private mutating func begin(_ opening: WatchOpening) -> [ProtoListenResponse] {
    self.opening = opening
    var responses: [ProtoListenResponse] = []
    if !opening.isRestart { responses.append(.change(.add, [opening.target])) }
    if opening.isReset { responses.append(.change(.reset, [opening.target])) }
    return responses
  }

  /// Returns the next responses of the initial result that is being sent.
  ///
  /// - Returns: The responses, or `nil` if no initial result is being sent.
  private mutating func continueOpening() throws(StatusError) -> [ProtoListenResponse]? {
    guard var opening else { return nil }
    guard !session.listener.isRevoked(opening.target) else {
      // The response that the target is removed follows.
      self.opening = nil
      fetched = []
      return nil
    }
    do throws(StatusError) {
      if fetched.isEmpty { fetched = try opening.next(Self.portion)[...] }
    } catch {
      guard error.code == .aborted else { throw error }
      // The state was dropped from the store's history, so add the target again. Its new initial
      // result follows the items that are already waiting.
      self.opening = nil
      return watchAgain(opening)
    }
    guard !fetched.isEmpty else {
      self.opening = nil
      return end(opening)
    }
    self.opening = opening
    var messages = DocumentMessages(hidingLeaving: session.hidesLeavingDocuments)
    var bytes = 0
    while bytes < Self.portionBytes, let change = fetched.popFirst() {
      messages.add([change], of: [opening.target])
      bytes += change.weight
    }
    return messages.responses(at: opening.readTime)
  }

  /// Adds a target again whose initial result couldn't be read to its end.
  ///
  /// - Returns: The responses, or `nil` if the new initial result follows.
  private func watchAgain(_ opening: WatchOpening) -> [ProtoListenResponse]? {
    do throws(StatusError) {
      try session.store.watchAgain(opening, by: session.listener)
      return nil
    } catch {
      return session.forget(opening.target)
        ? [.change(.remove, [opening.target], cause: error)] : nil
    }
  }

  private mutating func end(_ opening: WatchOpening) -> [ProtoListenResponse] {
    let target = opening.target
    var responses: [ProtoListenResponse] = []
    if let names = opening.existing {
      responses.append(
        .with {
          $0.filter.targetID = target
          $0.filter.count = Int32(clamping: names.count)
          $0.filter.unchangedNames = BloomFilter(of: names.map(\.description)).proto
        }
      )
    }
    responses.append(
      .change(.current, [target], token: token(at: opening.readTime), readTime: opening.readTime)
    )
    responses.append(snapshot(at: opening.readTime))
    if opening.request.isOnce {
      // If the client has removed the target meanwhile, the response to its removal follows later.
      if session.forget(target) { responses.append(.change(.remove, [target])) }
    } else {
      targets[opening.watch, default: []].append(target)
    }
    return responses
  }

  private mutating func close(_ target: Int32) {
    for (watch, members) in targets where members.contains(target) {
      let rest = members.filter { $0 != target }
      targets[watch] = rest.isEmpty ? nil : rest
    }
  }

  // MARK: Events

  /// Returns the responses for a commit, or for the clearing of the database.
  ///
  /// - Returns: The responses, or `nil` if the event affects none of the targets.
  private func news(
    of event: WatchEvent
  ) throws(StatusError) -> ListenPortion? {
    switch event.news {
    case .changes(let changes):
      var audience = WatchAudience(members: [])
      for (watch, targets) in targets where changes[watch] != nil {
        audience.members.append(.init(watch: watch, targets: targets))
      }
      guard !audience.members.isEmpty else { return nil }
      audience.members.sort { $0.watch < $1.watch }
      let isLeft = audience.members.contains { member in
        changes[member.watch]?.contains { if case .left = $0 { true } else { false } } ?? false
      }
      if isLeft { audience.hidesLeavingDocuments = session.hidesLeavingDocuments }
      return try event.rendering(for: audience) { () throws(StatusError) in
        var messages = DocumentMessages(hidingLeaving: audience.hidesLeavingDocuments)
        for member in audience.members {
          messages.add(changes[member.watch] ?? [], of: member.targets)
        }
        return ListenPortion(
          messages.responses(at: event.time) + [snapshot(at: event.time)]
        )
      }
    case .clearing:
      let all = targets.values.flatMap(\.self).sorted()
      guard !all.isEmpty else { return nil }
      let token = token(at: event.time)
      return ListenPortion([
        .change(.reset, all),
        .change(.current, all, token: token, readTime: event.time),
        snapshot(at: event.time),
      ])
    }
  }

  /// Returns the response which says that all targets show the state at a time.
  private func snapshot(at time: Timestamp) -> ProtoListenResponse {
    .change(.noChange, [], token: token(at: time), readTime: time)
  }

  private func token(at time: Timestamp) -> ResumeToken {
    ResumeToken(run: session.store.run, time: time)
  }
}
