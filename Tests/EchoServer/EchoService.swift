import Core
import GRPC
import HTTPService
import SwiftProtobuf
import Synchronization

/// Simple gRPC methods for tests. Their messages are standard protobuf types, which every client has.
final class EchoService: RPCService {
  typealias Text = Google_Protobuf_StringValue
  typealias Bytes = Google_Protobuf_BytesValue
  typealias Number = Google_Protobuf_Int64Value

  private let cancelled = Mutex(0)
  private let messagesWritten = Mutex(0)
  private let (cancellations, onCancellation) = AsyncStream<Void>.makeStream()

  /// The number of messages that the method `Count` has written.
  var written: Int { messagesWritten.withLock(\.self) }

  /// Waits until another handler has been cancelled since the last call.
  func waitForCancelled() async {
    for await _ in cancellations { return }
  }

  private func noteCancelled() {
    cancelled.withLock { $0 += 1 }
    onCancellation.yield()
  }

  func method(_ path: String) -> RPCMethod? {
    guard path.hasPrefix("/test.Echo/") else { return nil }
    switch path.dropFirst(11) {
    case "Text":
      return .unary { (request: Text, _) in .done(request) }
    case "Bytes":
      return .unary { (request: Bytes, _) in .done(request) }
    case "Metadata":
      return .unary { (request: Text, context) in
        .done(Text.with { $0.value = context.metadata[request.value] ?? "-" })
      }
    case "Fail":
      return .unary { (request: Text, _) throws(StatusError) -> MaybePending<Text> in
        let parts = request.value.split(separator: " ", maxSplits: 1).map(String.init)
        throw StatusError(StatusCode(rawValue: parts[0]) ?? .unknown, parts.last ?? "")
      }
    case "Wait":
      return .unary { [self] (_: Text, _) -> MaybePending<Text> in
        .blocked { [self] () throws(StatusError) in
          await untilCancelled()
          throw StatusError(.cancelled, "nobody waits")
        }
      }
    case "Cancelled":
      return .unary { [self] (_: Text, _) in
        .done(Number.with { $0.value = Int64(cancelled.withLock(\.self)) })
      }
    case "Refused":
      return .refusing(StatusError(.unimplemented, "not built yet"))
    case "Count": return .serverStreaming(count)
    case "WaitStreaming":
      return .serverStreaming {
        [self] (request: Text, _, writer: RPCWriter<Text>) throws(StatusError) in
        // The write fails if the call has already been cancelled.
        try? await writer.write(request)
        await untilCancelled()
      }
    case "Chat":
      return .bidirectional {
        [self] (messages: RPCMessages<Text>, _, writer: RPCWriter<Text>) throws(StatusError) in
        do throws(StatusError) {
          for try await message in messages { try await writer.write(message) }
        } catch {
          noteCancelled()
          throw error
        }
      }
    case "Deaf":
      return .bidirectional { [self] (_: RPCMessages<Text>, _, _: RPCWriter<Text>) in
        await untilCancelled()
      }
    default: return nil
    }
  }

  /// Writes the requested number of messages, which have a kilobyte each.
  private func count(
    _ request: Number,
    _ context: RPCContext,
    _ writer: RPCWriter<Text>
  ) async throws(StatusError) {
    let filling = String(repeating: "x", count: 1_000)
    do throws(StatusError) {
      for number in 0..<request.value {
        try await writer.write(Text.with { $0.value = "\(number) \(filling)" })
        messagesWritten.withLock { $0 += 1 }
      }
    } catch {
      noteCancelled()
      throw error
    }
  }

  private func untilCancelled() async {
    let never = AsyncStream<Never> { _ in }
    for await _ in never {}
    noteCancelled()
  }
}

/// The responses to HTTP/1.1 requests on the same port.
final class EchoPage: HTTPService {
  let name = "echo"
  private let linesWritten = Mutex(0)

  var written: Int { linesWritten.withLock(\.self) }

  func runsOnEventLoop(_ request: ServiceRequest) -> Bool { false }

  func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    switch request.path.first {
    case nil: return .text("Ok\n")
    case "lines":
      guard let count = request[query: "count"].flatMap(Int.init) else { throw notFound(request) }
      let fails = request[query: "fail"] != nil
      return .stream(contentType: "text/plain") { [self] writer in
        for number in 0..<count {
          try await writer.write(Data("\(number)\n".utf8))
          linesWritten.withLock { $0 += 1 }
        }
        if fails { throw CancellationError() }
      }
    default: throw notFound(request)
    }
  }
}
