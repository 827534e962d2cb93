import NIOCore
import NIOHTTP2

/// A call on its connection.
final class RPCStream {
  let id: HTTP2StreamID
  let kind: RPCMethod.Kind?
  var context: RPCContext
  var reader: MessageReader
  /// A Boolean value that indicates whether answers are compressed, because the client compresses
  /// too.
  var gzipsResponses = false

  /// The request of a unary call, once it is complete.
  var request: ByteBuffer?
  var input: RPCInput?
  var output: RPCOutput?
  var task: Task<Void, Never>?
  var timer: Scheduled<Void>?

  /// A Boolean value that indicates whether the client has ended its side of the stream.
  var isHalfClosed = false
  var hasSentHeaders = false
  /// A Boolean value that indicates whether the server has ended its side of the stream.
  var isEnded = false

  /// The bytes that count against the connection's limit.
  var heldBytes = 0
  /// The bytes that were received, and the bytes that were given back to the client's window.
  var receivedBytes = 0
  var grantedBytes = 0
  /// The bytes of messages in `input` that no handler has read.
  var unreadBytes = 0

  init(
    id: HTTP2StreamID,
    kind: RPCMethod.Kind?,
    context: RPCContext,
    reader: MessageReader
  ) {
    self.id = id
    self.kind = kind
    self.context = context
    self.reader = reader
  }

  /// A Boolean value that indicates whether a unary or server-streaming call lacks its full
  /// request.
  var isAwaitingRequest: Bool { input == nil && task == nil && !isHalfClosed }
}
