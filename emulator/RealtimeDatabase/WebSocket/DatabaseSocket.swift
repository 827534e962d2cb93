import Authentication
import Core
import HTTPServer
import NIOCore

/// One client's connection: its user, its listeners, and what happens when it ends.
///
/// Requests take effect in the order in which they arrive. Writes may wait for the journal; other
/// requests wait until the writes before them have taken effect.
final class DatabaseSocket: WebSocketHandler {
  private typealias Message = DatabaseMessage

  /// The most writes without an answer. Further requests wait.
  private static let mostUnfinished = 256
  /// The most requests that wait. Beyond it, the connection isn't read.
  private static let mostWaiting = 256
  /// The most listeners of a connection.
  private static let mostListeners = 10_000

  private let connection: WebSocketConnection
  private let store: DatabaseStore
  private let database: ByteKey
  private let callers: CallerReading
  /// The cause of the connection's writes.
  private let cause: DatabaseStore.WriteCause
  private let host: String
  private let session: String

  private var assembly = MessageAssembly()
  private var caller = DatabaseCaller.client(.null)
  private var expiry: ExpiryObservation?
  private var listeners: [DatabaseMessage.Target: TreeListener] = [:]
  private var actions = DisconnectActions()
  private var waiting = [Message]()[...]
  private var unfinished = 0
  private var isOpen = true
  private var isReading = true

  init(
    _ connection: WebSocketConnection,
    store: DatabaseStore,
    database: ByteKey,
    callers: CallerReading,
    function: String?,
    host: String,
    session: String
  ) {
    self.connection = connection
    self.store = store
    self.database = database
    self.callers = callers
    cause = DatabaseStore.WriteCause(function: function)
    self.host = host
    self.session = session
  }

  func opened() {
    connection.send(ServerMessage.hello(time: store.time, host: host, session: session))
    let eventLoop = connection.eventLoop
    let socket = NIOLoopBound(self, eventLoop: eventLoop)
    expiry = callers.accounts.onExpiry { eventLoop.execute { socket.value.expire() } }
  }

  /// Ends the listeners, then writes what the client has left for this moment. Each write is the
  /// user's who left it, even if that user has signed out or the token has expired.
  func closed() {
    isOpen = false
    expiry = nil
    waiting = []
    for listener in listeners.values { store.remove(listener, from: database) }
    listeners = [:]
    for action in actions.all {
      store.write(action.write, in: database, as: action.caller, cause: cause) { _ in }
    }
    actions = DisconnectActions()
  }

  // MARK: Receiving

  func received(_ frame: ByteBuffer) {
    guard isOpen else { return }
    do throws(StatusError) {
      guard case .message(let text) = try assembly.add(frame) else { return }
      let json = try JSON.parse(text, what: "the message")
      guard let data = json["d"] else { throw Self.malformed }
      if json["t"] == .string("d") {
        waiting.append(try DatabaseMessage(data))
        work()
      } else if json["t"] == .string("c") {
        if data["t"] == .string("p") { connection.send(ServerMessage.pong) }
      } else {
        throw Self.malformed
      }
    } catch {
      isOpen = false
      connection.send(ServerMessage.error(error.message))
      connection.close()
    }
  }

  private static var malformed: StatusError {
    StatusError(.invalidArgument, "a message needs the members t and d")
  }

  /// Carries out waiting requests as far as possible.
  private func work() {
    while isOpen, let message = waiting.first, unfinished < Self.mostUnfinished,
      message.action.isWrite || unfinished == 0
    {
      waiting.removeFirst()
      handle(message)
    }
    let reads = waiting.count < Self.mostWaiting
    guard isOpen, reads != isReading else { return }
    isReading = reads
    connection.setReading(reads)
  }

  private func handle(_ message: Message) {
    do throws(DatabaseError) {
      try perform(message)
    } catch {
      connection.send(ServerMessage.answer(to: message.number, error))
    }
  }

  private func succeed(_ message: Message, _ data: JSONValue = .string("")) {
    connection.send(ServerMessage.answer(to: message.number, "ok", data))
  }

  private func perform(_ message: Message) throws(DatabaseError) {
    switch message.action {
    case .stats: succeed(message, .object([:]))
    case .auth, .gauth: authenticate(message)
    case .unauth:
      setCaller(.client(.null))
      succeed(message)
    case .listen: try listen(message)
    case .unlisten:
      if let listener = listeners.removeValue(forKey: try message.target) {
        store.remove(listener, from: database)
      }
      succeed(message)
    case .get:
      let target = try message.target
      let node = try store.read(
        database,
        target.path,
        target.query,
        as: caller,
        needsIndex: true
      )
      succeed(message, node.json(.export))
    case .put, .merge: write(message, try message.write)
    case .onDisconnectPut, .onDisconnectMerge:
      let write = try message.write
      try store.check(write, in: database, as: caller)
      try DatabaseError.wrapping { () throws(StatusError) in try actions.add(write, by: caller) }
      succeed(message)
    case .onDisconnectCancel:
      actions.cancel(try message.target.path)
      succeed(message)
    }
  }

