package import Core
import NIOCore
package import SwiftProtobuf

/// What a service offers: it finds methods by path.
package protocol RPCService: Sendable {
  /// - Parameter path: such as `/google.firestore.v1.Firestore/Commit`.
  /// - Returns: nil for a method there isn't; the client is told UNIMPLEMENTED.
  func method(_ path: String) -> RPCMethod?
}

/// What a unary method says to a request.
package enum RPCResponse<Response: Sendable>: Sendable {
  case done(Response)
  /// It has to wait for something, in a task of its own.
  case pending(@Sendable () async throws(StatusError) -> Response)
}

/// One method of a service, without its types.
package struct RPCMethod: Sendable {
  enum Kind: Sendable {
    case refusing(StatusError)
    case unary(Unary)
    case serverStreaming(ServerStreaming)
    case bidirectional(Bidirectional)
  }

  typealias Unary =
    @Sendable (ByteBuffer, RPCContext) throws(StatusError) -> RPCResponse<ByteBuffer>
  typealias ServerStreaming =
    @Sendable (ByteBuffer, RPCContext, RPCOutput) async throws(StatusError) -> Void
  typealias Bidirectional =
    @Sendable (RPCInput, RPCContext, RPCOutput) async throws(StatusError) -> Void

  let kind: Kind

  /// A method that is known and not to be had, whatever kind of stream it is.
  package static func refusing(_ error: StatusError) -> RPCMethod {
    RPCMethod(kind: .refusing(error))
  }

  /// One message in, one out.
  ///
  /// - Parameter handler: runs on the connection's event loop and must not block it. Nearly all
  ///   calls answer at once, so that no task is made for them.
  package static func unary<Request: Message & Sendable, Response: Message & Sendable>(
    _ handler:
      @escaping @Sendable (Request, RPCContext) throws(StatusError) -> RPCResponse<Response>
  ) -> RPCMethod {
    RPCMethod(
      kind: .unary { (payload, context) throws(StatusError) in
        let request = try Request(payload: payload)
        switch try handler(request, context) {
        case .done(let response): return .done(try response.framed())
        case .pending(let wait):
          return .pending { () throws(StatusError) in try await wait().framed() }
        }
      }
    )
  }

  /// One message in, any number out.
  ///
  /// - Parameter handler: runs in a task, which is cancelled when nobody waits for it any more.
  package static func serverStreaming<Request: Message & Sendable, Response: Message & Sendable>(
    _ handler:
      @escaping @Sendable (Request, RPCContext, RPCWriter<Response>) async throws(StatusError) ->
      Void
  ) -> RPCMethod {
    RPCMethod(
      kind: .serverStreaming { (payload, context, output) throws(StatusError) in
        try await handler(Request(payload: payload), context, RPCWriter(output))
      }
    )
  }

  /// Any number of messages in, any number out.
  ///
  /// - Parameter handler: runs in a task from the call's begin, which is cancelled when nobody
  ///   waits for it any more.
  package static func bidirectional<Request: Message & Sendable, Response: Message & Sendable>(
    _ handler:
      @escaping @Sendable (RPCMessages<Request>, RPCContext, RPCWriter<Response>)
      async throws(StatusError) -> Void
  ) -> RPCMethod {
    RPCMethod(
      kind: .bidirectional { (input, context, output) throws(StatusError) in
        try await handler(RPCMessages(input), context, RPCWriter(output))
      }
    )
  }
}
