import FirestoreModel

/// The watches of a store. For a commit's changes, it finds the watches that they affect.
///
/// A commit that affects no watch costs one or two dictionary lookups.
struct WatchRegistry {
  private var databases: [DatabaseName: WatchIndex] = [:]
  /// The watches of each listener, by the listener's numbers for the targets.
  private var subscriptions: [ObjectIdentifier: [Int32: Watch]] = [:]
  private var lastNumber = 0

  /// A Boolean value that indicates whether there are no subscriptions.
  var isEmpty: Bool { databases.isEmpty && subscriptions.isEmpty }

  // MARK: Subscriptions

  /// Returns the watch of a target, or a new unregistered one.
  ///
  /// - Parameter answer: A closure that computes the result of a new watch.
  mutating func watch(_ target: WatchTarget, answer: () -> Watch.ResultSet) -> Watch {
    if let watch = databases[target.database]?.byTarget[target] { return watch }
    lastNumber += 1
    return Watch(target, number: lastNumber, answer: answer())
  }

  /// Subscribes a listener to a watch, under the listener's number for the target. It replaces an
  /// earlier subscription under the same number.
  mutating func subscribe(_ listener: Listener, _ target: Int32, to watch: Watch) {
    unsubscribe(listener, target)
    let database = watch.target.database
    if databases[database]?.byTarget[watch.target] == nil {
      databases[database, default: WatchIndex()].byTarget[watch.target] = watch
      databases[database]?.update(watch) { $0.append(watch) }
    }
    let id = ObjectIdentifier(listener)
    watch.subscribers[.init(listener: id, target: target)] = listener
    subscriptions[id, default: [:]][target] = watch
  }

  /// Adds the check that a subscription has passed and must go on passing.
  mutating func add(
    _ check: @escaping WatchCheck,
    of listener: Listener,
    _ target: Int32,
    in database: DatabaseName,
    dependingOn documents: Set<ResourcePath>
  ) {
    let subscriber = Watch.Subscriber(listener: ObjectIdentifier(listener), target: target)
    databases[database]?.checks.add(check, of: subscriber, listener, dependingOn: documents)
  }

  /// Returns whether the listener's subscription under a target number is to the given watch.
  func isSubscribed(_ listener: Listener, _ target: Int32, to watch: Int) -> Bool {
    subscriptions[ObjectIdentifier(listener)]?[target]?.number == watch
  }

  mutating func unsubscribe(_ listener: Listener, _ target: Int32) {
    let id = ObjectIdentifier(listener)
    guard let watch = subscriptions[id]?.removeValue(forKey: target) else { return }
    if subscriptions[id]?.isEmpty == true { subscriptions[id] = nil }
    let subscriber = Watch.Subscriber(listener: id, target: target)
    watch.subscribers[subscriber] = nil
    let database = watch.target.database
    databases[database]?.checks.remove(subscriber)
    guard watch.subscribers.isEmpty else { return }
    databases[database]?.update(watch) { $0.removeAll { $0 === watch } }
    databases[database]?.byTarget[watch.target] = nil
    if databases[database]?.byTarget.isEmpty == true { databases[database] = nil }
  }

  mutating func unsubscribe(_ listener: Listener) {
    for target in subscriptions[ObjectIdentifier(listener)]?.keys.map({ $0 }) ?? [] {
      unsubscribe(listener, target)
    }
  }

  // MARK: Checks

  /// Makes all checks of some databases again.
  ///
  /// - Parameter state: A closure that returns the current state of a database, or `nil` if its
  ///   checks needn't be made.
  mutating func repeatAllChecks(_ state: (DatabaseName) -> DatabaseState?) {
    for name in Array(databases.keys) {
      guard let subscribers = databases[name]?.checks.subscribers, !subscribers.isEmpty,
        let state = state(name)
      else { continue }
      repeatChecks(of: subscribers, named: name, in: state)
    }
  }

  /// Makes checks again, and unsubscribes the listeners that don't pass them.
  private mutating func repeatChecks(
    of subscribers: Set<Watch.Subscriber>,
    named name: DatabaseName,
    in state: DatabaseState
  ) {
    guard !subscribers.isEmpty else { return }
    let failures = databases[name]?.checks.repeatChecks(of: subscribers, in: state) ?? []
    var readers: [Listener.Reader] = []
    for failure in failures {
      unsubscribe(failure.listener, failure.target)
      let item = Listener.Item.revoked(failure.target, failure.error)
      if let reader = failure.listener.append(item).reader { readers.append(reader) }
    }
    resume(readers)
  }

  // MARK: Publishing

  /// Sends a commit's effects to the listeners of all watches that it affects.
  ///
  /// Call it after the changes are applied to the database, and before any other change is
  /// published. Listeners that the changes deprive of a target don't get the changes.
  mutating func publish(
    _ changes: [StagedChange],
    at time: Timestamp,
    to database: Database,
    named name: DatabaseName
  ) {
    let dependents = databases[name]?.checks.dependents(of: changes) ?? []
    repeatChecks(
      of: dependents,
      named: name,
      in: DatabaseState(of: database, at: time, now: time)
    )
    guard let index = databases[name] else { return }
    var concerned: [Int: (watch: Watch, changes: [StagedChange])] = [:]
    for change in changes {
      for watch in index.watches(for: change) {
        concerned[watch.number, default: (watch, [])].changes.append(change)
      }
    }
    var news: [Int: [WatchChange]] = [:]
    for (number, (watch, changes)) in concerned {
      let effects = watch.apply(changes, at: time.microseconds, in: database)
      if !effects.isEmpty { news[number] = effects }
    }
    guard !news.isEmpty else { return }
    // Count each document once, even if several watches report it. This includes unchanged
    // documents that moved into a window.
    var weights: [DocumentName: Int] = [:]
    for change in news.values.joined() {
      if let name = change.document?.name, weights[name] == nil { weights[name] = change.weight }
    }
    tell(
      WatchEvent(at: time, .changes(news)),
      weight: weights.values.reduce(0, +),
      to: news.keys.compactMap { concerned[$0]?.watch }
    )
  }

  /// Notifies all listeners of a database that it was cleared.
  ///
  /// - Parameter database: The database after it was cleared.
  mutating func publishClearing(
    of name: DatabaseName,
    at time: Timestamp,
    _ database: Database
  ) {
    repeatChecks(
      of: databases[name]?.checks.subscribers ?? [],
      named: name,
      in: DatabaseState(of: database, at: time, now: time)
    )
    guard let watches = databases[name]?.byTarget.values else { return }
    for watch in watches { watch.clear() }
    tell(WatchEvent(at: time, .clearing), weight: 0, to: Array(watches))
  }

  /// Sends an event to the listeners of watches.
  ///
  /// - Parameter weight: The total size of the documents in the event, which stay in memory as long
  ///   as the event is queued.
  private mutating func tell(_ event: WatchEvent, weight: Int, to watches: [Watch]) {
    var readers: [Listener.Reader] = []
    var cut: [Listener] = []
    for watch in watches {
      for listener in watch.subscribers.values {
        let (reader, isListening) = listener.append(.event(event), weight: weight)
        if let reader { readers.append(reader) }
        if !isListening { cut.append(listener) }
      }
    }
    for listener in cut { unsubscribe(listener) }
    resume(readers)
  }

  private func resume(_ readers: [Listener.Reader]) {
    guard !readers.isEmpty else { return }
    // Resuming a thousand readers takes a while, so do it in the background.
    Task { for reader in readers { reader.resume() } }
  }
}
