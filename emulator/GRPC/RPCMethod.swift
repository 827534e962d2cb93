package import Core
import NIOCore
package import SwiftProtobuf

/// A gRPC service: a set of methods.
package protocol RPCService: Sendable {
  /// Returns a method by its path.
  ///
  /// - Parameter path: The path, such as `/google.firestore.v1.Firestore/Commit`.
  /// - Returns: The method, or `nil` if it doesn't exist. In this case the client gets
  ///   `UNIMPLEMENTED`.
  func method(_ path: String) -> RPCMethod?
}

/// A method of a service, with a handler that takes and returns encoded messages.
package struct RPCMethod: Sendable {
  enum Kind: Sendable {
    case refusing(StatusError)
    case unary(Unary)
    case serverStreaming(ServerStreaming)
    case bidirectional(Bidirectional)
  }

  typealias Unary =
    @Sendable (ByteBuffer, RPCContext) throws(StatusError) -> MaybePending<ByteBuffer>
  typealias ServerStreaming =
    @Sendable (ByteBuffer, RPCContext, RPCOutput) async throws(StatusError) -> Void
  typealias Bidirectional =
    @Sendable (RPCInput, RPCContext, RPCOutput) async throws(StatusError) -> Void

  let kind: Kind

  /// Returns a method that always fails with an error, for unary and streaming calls.
  package static func refusing(_ error: StatusError) -> RPCMethod {
    RPCMethod(kind: .refusing(error))
  }

  /// Returns a method with one request and one response.
  ///
  /// - Parameter handler: A closure that is called on the connection's event loop, and must not
  ///   block it. Nearly all calls return their response at once, so they don't need a task.
  package static func unary<Request: Message & Sendable, Response: Message & Sendable>(
    _ handler:
      @escaping @Sendable (Request, RPCContext) throws(StatusError) -> MaybePending<Response>
  ) -> RPCMethod {
    RPCMethod(
      kind: .unary { (payload, context) throws(StatusError) in
        let request = try Request(payload: payload)
        return try handler(request, context).map { response throws(StatusError) in
          try response.framed()
        }
      }
    )
  }

  /// Returns a method with one request and any number of responses.
  ///
  /// - Parameter handler: A closure that runs in a task. The task is cancelled when the call ends.
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

  /// Returns a method with any number of requests and responses.
  ///
  /// - Parameter handler: A closure that runs in a task from the beginning of the call. The task is
  ///   cancelled when the call ends.
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
