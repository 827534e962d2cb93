package import Core
import FirestoreModel
import Synchronization

extension Store {
  /// Adds a target to a listener. The listener receives the target's result and then every change
  /// of it.
  ///
  /// - Parameter number: A number that identifies the target among the listener's targets.
  /// - Throws: `INVALID_ARGUMENT` with Firestore's text for an invalid query; `FAILED_PRECONDITION`
  ///   if the query needs an index that isn't declared; the error of the request's check.
  package func watch(
    _ request: WatchRequest,
    as number: Int32,
    by listener: Listener
  ) throws(StatusError) {
    try open(request, as: number, by: listener, insteadOf: nil)
  }

  /// Adds a target again because the state of its initial result was dropped before the listener
  /// had read all of it.
  ///
  /// It does nothing if the target was removed meanwhile.
  ///
  /// - Throws: The error of the request's check. Then the listener no longer has the target.
  package func watchAgain(
    _ opening: WatchOpening,
    by listener: Listener
  ) throws(StatusError) {
    try open(opening.request, as: opening.target, by: listener, insteadOf: opening.watch)
  }

  /// Removes a target from a listener, and notifies the listener.
  package func unwatch(_ number: Int32, by listener: Listener) {
    let reader = state.withLock { state in
      state.watches.unsubscribe(listener, number)
      return listener.append(.closed(number)).reader
    }
    reader?.resume()
  }

  /// Removes all targets from a listener.
  package func unwatchAll(by listener: Listener) {
    state.withLock { $0.watches.unsubscribe(listener) }
  }

  /// Makes the checks of all targets again, because the checks may give other results now.
  ///
  /// - Parameter project: The project whose databases are concerned, or `nil` for all.
  package func repeatWatchChecks(of project: String? = nil) {
    state.withLock { state in
      let time = state.readTime(at: clock())
      let databases = state.databases
      state.watches.repeatAllChecks { name in
        if let project, !name.project.hasSameBytes(as: project) { return nil }
        return databases[name].map { DatabaseState(of: $0, at: time, now: time) }
      }
    }
  }

  /// Sends a listener the time up to which it has received all changes.
  package func sendHeartbeat(_ listener: Listener) {
    let reader = state.withLock { state in
      listener.append(.quiet(state.readTime(at: clock()))).reader
    }
    reader?.resume()
  }

  // MARK: Opening

  /// Adds a target to a listener.
  ///
  /// - Parameter forgotten: The number of the watch whose initial result couldn't be read to its
  ///   end, or `nil` if the target is new.
  private func open(
    _ request: WatchRequest,
    as number: Int32,
    by listener: Listener,
    insteadOf forgotten: Int?
  ) throws(StatusError) {
    let query = try watchedQuery(request.target)
    let isRestart = forgotten != nil
    let reader = try state.withLock { state throws(StatusError) -> Listener.Reader? in
      if let forgotten, !request.isOnce {
        guard state.watches.isSubscribed(listener, number, to: forgotten) else { return nil }
        state.watches.unsubscribe(listener, number)
      }
      let name = request.target.database
      let known: Knowledge =
        isRestart ? .nothingAnyMore : self.knowledge(request.resumption, in: name, &state)
      let time = state.readTime(at: clock())
      let database = state.database(name)
      let checked = try request.check?(DatabaseState(of: database, at: time, now: time))
      if let query { try self.indexes?.check(query.prepared) }
      let watch = state.watches.watch(request.target) {
        Self.answer(request.target, query, at: time.microseconds, in: database)
      }
      if !request.isOnce {
        state.watches.subscribe(listener, number, to: watch)
        if let check = request.check, let checked {
          state.watches.add(check, of: listener, number, in: name, dependingOn: checked)
        }
      }
      let source: WatchOpening.Source?
      switch known {
      case .nothing, .nothingAnyMore: source = nil
      case .state(let earlier): source = watch.resumption(since: earlier, in: database)
      case .forgottenState(let earlier):
        source =
          request.expectedCount == nil
          ? nil : watch.resumeWithFilter(since: earlier, at: time, in: database, store: self)
      }
      let opening = WatchOpening(
        source ?? watch.opening(at: time, in: database, store: self),
        of: request,
        target: number,
        watch: watch.number,
        at: time,
        isReset: source == nil && !known.isNothing,
        isRestart: isRestart
      )
      return listener.append(.opened(opening)).reader
    }
    reader?.resume()
  }

  private func watchedQuery(_ target: WatchTarget) throws(StatusError) -> QueryMembership? {
    guard case .query(let structured, let parent) = target else { return nil }
    guard structured.findNearest == nil else {
      throw StatusError(.invalidArgument, "A query with find_nearest can't be listened to.")
    }
    return QueryMembership(try PreparedQuery(structured, parent: parent))
  }

  private static func answer(
    _ target: WatchTarget,
    _ query: QueryMembership?,
    at time: Int64,
    in database: Database
  ) -> Watch.ResultSet {
    guard let query else {
      guard case .documents(_, let names) = target else { return .documents([:]) }
      return .documents(
        Dictionary(names.map { (KeyBytes($0.path), $0) }, uniquingKeysWith: { $1 })
      )
    }
    let isWhole = query.structured.limit == nil && query.structured.offset == 0
    return isWhole ? .query(query) : .window(QueryWindow(query, at: time, in: database))
  }

  /// The state that the listener wants to resume from.
  private enum Knowledge {
    case nothing
    /// The listener knows a state, but the store can't tell what has changed since then.
    case nothingAnyMore
    /// The time of a state, in microseconds. All later changes are still in the log.
    case state(Int64)
    /// The time of a state, in microseconds. Some of the later changes were dropped from the log.
    case forgottenState(Int64)

    var isNothing: Bool { if case .nothing = self { true } else { false } }
  }

  private func knowledge(
    _ resumption: WatchRequest.Resumption,
    in name: DatabaseName,
    _ state: inout State
  ) -> Knowledge {
    switch resumption {
    case .nothing: return .nothing
    case .token(let token):
      let now = state.readTime(at: clock())
      guard let token, token.run == run, token.time <= now else { return .nothingAnyMore }
      let time = token.time.microseconds
      let horizon = state.databases[name]?.log.horizon ?? 0
      return horizon <= time ? .state(time) : .forgottenState(time)
    case .readTime(let time):
      // A read time may come from a data bundle, so it may belong to another database or have more
      // digits than commit times.
      guard let time = try? checked(readTime: time, in: name, &state) else {
        return .nothingAnyMore
      }
      return .state(time.microseconds)
    }
  }
}
