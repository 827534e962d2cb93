import Core
import TestKit
import Testing

/// JSON Schemas of events and results, and the tests' own validator.
struct SchemaTests {
  @Test(arguments: [
    "{}", "[]", #"{"contract":1,"function":"f","status":"ok","exitCode":0}"#,
    result(#""status":"ok","exitCode":70"#), result(#""status":"error","exitCode":65"#),
    result(#""status":"skipped","exitCode":0"#), result(#""status":"ok","exitCode":0,"x":1"#),
    result(#""status":"fine","exitCode":0"#),
    result(
      #""status":"error","exitCode":75,"error":{"code":"ABORTED","message":"m","retryable":false}"#
    ),
    result(
      #""status":"error","exitCode":65,"error":{"code":"OOPS","message":"m","retryable":false}"#
    ),
  ])
  func `an invalid result is refused`(text: String) throws {
    #expect(throws: StatusError.self) { try Schema.result.check(json(text)) }
  }

  @Test func `a valid result is accepted`() throws {
    try Schema.result.check(json(Self.result(#""status":"ok","exitCode":0"#)))
    try Schema.result.check(
      json(
        Self.result(
          #""status":"error","exitCode":75,"error":{"code":"ABORTED","message":"m","retryable":true}"#
        )
      )
    )
  }

  @Test(arguments: [
    (#"{"translationMs":0,"pushMs":1.5,"readMs":3,"openMs":4}"#, true), ("{}", true), ("7", false),
    (#"{"pushMs":-1}"#, false), (#"{"pushMs":"1"}"#, false), (#"{"otherMs":1}"#, false),
  ])
  func `a message's latencies are times`(latencies: String, isValid: Bool) throws {
    let line = try json(
      Self.result(#""status":"ok","exitCode":0,"messageLatencies":\#(latencies)"#)
    )
    if isValid {
      try Schema.result.check(line)
    } else {
      #expect(throws: StatusError.self) { try Schema.result.check(line) }
    }
  }

  @Test(arguments: [("\"later\"", true), ("\"\"", false), ("7", false)])
  func `an error's message for callers is a text`(message: String, isValid: Bool) throws {
    let line = try json(
      Self.result(
        #""status":"error","exitCode":75,"error":{"code":"ABORTED","message":"m","#
          + #""retryable":true,"callerMessage":\#(message)}"#
      )
    )
    if isValid {
      try Schema.result.check(line)
    } else {
      #expect(throws: StatusError.self) { try Schema.result.check(line) }
    }
  }

  private static func result(_ members: String) -> String {
    #"{"contract":1,"function":"f","writes":[],"durationMs":1.5,"#
      + #""usage":{"engines":[],"providerCalls":0,"cacheHits":0,"cacheMisses":0,"#
      + #""charactersBilled":0,"promptTokens":0,"completionTokens":0,"costMicros":0},\#(members)}"#
  }

  @Test(arguments: [
    "[]", #"{"specversion":"1.0"}"#, #"{"data":{},"user":"x"}"#, #"{"data":{},"auth":{}}"#,
    #"{"specversion":"1.0","id":"1","source":"s","type":"t","data_base64":"CgA="}"#,
    #"{"specversion":"1.0","id":"1","source":"s","#
      + #""type":"google.cloud.firestore.document.v1.created","data":{}}"#,
    #"{"context":{"eventId":"1"},"data":{}}"#,
    #"{"specversion":"1.0","id":"1","source":"s","#
      + #""type":"google.firebase.database.ref.v1.written","ref":"a","data":{"data":1,"delta":2}}"#,
    #"{"specversion":"1.0","id":"1","source":"s","instance":"i","#
      + #""type":"google.firebase.database.ref.v1.written","ref":"a","data":{"delta":2}}"#,
    #"{"specversion":"1.0","id":"1","source":"s","subject":"objects/n","bucket":"b","#
      + #""type":"google.cloud.storage.object.v1.deleted","data":{"bucket":"b"}}"#,
    #"{"specversion":"1.0","id":"1","source":"s","subject":"objects/n","#
      + #""type":"google.cloud.storage.object.v1.deleted","data":{"bucket":"b","name":"n"}}"#,
    #"{"specversion":"1.0","id":"1","source":"s","subject":"objects/n","bucket":"b","#
      + #""type":"google.cloud.storage.object.v1.deleted","data":{"bucket":"b","name":"n","size":3}}"#,
  ])
  func `an invalid event is refused`(text: String) throws {
    #expect(throws: StatusError.self) { try Schema.event.check(json(text)) }
  }

  @Test(arguments: [
    #"{"text":"x"}"#, #"{"data":{"text":"x"}}"#, #"{"data":{},"auth":{"uid":"u","token":{}}}"#,
    #"{"specversion":"1.0","id":"1","source":"s","type":"other"}"#,
    #"{"specversion":"1.0","id":"1","source":"s","instance":"i","#
      + #""type":"google.firebase.database.ref.v1.written","ref":"a","data":{"data":1,"delta":2}}"#,
    #"{"specversion":"1.0","id":"1","source":"s","subject":"objects/n","bucket":"b","#
      + #""type":"google.cloud.storage.object.v1.deleted","data":{"bucket":"b","name":"n","x":1}}"#,
  ])
  func `a valid event is accepted`(text: String) throws {
    try Schema.event.check(json(text))
  }

  @Test func `an unknown keyword is an error, not a skipped check`() throws {
    let schema = Schema(try json(#"{"maxLength":3}"#))
    let error = statusError { try schema.check(.string("abc")) }
    #expect(error?.code == .unimplemented)
  }
}
