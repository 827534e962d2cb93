import Core
import FirestoreProtos
import HTTPService
import SwiftProtobuf
import WebChannel

/// Firestore's streams over WebChannel, for clients in browsers.
struct FirestoreWebChannel: Sendable {
  private let service: FirestoreService
  private let server = WebChannelServer()

  init(_ service: FirestoreService) { self.service = service }

  /// Returns whether a request is for a channel.
  static func owns(_ request: ServiceRequest) -> Bool {
    request.path.first == "google.firestore.v1.Firestore" && request.path.last == "channel"
  }

  func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    switch request.path.count == 3 ? request.path[1] : "" {
    case "Listen": return try await server.respond(to: request) { stream($0, listen) }
    case "Write": return try await server.respond(to: request) { stream($0, write) }
    default:
      throw StatusError(.notFound, "there are only channels for Listen and Write")
    }
  }

  /// Returns a stream that runs with the context of its headers.
  private func stream(
    _ header: (String) -> String?,
    _ run: @escaping @Sendable (ChannelSession, RequestContext) async throws(StatusError) -> Void
  ) -> WebChannelServer.Stream {
    let context: Result<RequestContext, StatusError>
    do throws(StatusError) {
      context = .success(try service.context(header: header))
    } catch {
      context = .failure(error)
    }
    return { session throws(StatusError) in try await run(session, context.get()) }
  }

  private func listen(
    _ session: ChannelSession,
    _ context: RequestContext
  ) async throws(StatusError) {
    let requests = ChannelRequests<ProtoListenRequest>(inbox: session.inbox)
    try await service.listen(requests, context) { portions throws(StatusError) in
      var messages: [ChannelMessage] = []
      for portion in portions { messages += try portion.json() }
      try await session.send(messages)
    }
  }

  private func write(
    _ session: ChannelSession,
    _ context: RequestContext
  ) async throws(StatusError) {
    var writes = WriteSession(service, context)
    for try await request in ChannelRequests<ProtoWriteRequest>(inbox: session.inbox) {
      let response = try await writes.respond(to: request)
      try await session.send([ChannelMessage(json: try response.json)])
    }
  }
}

/// The requests that a channel's client sends.
private struct ChannelRequests<Request: Message & Sendable>: AsyncSequence, Sendable {
  typealias Element = Request
  typealias Failure = StatusError

  let inbox: Inbox

  struct Iterator: AsyncIteratorProtocol {
    var messages: Inbox.Iterator

    mutating func next() async throws(StatusError) -> Request? {
      try await next(isolation: nil)
    }

    mutating func next(isolation: isolated (any Actor)?) async throws(StatusError) -> Request? {
      guard let message = await messages.next() else { return nil }
      return try Request(body: message)
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(messages: inbox.makeAsyncIterator()) }
}
