import NIOCore
import NIOHTTP2

/// The state of one call on a connection.
final class RPCStream {
  let id: HTTP2StreamID
  let kind: RPCMethod.Kind?
  var context: RPCContext
  var reader: MessageReader
  /// A Boolean value that indicates whether responses are compressed. They are if the client
  /// compresses its messages and accepts gzip.
  var gzipsResponses = false

  /// The complete request message of a unary or server-streaming call, until its handler runs.
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

  /// The number of bytes that count toward the connection's limit of unfinished requests.
  var heldBytes = 0
  /// The number of bytes received, and the number by which the client's window was extended.
  var receivedBytes = 0
  var grantedBytes = 0
  /// The number of bytes in `input` that the handler hasn't read.
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

  /// A Boolean value that indicates whether the request of a unary or server-streaming call is
  /// incomplete.
  var isAwaitingRequest: Bool { input == nil && task == nil && !isHalfClosed }
}
