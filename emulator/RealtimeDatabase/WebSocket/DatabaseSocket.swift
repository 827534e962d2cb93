import Core
import HTTPServer
import NIOCore

/// One client's connection: its user, its listeners, and what happens when it ends.
///
/// Requests take effect in the order in which they arrive. Writes may wait for the journal; other
/// requests wait until the writes before them have taken effect.
final class DatabaseSocket: WebSocketHandler {
  /// A listener of the connection: its path and query.
  private struct ListenKey: Hashable {
    var path: TreePath
    var query: TreeQuery
  }

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
  private let host: String
  private let session: String

  private var assembly = MessageAssembly()
  private var caller = DatabaseCaller.client(.null)
  private var listeners: [ListenKey: TreeListener] = [:]
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
    host: String,
    session: String
  ) {
    self.connection = connection
    self.store = store
    self.database = database
    self.callers = callers
    self.host = host
    self.session = session
  }

  func opened() {
    send(ServerMessage.hello(time: store.time, host: host, session: session))
  }

  /// Ends the listeners, then writes what the client has left for this moment, as its user.
  func closed() {
    isOpen = false
    waiting = []
    for listener in listeners.values { store.remove(listener, from: database) }
    listeners = [:]
    for write in actions.writes { store.write(write, in: database, as: caller) { _ in } }
    actions = DisconnectActions()
  }

  private func send(_ message: [UInt8]) { connection.send(MessageFrames.frames(of: message)) }

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
        if data["t"] == .string("p") { send(ServerMessage.pong) }
      } else {
        throw Self.malformed
      }
    } catch {
      isOpen = false
      send(ServerMessage.error(error.message))
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
      do throws(StatusError) {
        try perform(message)
      } catch {
        throw .status(error)
      }
    } catch {
      send(ServerMessage.answer(to: message.number, error))
    }
  }

  private func succeed(_ message: Message, _ data: JSONValue = .string("")) {
    send(ServerMessage.answer(to: message.number, "ok", data))
  }

  private func perform(_ message: Message) throws(StatusError) {
    switch message.action {
    case .stats: succeed(message, .object([:]))
    case .auth, .gauth: authenticate(message)
    case .unauth:
      setCaller(.client(.null))
      succeed(message)
    case .listen: try listen(message)
    case .unlisten:
      let key = ListenKey(path: try TreePath(message.path), query: try message.query)
      if let listener = listeners.removeValue(forKey: key) {
        store.remove(listener, from: database)
      }
      succeed(message)
    case .get: try get(message)
    case .put: try write(message, TreeWrite(setting: message.path, to: message.data))
    case .merge: try write(message, message.merge)
    case .onDisconnectPut:
      try onDisconnect(message, TreeWrite(setting: message.path, to: message.data))
    case .onDisconnectMerge: try onDisconnect(message, message.merge)
    case .onDisconnectCancel:
      actions.cancel(try TreePath(message.path))
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
      send(ServerMessage.answer(to: message.number, status, .string(error.message)))
    }
  }

  /// Sets the user, and ends the listeners that the new user may not have.
  private func setCaller(_ caller: DatabaseCaller) {
    self.caller = caller
    store.setCaller(caller, of: Array(listeners.values), in: database)
  }

  // MARK: Reading

  private func get(_ message: Message) throws(StatusError) {
    do throws(DatabaseError) {
      let path: TreePath
      let query: TreeQuery
      do throws(StatusError) {
        path = try TreePath(message.path)
        query = try message.query
      } catch {
        throw .status(error)
      }
      let node = try store.read(database, path, query, as: caller)
      succeed(message, node.json(.export))
    } catch {
      send(ServerMessage.answer(to: message.number, error))
    }
  }

  private func listen(_ message: Message) throws(StatusError) {
    let path = try TreePath(message.path)
    let query = try message.query
    let key = ListenKey(path: path, query: query)
    let tag: Int64? = if case .integer(let tag)? = message.body["t"] { tag } else { nil }
    if let old = listeners.removeValue(forKey: key) { store.remove(old, from: database) }
    guard listeners.count < Self.mostListeners else {
      throw StatusError(
        .resourceExhausted,
        "a connection can have \(Self.mostListeners) listeners, and no more"
      )
    }
    let listener = makeListener(key, tag, message.body["q"])
    let hash = message.body["h"]?.string ?? ""
    do throws(DatabaseError) {
      try store.listen(database, listener) { node in
        // A client with the same data needs none; an empty hash means that it has no data.
        guard hash.isEmpty || node.hash != hash else { return }
        listener.onUpdate(TreeUpdate(path: path, node))
      }
    } catch {
      return send(ServerMessage.answer(to: message.number, error))
    }
    listeners[key] = listener
    let hasIndex = store.hasIndex(database, path, query)
    succeed(message, hasIndex ? .object([:]) : .object(["w": .array([.string("no_index")])]))
  }

  private func makeListener(_ key: ListenKey, _ tag: Int64?, _ query: JSONValue?) -> TreeListener {
    let connection = connection
    let socket = SocketReference(self, connection)
    return TreeListener(
      path: key.path,
      query: key.query,
      caller: caller,
      onUpdate: { update in
        guard let tag else { return connection.send(update.untaggedFrames) }
        connection.send(MessageFrames.frames(of: ServerMessage.update(update, tag: tag)))
      },
      onCancel: {
        connection.send(ByteBuffer(bytes: ServerMessage.cancel(key.path, query: query)))
        socket.perform { $0.listeners[key] = nil }
      }
    )
  }

  // MARK: Writing

  private func write(_ message: Message, _ write: TreeWrite) throws(StatusError) {
    unfinished += 1
    let condition = message.body["h"]?.string.map { TreeWrite.Condition.hash($0) }
    let connection = connection
    let number = message.number
    let socket = SocketReference(self, connection)
    store.write(write, in: database, if: condition, as: caller) { result in
      switch result {
      case .success:
        connection.send(ByteBuffer(bytes: ServerMessage.answer(to: number, "ok", .string(""))))
      case .failure(let error):
        if case .stale(let node) = error {
          let update = TreeUpdate(path: write.path, node)
          connection.send(update.untaggedFrames)
        }
        connection.send(ByteBuffer(bytes: ServerMessage.answer(to: number, error)))
      }
      socket.perform { socket in
        socket.unfinished -= 1
        socket.work()
      }
    }
  }

  private func onDisconnect(_ message: Message, _ write: TreeWrite) throws(StatusError) {
    do throws(DatabaseError) {
      try store.check(write, in: database, as: caller)
    } catch {
      return send(ServerMessage.answer(to: message.number, error))
    }
    try actions.add(write)
    succeed(message)
  }
}

/// A reference to a connection's handler for closures that may run on other threads.
private struct SocketReference: Sendable {
  private let connection: WebSocketConnection
  private nonisolated(unsafe) weak var socket: DatabaseSocket?

  init(_ socket: DatabaseSocket, _ connection: WebSocketConnection) {
    self.socket = socket
    self.connection = connection
  }

  /// Runs work on the connection's event loop, later.
  func perform(_ work: @escaping @Sendable (DatabaseSocket) -> Void) {
    connection.execute { if let socket { work(socket) } }
  }
}

extension DatabaseMessage {
  fileprivate var query: TreeQuery {
    get throws(StatusError) { try TreeQuery(message: body["q"]) }
  }

  fileprivate var merge: TreeWrite {
    get throws(StatusError) {
      guard let members = data.object else {
        throw StatusError(.invalidArgument, "the data of an update isn't an object")
      }
      return try TreeWrite(merging: members, into: path)
    }
  }
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
