package import Core
package import HTTPService
import ServiceLifecycle

/// A server of WebChannel, version 8: the protocol in which Firebase's Web SDK sends and receives
/// the messages of a stream over HTTP/1.1.
///
/// | request | effect |
/// |---|---|
/// | `POST ?VER=8&RID=…` | opens a session |
/// | `POST ?VER=8&SID=…&RID=…&AID=…` | sends messages |
/// | `GET ?VER=8&SID=…&RID=rpc&AID=…&CI=…` | opens the back channel, on which the session sends |
/// | `?VER=8&SID=…&TYPE=terminate` | ends the session |
///
/// `AID` is the number of the last array that the client has received. With `CI=1` the response
/// ends after its first arrays, because a proxy may hold responses back. `TO` is the time in
/// milliseconds after which such a response ends at the latest.
package struct WebChannelServer: Sendable {
  /// A stream of a session.
  package typealias Stream = @Sendable (ChannelSession) async throws(StatusError) -> Void

  /// The version of the protocol.
  private static let version = "8"
  /// The server's version, which clients don't use.
  private static let serverVersion = 12
  /// The time without arrays after which a noop is sent. Clients reconnect after 1.5 times as long.
  private static let keepAlive = Duration.seconds(30)

  private let sessions = ChannelSessions()

  package init() {}

  /// Responds to a request.
  ///
  /// - Parameter open: A closure that returns the stream of a new session. It gets a closure that
  ///   returns a header of the stream, which may be in the body, the query, or a header of the
  ///   request.
  /// - Throws: `INVALID_ARGUMENT` for a malformed request, or an unknown session.
  ///   `RESOURCE_EXHAUSTED` for too many sessions or messages.
  package func respond(
    to request: ServiceRequest,
    open: (_ header: (String) -> String?) -> Stream
  ) async throws(StatusError) -> ServiceResponse {
    let route = request.path.joined(separator: "/")
    guard let id = request[query: "SID"] else {
      return try await self.open(route, request, open)
    }
    let session = try sessions.session(id, route: route)
    switch (request.method, request[query: "TYPE"]) {
    case (_, "terminate"):
      sessions.close(session)
      return .channel(Data())
    case ("GET", _): return try read(session, request)
    case ("POST", _): return try await write(session, request)
    default: throw StatusError(.invalidArgument, "the method must be GET or POST")
    }
  }

  private func open(
    _ route: String,
    _ request: ServiceRequest,
    _ open: (_ header: (String) -> String?) -> Stream
  ) async throws(StatusError) -> ServiceResponse {
    guard request.method == "POST" else {
      throw StatusError(.invalidArgument, "SID is missing; a POST request opens a session")
    }
    guard request[query: "VER"] == Self.version else {
      throw StatusError(
        .invalidArgument,
        "VER must be \(Self.version), the only version of WebChannel that is supported"
      )
    }
    _ = try request.integer("RID", default: nil)
    let form = try ChannelForm(request.body)
    let query = ChannelForm.headers(request[query: "$httpHeaders"] ?? "")
    let session = try sessions.open(route: route)
    session.run(open { form.headers[$0] ?? query[$0] ?? request.headers[$0] })
    do throws(StatusError) {
      try await session.inbox.add(form.messages, from: form.number)
    } catch {
      sessions.close(session)
      throw error
    }
    let milliseconds = Int(Self.keepAlive / .milliseconds(1))
    let greeting =
      "[[0,[\"c\",\"\(session.id)\",\"\",\(Self.version),\(Self.serverVersion),\(milliseconds)]]]"
    return .channel(Data(frameOf: greeting))
  }

  private func write(
    _ session: ChannelSession,
    _ request: ServiceRequest
  ) async throws(StatusError) -> ServiceResponse {
    _ = try request.integer("RID", default: nil)
    let form = try ChannelForm(request.body)
    let received = try request.lastReceived
    // A request with a wrong number is refused before its messages count.
    _ = try session.acknowledge(received)
    try await session.inbox.add(form.messages, from: form.number)
    // The session may have ended while the request waited, and its messages with it.
    _ = try sessions.session(session.id, route: session.route)
    let receipt = try session.acknowledge(received)
    return .channel(
      Data(frameOf: "[\(receipt.isRead ? 1 : 0),\(receipt.lastID),\(receipt.byteCount)]")
    )
  }

  private func read(
    _ session: ChannelSession,
    _ request: ServiceRequest
  ) throws(StatusError) -> ServiceResponse {
    let isStreamed = request[query: "CI"] != "1"
    guard request[query: "RID"] == "rpc" else {
      throw StatusError(.invalidArgument, "RID of a back channel must be rpc")
    }
    let received = try request.lastReceived
    let wait = Duration.milliseconds(
      try request.integer("TO", default: Int(Self.keepAlive / .milliseconds(1)))
    )
    let number = try session.openBackChannel(
      after: received,
      patience: min(wait, Self.keepAlive),
      isStreamed: isStreamed
    )
    return .channel(Data()) { writer in
      defer { session.closeBackChannel(number) }
      try await withGracefulShutdownHandler {
        var last = received
        while let arrays = await session.arrays(after: last, for: number) {
          try await writer.write(Data(framesOf: arrays))
          try await writer.flush()
          last = arrays.last?.id ?? last
          if !isStreamed || session.isFull || arrays.last?.isClose == true { return }
        }
      } onGracefulShutdown: {
        // After this error clients reconnect in a second; after a broken connection they wait longer.
        session.finish(StatusError(.unavailable, "the server ends"))
      }
    }
  }
}

extension ChannelArray {
  fileprivate var isClose: Bool { if case .close = content { true } else { false } }
}

extension ServiceRequest {
  /// The number of the last array that the client has received.
  fileprivate var lastReceived: Int {
    // Some clients send -1 for none.
    get throws(StatusError) {
      self[query: "AID"] == "-1" ? 0 : try integer("AID", default: nil)
    }
  }

  /// Returns a number in the query.
  ///
  /// - Parameter standard: The number if the field is missing, or `nil` if it must not be.
  /// - Throws: `INVALID_ARGUMENT` if there is no number from 0 to 2⁵³.
  fileprivate func integer(_ name: String, default standard: Int?) throws(StatusError) -> Int {
    let text = self[query: name]
    if text == nil, let standard { return standard }
    guard let number = text.flatMap({ Int($0) }), (0...(1 << 53)).contains(number) else {
      throw StatusError(.invalidArgument, "\(name) is not a number")
    }
    return number
  }
}

extension ServiceResponse {
  /// Returns a response of a channel.
  ///
  /// - Parameter stream: A closure that writes the body, or `nil` if the body is complete.
  fileprivate static func channel(_ body: Data, stream: Stream? = nil) -> ServiceResponse {
    var response = ServiceResponse(
      headers: [
        ("content-type", "text/plain; charset=utf-8"),
        ("cache-control", "private, max-age=0"),
        ("x-content-type-options", "nosniff"),
        (
          "access-control-expose-headers",
          "x-client-wire-protocol, x-http-session-id, x-http-initial-response"
        ),
      ],
      body: body
    )
    response.stream = stream
    response.endsWithClient = true
    return response
  }
}
