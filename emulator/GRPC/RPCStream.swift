import NIOCore
import NIOHTTP2

/// One call, as its connection sees it.
final class RPCStream {
  let id: HTTP2StreamID
  let kind: RPCMethod.Kind?
  var context: RPCContext
  var reader: MessageReader
  /// Whether answers may be compressed: the client does so too.
  var gzipsAnswers = false

  /// A unary call's request, once it is there.
  var request: ByteBuffer?
  var input: RPCInput?
  var output: RPCOutput?
  var task: Task<Void, Never>?
  var timer: Scheduled<Void>?

  /// The client has said its last.
  var isHalfClosed = false
  var hasSentHeaders = false
  /// We have said our last.
  var isEnded = false

  /// Bytes that count against what the connection may hold.
  var heldBytes = 0
  /// Bytes that came, and that were given back to the client's window.
  var receivedBytes = 0
  var grantedBytes = 0
  /// Bytes of messages in `input` that no handler has read.
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

  /// A unary or server-streaming call whose request isn't whole.
  var isAwaitingRequest: Bool { input == nil && task == nil && !isHalfClosed }
}
