import Authentication
import Core
import HTTPService
import Synchronization

/// The events that wait for a client to read them.
private final class WaitingEvents: Sendable {
  /// The most bytes that wait for a client.
  private static let mostBytes = 16 << 20

  let stream: AsyncStream<Data>
  private let continuation: AsyncStream<Data>.Continuation
  private let byteCount = Mutex(0)

  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Adds an event. If too much is unread, the stream ends, and the client connects again.
  func add(_ name: String, _ data: Data) {
    let event = Data("event: \(name)\ndata: ".utf8) + data + Data("\n\n".utf8)
    let isFull = byteCount.withLock { count in
      count += event.count
      return count > Self.mostBytes
    }
    if isFull { end() } else { continuation.yield(event) }
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
      try store.listen(database, listener) { node in
        listener.onUpdate(TreeUpdate(path: path, node))
      }
      defer { store.remove(listener, from: database) }
      let pulse = Task {
        while (try? await Task.sleep(for: Self.keepAlive)) != nil {
          events.add("keep-alive", Self.null)
        }
      }
      defer { pulse.cancel() }
      for await event in events.stream {
        try await writer.write(event)
        try await writer.flush()
        events.sent(event)
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
