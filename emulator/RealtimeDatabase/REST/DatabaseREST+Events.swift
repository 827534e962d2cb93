import Authentication
import Core
import HTTPService
import Synchronization

/// The events that wait for a client to read them.
private final class WaitingEvents: Sendable {
  /// The most bytes that wait for a client, besides the first event.
  private static let mostBytes = 16 << 20

  enum Event: Sendable {
    /// The first event, which is encoded later.
    case first(@Sendable () -> Data)
    case next(Data)
  }

  let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  private let byteCount = Mutex(0)

  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Adds the first event.
  func begin(_ name: String, _ data: @escaping @Sendable () -> Data) {
    continuation.yield(.first { Self.event(name, data()) })
  }

  /// Adds an event. If too much is unread, the stream ends, and the client connects again.
  func add(_ name: String, _ data: Data) {
    let event = Self.event(name, data)
    let isFull = byteCount.withLock { count in
      // An event of any size passes if nothing waits before it.
      defer { count += event.count }
      return count > 0 && count + event.count > Self.mostBytes
    }
    if isFull { end() } else { continuation.yield(.next(event)) }
  }

  private static func event(_ name: String, _ data: Data) -> Data {
    Data("event: \(name)\ndata: ".utf8) + data + Data("\n\n".utf8)
  }

  func sent(_ event: Data) { byteCount.withLock { $0 -= event.count } }

  /// Adds an event, and ends the stream.
  func end(with name: String, _ data: Data) {
    add(name, data)
    end()
  }

  /// Ends the stream after the events so far.
  func end() { continuation.finish() }
}

extension DatabaseREST {
  private static let keepAlive = Duration.seconds(30)
  private static let null = Data("null".utf8)

  /// Returns a response that tells of changes with server-sent events: `put` and `patch` with the
  /// path relative to the request's, `keep-alive`, `cancel` when the rules no longer allow it, and
  /// `auth_revoked` when the user's token has expired.
  func events(_ request: DataRequest) throws(DatabaseError) -> ServiceResponse {
    let (path, query) = try request.target
    // Denied requests get an error, not a stream.
    _ = try store.read(request.database, path, query, as: request.caller, needsIndex: true)
    let format = request.format
    let (store, database, caller) = (store, request.database, request.caller)
    let accounts = callers.accounts
    var response = ServiceResponse.stream(contentType: "text/event-stream; charset=utf-8") {
      writer in
      let events = WaitingEvents()
      let listener = TreeListener(
        path: path,
        query: query,
        caller: caller,
        onUpdate: { events.add($0.isMerge ? "patch" : "put", $0.event(below: path, format)) },
        onCancel: { _ in events.end(with: "cancel", Self.null) }
      )
      let expiry = accounts.onExpiry {
        // Firebase's SDK for Python gets a new token at these words.
        if caller.hasIDToken {
          events.end(with: "auth_revoked", Data("credential is no longer valid".utf8))
        }
      }
      defer { withExtendedLifetime(expiry) {} }
      try store.listen(database, listener) { root in
        events.begin("put") {
          TreeUpdate(path: path, root[path].result(of: query)).event(below: path, format)
        }
      }
      defer { store.remove(listener, from: database) }
      let pulse = Task {
        while (try? await Task.sleep(for: Self.keepAlive)) != nil {
          events.add("keep-alive", Self.null)
        }
      }
      defer { pulse.cancel() }
      for await event in events.stream {
        switch event {
        case .first(let encode): try await writer.write(encode())
        case .next(let data):
          try await writer.write(data)
          events.sent(data)
        }
        try await writer.flush()
      }
    }
    response.endsWithClient = true
    response.headers.append(("cache-control", "no-cache"))
    return response
  }
}

extension TreeUpdate {
  /// The data of an event about the change, `{"path":"/…","data":…}`.
  fileprivate func event(below path: TreePath, _ format: Node.Format) -> Data {
    let relative = self.path.relative(to: path)
    let name = (try? JSON.encode(JSONValue.string("/\(relative)"))) ?? Data()
    return Data(#"{"path":"#.utf8) + name + Data(#","data":"#.utf8) + json(format)
      + Data("}".utf8)
  }
}