  // MARK: Users

  private func authenticate(_ message: Message) {
    do throws(StatusError) {
      guard let token = message.body["cred"]?.string else {
        throw StatusError(.unauthenticated, "cred is missing")
      }
      let isNobody = message.body["noauth"] == .boolean(true)
      let override = isNobody ? .null : message.body["authvar"]
      let caller = try callers.caller(token: token, override: override)
      setCaller(caller)
      if case .client(let auth) = caller {
        succeed(message, .object(["auth": auth]))
      } else {
        succeed(message, .object([:]))
      }
    } catch {
      let status = error.message.hasSuffix("expired") ? "expired_token" : "invalid_token"
      connection.send(ServerMessage.answer(to: message.number, status, .string(error.message)))
    }
  }

  /// Tells the client that its user's token has expired. Firebase's SDKs connect again with a new one.
  private func expire() {
    guard isOpen, caller.hasIDToken else { return }
    connection.send(ServerMessage.expired)
    setCaller(.client(.null))
  }

  /// Sets the user, and ends the listeners that the new user may not have.
  private func setCaller(_ caller: DatabaseCaller) {
    self.caller = caller
    store.setCaller(caller, of: Array(listeners.values), in: database)
  }

  // MARK: Reading

  private func listen(_ message: Message) throws(DatabaseError) {
    let target = try message.target
    let tag: Int64? = if case .integer(let tag)? = message.body["t"] { tag } else { nil }
    if let old = listeners.removeValue(forKey: target) { store.remove(old, from: database) }
    guard listeners.count < Self.mostListeners else {
      throw .status(
        StatusError(
          .resourceExhausted,
          "a connection can have \(Self.mostListeners) listeners, and no more"
        )
      )
    }
    let listener = makeListener(target, tag, message.body["q"])
    let hash = message.body["h"]?.string ?? ""
    let connection = connection
    try store.listen(database, listener) { root in
      connection.send {
        let node = root[target.path].result(of: target.query)
        // A client with the same data needs none; an empty hash means that it has no data.
        guard hash.isEmpty || node.hash != hash else { return [] }
        return TreeUpdate(path: target.path, node).frames(tag: tag)
      }
    }
    listeners[target] = listener
    let hasIndex = store.hasIndex(database, target.path, target.query)
    succeed(message, hasIndex ? .object([:]) : .object(["w": .array([.string("no_index")])]))
  }

  private func makeListener(
    _ target: DatabaseMessage.Target,
    _ tag: Int64?,
    _ query: JSONValue?
  ) -> TreeListener {
    let connection = connection
    let socket = NIOLoopBound(self, eventLoop: connection.eventLoop)
    return TreeListener(
      path: target.path,
      query: target.query,
      caller: caller,
      onUpdate: { update in connection.send { update.frames(tag: tag) } },
      onCancel: { listener in
        connection.send(ServerMessage.cancel(target.path, query: query))
        connection.eventLoop.execute {
          // Meanwhile the client may have begun to listen again.
          guard socket.value.listeners[target] === listener else { return }
          socket.value.listeners[target] = nil
        }
      }
    )
  }

  // MARK: Writing

  private func write(_ message: Message, _ write: TreeWrite) {
    unfinished += 1
    let connection = connection
    let number = message.number
    let socket = NIOLoopBound(self, eventLoop: connection.eventLoop)
    let hash = message.body["h"]?.string
    store.write(write, in: database, ifHash: hash, as: caller, cause: cause) { result in
      switch result {
      case .success: connection.send(ServerMessage.answer(to: number, "ok", .string("")))
      case .failure(let error):
        if case .stale(let node) = error {
          connection.send { TreeUpdate(path: write.path, node).frames(tag: nil) }
        }
        connection.send(ServerMessage.answer(to: number, error))
      }
      connection.eventLoop.execute {
        socket.value.unfinished -= 1
        socket.value.work()
      }
    }
  }
}

extension WebSocketConnection {
  /// Sends a message, in parts if it is long.
  fileprivate func send(_ message: [UInt8]) { send { MessageFrames.frames(of: message) } }
}

extension DatabaseMessage.Action {
  fileprivate var isWrite: Bool { self == .put || self == .merge }
}

extension ServerMessage {
  fileprivate static func answer(to number: Int64, _ error: DatabaseError) -> [UInt8] {
    switch error {
    case .permissionDenied: answer(to: number, "permission_denied", .string("Permission denied"))
    case .stale: answer(to: number, "datastale", .string("Transaction hash does not match"))
    case .status(let error): answer(to: number, "failed", .string(error.message))
    }
  }
}
