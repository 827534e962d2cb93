package import Core
package import Rules
import Store
import Synchronization

/// The Realtime Databases of a project, in memory. Each has a name, the instance or namespace.
///
/// One write happens at a time. Its changes are recorded in the journal before anybody can see
/// them. Reads don't wait for that.
package final class DatabaseStore: Sendable {
  /// The most databases. Clients create one by writing to its name.
  static let mostDatabases = 1_000

  /// One database.
  fileprivate struct Instance {
    var root: Node?
    var listeners = ListenerTree()
    /// The rules that a client has set, or `nil` if those of the configuration hold.
    var rules: DatabaseRules?
    /// The number of times that clients have set the rules.
    var rulesVersion = 0
  }

  fileprivate struct State {
    var instances: [ByteKey: Instance] = [:]
    /// The rules of the configuration, by database, and those of all other databases. Without
    /// rules, a database is open.
    var rules: ConfiguredRules
    var keys = PushID()
    var queue: [QueuedWrite] = []
    /// The task that carries out the queue, or `nil` if the queue is empty.
    var writing: Task<Void, Never>?
  }

  /// The rules in firebase.json.
  package struct ConfiguredRules: Sendable {
    package var byDatabase: [ByteKey: DatabaseRules] = [:]
    package var others: DatabaseRules?

    package init() {}

    fileprivate subscript(database: ByteKey) -> DatabaseRules? { byDatabase[database] ?? others }
  }

  package typealias Completion = @Sendable (Result<Node?, DatabaseError>) -> Void

  /// A write that waits for its turn.
  fileprivate struct QueuedWrite: Sendable {
    var database: ByteKey
    var write: TreeWrite
    var hash: String?
    var caller: DatabaseCaller
    var cause: WriteCause
    var completion: Completion
  }

  /// The cause of a write.
  package struct WriteCause: Sendable {
    /// The W3C trace context of the request.
    var traceparent: String?
    /// The name of the function on whose port the request arrived, or `nil` for the shared port.
    var function: String?
    /// A Boolean value that indicates whether the write may trigger functions.
    var firesTriggers = true
  }

  /// A write's result, and the events that follow from it.
  fileprivate struct Outcome: Sendable {
    var queued: QueuedWrite
    var result: Result<WriteEffect, DatabaseError>
    var change: DatabaseChange?
    var events: (any CommitEvents)?
  }

  private let state: Mutex<State>
  private let journal: (any DatabaseJournal)?
  private let observer: (any DatabaseObserver)?
  private let now: @Sendable () -> Int64

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - contents: The initial data by database.
  ///   - now: A closure that returns the time in milliseconds since 1970.
  package init(
    _ contents: [ByteKey: Node] = [:],
    rules: ConfiguredRules = ConfiguredRules(),
    journal: (any DatabaseJournal)? = nil,
    observer: (any DatabaseObserver)? = nil,
    now: @escaping @Sendable () -> Int64
  ) {
    state = Mutex(
      State(instances: contents.mapValues { Instance(root: $0) }, rules: rules)
    )
    self.journal = journal
    self.observer = observer
    self.now = now
  }

  // MARK: Reading

  /// The names of the databases that have data.
  package var databases: [ByteKey] {
    state.withLock { $0.instances.filter { $0.value.root != nil }.keys.sorted() }
  }

  /// The time in milliseconds since 1970.
  var time: Int64 { now() }

  /// The databases that have data, listeners or rules of their own.
  package var reports: [DatabaseReport] {
    let found = state.withLock { state in
      state.instances.map { ($0.key, $0.value.rulesVersion, $0.value.listeners.all) }
    }
    return found.sorted { $0.0 < $1.0 }.map { DatabaseReport($0, rulesVersion: $1, $2) }
  }

  /// Returns all data of all databases at one instant.
  package var roots: [ByteKey: Node] {
    state.withLock { $0.instances.compactMapValues(\.root) }
  }

  /// Returns whether a node has data.
  package func exists(_ path: TreePath, in database: String) -> Bool {
    state.withLock { $0.instances[ByteKey(database)]?.root }[path] != nil
  }

  /// Returns a query's part of a node.
  ///
  /// - Parameter needsIndex: Whether a query by value or by child needs an index in the rules.
  func read(
    _ database: ByteKey,
    _ path: TreePath,
    _ query: TreeQuery = TreeQuery(),
    as caller: DatabaseCaller,
    needsIndex: Bool = false
  ) throws(DatabaseError) -> Node? {
    let (root, rules) = state.withLock { ($0.instances[database]?.root, $0.rules(of: database)) }
    guard may(read: path, query, in: root, rules, as: caller) else { throw .permissionDenied }
    if needsIndex, let rules, let missing = rules.missingIndex(of: query, at: path) {
      throw .status(missing)
    }
    return root[path].result(of: query)
  }

  /// Returns whether the rules have the index of a query, or the query needs none.
  func hasIndex(_ database: ByteKey, _ path: TreePath, _ query: TreeQuery) -> Bool {
    guard let rules = state.withLock({ $0.rules(of: database) }) else { return true }
    return rules.missingIndex(of: query, at: path) == nil
  }

  private func may(
    read path: TreePath,
    _ query: TreeQuery,
    in root: Node?,
    _ rules: DatabaseRules?,
    as caller: DatabaseCaller
  ) -> Bool {
    guard case .client(let auth) = caller, let rules else { return true }
    return rules.allowsRead(
      of: path.keys.map(\.string),
      DatabaseRequest(root: root, auth: auth, now: now(), query: query.facts)
    )
  }

  // MARK: Listening

  /// Adds a listener, and passes the present tree to a closure before later changes reach the
  /// listener. The closure is called while the database is locked, and must return at once.
  func listen(
    _ database: ByteKey,
    _ listener: TreeListener,
    _ begin: (_ root: Node?) -> Void
  ) throws(DatabaseError) {
    try state.withLock { state throws(DatabaseError) in
      let root = state.instances[database]?.root
      let rules = state.rules(of: database)
      guard may(listen: listener, in: root, rules) else {
        throw .permissionDenied
      }
      try DatabaseError.wrapping { () throws(StatusError) in try state.create(database) }
      state.instances[database]?.listeners.add(listener)
      begin(root)
    }
  }

  func remove(_ listener: TreeListener, from database: ByteKey) {
    state.withLock { state in
      state.instances[database]?.listeners.remove(listener)
      state.removeIfUnused(database)
    }
  }

  /// Changes who listens. Listeners that the rules don't allow to the new user are cancelled.
  func setCaller(_ caller: DatabaseCaller, of listeners: [TreeListener], in database: ByteKey) {
    state.withLock { state in
      for listener in listeners { listener.caller.withLock { $0 = caller } }
      check(listeners, of: database, &state)
    }
  }

  /// Removes and cancels listeners that the rules no longer allow.
  private func check(_ listeners: [TreeListener], of database: ByteKey, _ state: inout State) {
    let root = state.instances[database]?.root
    let rules = state.rules(of: database)
    for listener in listeners where !may(listen: listener, in: root, rules) {
      state.instances[database]?.listeners.remove(listener)
      listener.onCancel(listener)
    }
    state.removeIfUnused(database)
  }

  private func may(listen listener: TreeListener, in root: Node?, _ rules: DatabaseRules?) -> Bool {
    let caller = listener.caller.withLock { $0 }
    return may(read: listener.path, listener.query, in: root, rules, as: caller)
  }

  // MARK: Rules

  package func rules(of database: ByteKey) -> DatabaseRules? {
    state.withLock { $0.rules(of: database) }
  }

  /// Sets the rules of one database, until the emulator ends.
  package func setRules(_ rules: DatabaseRules, of database: ByteKey) throws(StatusError) {
    try state.withLock { state throws(StatusError) in
      try state.create(database)
      state.instances[database]?.rules = rules
      state.instances[database]?.rulesVersion += 1
      check(state.instances[database]?.listeners.all ?? [], of: database, &state)
    }
  }

  /// Replaces the rules of the configuration. Those that clients have set stay.
  package func replace(_ rules: ConfiguredRules) {
    state.withLock { state in
      state.rules = rules
      for (database, instance) in Array(state.instances) {
        check(instance.listeners.all, of: database, &state)
      }
    }
  }

  // MARK: Writing

  /// Returns a new key for a child.
  func newKey() -> NodeKey {
    let time = now()
    return state.withLock { $0.keys.next(now: time) }
  }

  /// Checks that a client may write, as if it wrote now, and changes nothing.
  func check(
    _ write: TreeWrite,
    in database: ByteKey,
    as caller: DatabaseCaller
  ) throws(DatabaseError) {
    try state.withLock { state throws(DatabaseError) in
      let queued = QueuedWrite(
        database: database,
        write: write,
        caller: caller,
        cause: WriteCause(),
        completion: { _ in }
      )
      _ = try effect(of: queued, on: state.instances[database]?.root, state.rules(of: database))
    }
  }

  /// Writes data, and tells the listeners.
  ///
  /// - Parameters:
  ///   - hash: The hash that the node at the write's path must have, or `nil` for any.
  ///   - completion: A closure that gets the node at the write's path, or the error. It is called
  ///     after the listeners know the change, while the database is locked: it must return at once
  ///     and must not use the database. Without a journal, it is called before this returns.
  package func write(
    _ write: TreeWrite,
    in database: ByteKey,
    ifHash hash: String? = nil,
    as caller: DatabaseCaller,
    cause: WriteCause = WriteCause(),
    _ completion: @escaping Completion
  ) {
    let queued = QueuedWrite(
      database: database,
      write: write,
      hash: hash,
      caller: caller,
      cause: cause,
      completion: completion
    )
    // Nodes keep their hashes, so that only those of later changes are computed under the lock.
    if hash != nil { _ = state.withLock { $0.instances[database]?.root }[write.path].hash }
    guard journal != nil else {
      return state.withLock { state in
        state.finish(outcome(of: queued, on: state.instances[database]?.root, state))
      }
    }
    state.withLock { state in
      state.queue.append(queued)
      if state.writing == nil { state.writing = Task { await self.writeQueue() } }
    }
  }

  /// Writes data, and returns the node at the write's path.
  package func write(
    _ write: TreeWrite,
    in database: ByteKey,
    ifHash hash: String? = nil,
    as caller: DatabaseCaller,
    cause: WriteCause = WriteCause()
  ) async throws(DatabaseError) -> Node? {
    let result = await withCheckedContinuation { continuation in
      self.write(write, in: database, ifHash: hash, as: caller, cause: cause) {
        continuation.resume(returning: $0)
      }
    }
    return try result.get()
  }

  /// Waits until all writes so far are recorded.
  package func finishWrites() async { await state.withLock(\.writing)?.value }

  /// Carries out the waiting writes in groups, until none waits. The journal syncs a group at once.
  private func writeQueue() async {
    while true {
      let outcomes = state.withLock { state -> [Outcome]? in
        guard !state.queue.isEmpty else {
          state.writing = nil
          return nil
        }
        let group = state.queue
        state.queue = []
        var roots = state.instances.mapValues(\.root)
        return group.map { queued in
          let outcome = outcome(of: queued, on: roots[queued.database] ?? nil, state)
          if case .success(let effect) = outcome.result { roots[queued.database] = effect.new }
          return outcome
        }
      }
      guard let outcomes else { return }
      let failure = await record(outcomes)
      state.withLock { state in
        for outcome in outcomes {
          if let failure, case .success = outcome.result {
            outcome.queued.completion(.failure(.status(failure)))
          } else {
            state.finish(outcome)
          }
        }
      }
    }
  }

  private func record(_ outcomes: [Outcome]) async -> StatusError? {
    let changes = outcomes.compactMap(\.change)
    guard let journal, !changes.isEmpty else { return nil }
    do throws(StatusError) {
      try await journal.record(changes, with: outcomes.flatMap { $0.events?.records ?? [] })
      return nil
    } catch {
      return error
    }
  }

  private func outcome(
    of queued: QueuedWrite,
    on root: Node?,
    _ state: borrowing State
  ) -> Outcome {
    do throws(DatabaseError) {
      if state.instances[queued.database] == nil, state.instances.count >= Self.mostDatabases {
        throw .status(Self.tooMany)
      }
      let effect = try effect(of: queued, on: root, state.rules(of: queued.database))
      let change = DatabaseChange(
        database: queued.database,
        old: effect.old,
        new: effect.new,
        write: queued.write,
        caller: queued.caller,
        traceparent: queued.cause.traceparent,
        function: queued.cause.function
      )
      let events = queued.cause.firesTriggers ? observer?.prepare(change) : nil
      return Outcome(queued: queued, result: .success(effect), change: change, events: events)
    } catch {
      return Outcome(queued: queued, result: .failure(error))
    }
  }

  fileprivate static var tooMany: StatusError {
    StatusError(
      .resourceExhausted,
      "there are \(mostDatabases) databases, and no more are possible"
    )
  }

  private func effect(
    of queued: QueuedWrite,
    on root: Node?,
    _ rules: DatabaseRules?
  ) throws(DatabaseError) -> WriteEffect {
    let values = ServerValues(now: now())
    let effect = try DatabaseError.wrapping { () throws(StatusError) in
      try WriteEffect(queued.write, on: root, values)
    }
    if case .client(let auth) = queued.caller, let rules {
      let request = DatabaseRequest(root: root, newRoot: effect.new, auth: auth, now: values.now)
      for assignment in queued.write.assignments {
        guard rules.allowsWrite(to: assignment.path.keys.map(\.string), request) else {
          throw .permissionDenied
        }
      }
    }
    if let hash = queued.hash {
      let node = root[queued.write.path]
      guard node.hash == hash else {
        // The client may not be allowed to read what it may write.
        guard may(read: queued.write.path, TreeQuery(), in: root, rules, as: queued.caller) else {
          throw .permissionDenied
        }
        throw .stale(node)
      }
    }
    return effect
  }
}

extension DatabaseStore.State {
  borrowing func rules(of database: ByteKey) -> DatabaseRules? {
    instances[database]?.rules ?? rules[database]
  }

  mutating func create(_ database: ByteKey) throws(StatusError) {
    guard instances[database] == nil else { return }
    guard instances.count < DatabaseStore.mostDatabases else { throw DatabaseStore.tooMany }
    instances[database] = DatabaseStore.Instance()
  }

  mutating func removeIfUnused(_ database: ByteKey) {
    guard let instance = instances[database], instance.root == nil, instance.rules == nil,
      instance.listeners.count == 0
    else { return }
    instances[database] = nil
  }

  /// Makes a write's effect visible, tells the listeners, then the writer.
  mutating func finish(_ outcome: DatabaseStore.Outcome) {
    let queued = outcome.queued
    if case .success(let effect) = outcome.result {
      instances[queued.database, default: DatabaseStore.Instance()].root = effect.new
      instances[queued.database]?.listeners.notify(effect)
      removeIfUnused(queued.database)
      outcome.events?.publish()
    }
    queued.completion(outcome.result.map { $0.new[$0.write.path] })
  }
}
