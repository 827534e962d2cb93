import Core
import FunctionRuntime
import Testing

struct FunctionReplyTests {
  private static let noUsage =
    #""usage":{"cacheHits":0,"cacheMisses":0,"charactersBilled":0,"completionTokens":0,"#
    + #""costMicros":0,"engines":[],"promptTokens":0,"providerCalls":0},"writes":[]}"#

  private func line(_ reply: FunctionReply) -> String {
    String(decoding: reply.line, as: UTF8.self)
  }

  @Test func `a success is one sorted line`() {
    var reply = FunctionReply(
      function: "greet",
      eventID: "e1",
      outcome: .done(["path": "a/b", "text": "line\nfeed\u{2028}\u{0}"])
    )
    reply.duration = .microseconds(4_149)
    reply.invocationID = "i1"
    #expect(
      line(reply)
        == #"{"contract":1,"durationMs":4.1,"eventId":"e1","exitCode":0,"function":"greet","#
        + #""invocationId":"i1","result":{"path":"a/b","text":"line\nfeed\#u{2028}\u0000"},"#
        + #""status":"ok",\#(Self.noUsage)"#
    )
    #expect(!reply.line.contains(0x0A))
  }

  @Test func `a skipped event has its reason, and a result if there is one`() {
    let bare = FunctionReply(function: "greet", eventID: nil, outcome: .skipped(reason: "no"))
    #expect(
      line(bare)
        == #"{"contract":1,"durationMs":0,"exitCode":0,"function":"greet","reason":"no","#
        + #""status":"skipped",\#(Self.noUsage)"#
    )
    let full = FunctionReply(
      function: "greet",
      eventID: nil,
      outcome: .skipped(reason: "no", result: [1, 2])
    )
    #expect(line(full).contains(#""reason":"no","result":[1,2],"status":"skipped""#))
  }

  @Test func `a failure has code and message, and whether and when to retry`() {
    let reply = FunctionReply(
      function: "greet",
      eventID: "e1",
      error: StatusError(.unavailable, "later", retryAfter: .milliseconds(1_500))
    )
    #expect(
      line(reply)
        == #"{"contract":1,"durationMs":0,"#
        + #""error":{"code":"UNAVAILABLE","message":"later","retryAfterMs":1500,"retryable":true},"#
        + #""eventId":"e1","exitCode":75,"function":"greet","status":"error",\#(Self.noUsage)"#
    )
    var outage = StatusError(.unavailable, "later: it answered 503")
    outage.callerMessage = "later"
    #expect(
      line(FunctionReply(function: "greet", error: outage))
        .contains(
          #""error":{"callerMessage":"later","code":"UNAVAILABLE","#
            + #""message":"later: it answered 503","retryable":true}"#
        )
    )
  }

  @Test func `writes and usage are listed`() {
    var reply = FunctionReply(function: "greet", error: StatusError(.internal, "x"))
    reply.writes = [
      .init(document: "a/1", operation: .create), .init(document: "a/2", operation: .set),
      .init(document: "a/3", operation: .update), .init(document: "a/4", operation: .delete),
    ]
    reply.usage.add(engine: "pseudo")
    reply.usage.add(engine: "nmt")
    reply.usage.add(engine: "nmt")
    reply.usage.costMicros = 720
    reply.usage.serve(translations: 0)
    reply.latency = .microseconds(11_849)
    let line = line(reply)
    #expect(
      line.hasSuffix(
        #""writes":[{"document":"a/1","operation":"create"},{"document":"a/2","operation":"set"},"#
          + #"{"document":"a/3","operation":"update"},{"document":"a/4","operation":"delete"}]}"#
      )
    )
    #expect(line.contains(#""costMicros":720,"engines":["nmt","pseudo"]"#))
    #expect(line.contains(#""latencyMs":11.8,"#))
    for name in ["translationsServed", "pushesSent", "pushesOpened", "messageLatencies"] {
      #expect(!line.contains(name))
    }
  }

  @Test func `a message's latencies are the longest of each step, and never negative`() {
    var reply = FunctionReply(function: "greet", eventID: "e1", outcome: .done(["a": 1]))
    reply.messageLatencies.note(.push, after: .milliseconds(250))
    reply.messageLatencies.note(.push, after: .microseconds(1_250_049))
    reply.messageLatencies.note(.push, after: .milliseconds(750))
    reply.messageLatencies.note(.open, after: .seconds(-3))
    #expect(line(reply).contains(#""messageLatencies":{"openMs":0,"pushMs":1250},"#))
    reply.usage.send(pushes: 0)
    reply.usage.open(pushes: 0)
    #expect(!line(reply).contains("pushes"))
    reply.usage.send(pushes: 2)
    reply.usage.send(pushes: 1)
    reply.usage.open(pushes: 1)
    #expect(line(reply).contains(#""pushesOpened":1,"pushesSent":3}"#))
  }

  @Test(arguments: [
    "null", "7", "[]", #"{"pushMs":"1"}"#, #"{"pushMs":-1}"#, #"{"pushMs":1e300}"#,
    #"{"pushMs":null,"other":1}"#,
  ])
  func `latencies that are no times are ignored`(text: String) throws {
    #expect(MessageLatencies(try JSONValue(parsing: Data(text.utf8))).isEmpty)
    let mixed = try JSONValue(parsing: Data(#"{"pushMs":-1,"readMs":2}"#.utf8))
    #expect(MessageLatencies(mixed).durations == [.read: .milliseconds(2)])
  }

  @Test
  func `a result that JSON can't represent is an internal error on the line and in the exit code`()
  {
    var reply = FunctionReply(function: "greet", eventID: "e1", outcome: .done([Double.nan]))
    reply.invocationID = "i1"
    reply.usage.providerCalls = 1
    reply.writes = [.init(document: "a/1", operation: .set)]
    let printed = reply.printable
    #expect(printed.exitCode == .bug)
    let line = line(reply)
    #expect(line == String(decoding: printed.line, as: UTF8.self))
    #expect(
      line.contains(
        #""error":{"code":"INTERNAL","message":"the result can't be encoded","retryable":false},"#
          + #""eventId":"e1","exitCode":70,"function":"greet","invocationId":"i1","status":"error""#
      )
    )
    #expect(line.contains(#""providerCalls":1"#))
    #expect(line.contains(#""writes":[{"document":"a/1","operation":"set"}]"#))
  }
}
