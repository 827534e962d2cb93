import Core
import Synchronization
import Testing

@testable import FunctionRuntime

struct WorkerLineTests {
  private func reply(_ line: String) async throws -> FunctionReply {
    try await FunctionRunner<Greet>.forTests().reply(toLine: Data(line.utf8))
  }

  @Test func `a line has an event and its invocation`() async throws {
    let reply = try await reply(
      """
      {"invocation":{"id":"i1","attempt":2,"deadline":"2027-01-01T00:00:00Z","later":1},\
      "event":{"data":{"name":"context"}}}
      """
    )
    #expect(reply.invocationID == "i1")
    #expect(reply.eventID == "i1")
    #expect(reply.resultText?.contains(#""attempt":"2""#) == true)
  }

  @Test(arguments: [
    (#""streaming":true"#, [#"{"so":"far"}"#, #"{"so":"good"}"#]), (#""streaming":false"#, []),
    (#""attempt":1"#, []),
  ])
  func `partial results are printed only on request`(
    member: String,
    partials: [String]
  ) async throws {
    let lines = Mutex<[String]>([])
    let line = #"{"event":{"data":{"name":"stream"}},"invocation":{"id":"i1",\#(member)}}"#
    let reply = try await FunctionRunner<Greet>.forTests().reply(toLine: Data(line.utf8)) { part in
      lines.withLock { $0.append(String(decoding: part.line ?? Data(), as: UTF8.self)) }
    }
    #expect(lines.withLock(\.self) == partials.map { #"{"eventId":"i1","partial":\#($0)}"# })
    #expect(reply.resultText == #"{"told":\#(!partials.isEmpty)}"#)
  }

  @Test(arguments: [
    #"{"event":{"name":"Ann"}}"#, #"{"event":{"name":"Ann"},"invocation":null}"#,
    #"{"name":"Ann"}"#, #"{"data":{"name":"Ann"}}"#,
    // A field of the event itself may have the name `event`.
    #"{"name":"Ann","event":{}}"#,
  ])
  func `an event may be sent without an invocation`(line: String) async throws {
    let reply = try await reply(line)
    #expect(reply.status == .ok)
    #expect(reply.invocationID == nil)
    #expect(reply.eventID?.utf8.count == 20)
  }

  @Test(arguments: [
    ("", nil), ("garbage", nil), ("[]", nil), (#"{"event":7}"#, nil), (#"{"event":{}}"#, nil),
    (#"{"event":7,"invocation":{"id":"i1"}}"#, "i1"),
    (#"{"event":{"name":1},"invocation":{"id":"i1"}}"#, "i1"),
    (#"{"event":{"name":"Ann"},"invocation":{"id":"i1","attempt":"x"}}"#, "i1"),
    (#"{"event":{"name":"Ann"},"invocation":{"id":7}}"#, nil),
    (#"{"event":{"name":"Ann"},"invocation":7}"#, nil),
  ])
  func `an invalid line gets an answer, with its invocation if that is readable`(
    line: String,
    id: String?
  ) async throws {
    let reply = try await reply(line)
    #expect(reply.exitCode == .badEvent)
    #expect(reply.error?.code == .invalidArgument)
    #expect(reply.invocationID == id)
  }

  // MARK: Splitting the input

  private func lines(_ chunks: [String], limit: Int = 8) -> [String] {
    var buffer = LineBuffer(limit: limit)
    var lines: [String] = []
    func add(_ line: Result<Data, StatusError>) {
      switch line {
      case .success(let bytes): lines.append(String(decoding: bytes, as: UTF8.self))
      case .failure(let error): lines.append("error \(error.code.rawValue)")
      }
    }
    for chunk in chunks {
      buffer.append(Array(chunk.utf8))
      while let line = buffer.next() { add(line) }
    }
    if let line = buffer.last() { add(line) }
    return lines
  }

  static let tooLong = "error INVALID_ARGUMENT"

  @Test(arguments: [
    ([], []), (["a\nb\n"], ["a", "b"]), (["a", "b\nc"], ["ab", "c"]), (["\n\n a\n\n"], [" a"]),
    (["a\r\nb"], ["a\r", "b"]), (["12345678\n"], ["12345678"]), (["12345678"], ["12345678"]),
    (["123456789\nb\n"], [tooLong, "b"]), (["12345", "6789", "0\nb\n"], [tooLong, "b"]),
    (["123456789", "0", "1"], [tooLong]), (["123456789"], [tooLong]),
    (["123456789", "\n", "b"], [tooLong, "b"]),
    (["123456789", "123456789", "\n"], [tooLong]),
    (["a\n123456789", "\nb\n123456789\nc"], ["a", tooLong, "b", tooLong, "c"]),
  ])
  func `every line gets one answer, in any chunks`(chunks: [String], expected: [String]) {
    #expect(lines(chunks) == expected)
    #expect(lines(chunks.flatMap { $0.unicodeScalars.map { String($0) } }) == expected)
  }
}
