import Chat
import Core
import TestKit
import Testing

@testable import translateMessage

struct TranslateCallTests {
  private func target(_ code: String) throws -> TranslationTarget {
    TranslationTarget(code: code, language: try Language(code))
  }

  private func source(_ code: String) throws -> TranslateCall.Source {
    TranslateCall.Source(code: code, language: try Language(code))
  }

  private func form(_ body: String) throws -> TranslateCall.Form {
    try decode(TranslateCall.self, body).form()
  }

  @Test func `a text has a source and a target`() throws {
    #expect(
      try form(#"{"text":"Hello","sourceLang":"EN","targetLang":"pt_br","unknown":1}"#)
        == .text("Hello", source: source("EN"), target: target("pt_br"), conversation: nil)
    )
    // The text is empty. A later step checks whether it needs a translation.
    #expect(
      try form(#"{"text":"","sourceLang":"en","targetLang":"it","conversationId":"c1"}"#)
        == .text("", source: source("en"), target: target("it"), conversation: "c1")
    )
  }

  @Test(arguments: ["null", #""auto""#, #""AUTO""#, #""Auto""#, #""und""#])
  func `a text without a source has an unknown language`(sourceLang: String) throws {
    for member in [#","sourceLang":\#(sourceLang)"#, ""] {
      #expect(
        try form(#"{"text":"Hello","targetLang":"it"\#(member)}"#)
          == .text("Hello", source: nil, target: target("it"), conversation: nil)
      )
    }
  }

  @Test(arguments: ["msg_456", "", "a/b", "__x__", ".", String(repeating: "é", count: 750)])
  func `a message's id without its conversation's is only a hint`(id: String) throws {
    #expect(
      try form(
        #"{"text":"Hello","sourceLang":"en","targetLang":"it","messageId":\#(text(id))}"#
      )
        == .text("Hello", source: source("en"), target: target("it"), conversation: nil)
    )
  }

  @Test func `a message is named by its id and its conversation's`() throws {
    #expect(
      try form(#"{"messageId":"m1","conversationId":"c1","targetLang":"it"}"#)
        == .message("m1", conversation: "c1", target: target("it"), text: nil)
    )
    #expect(
      try form(
        #"{"messageId":"m1","conversationId":"c1","targetLang":"it","text":"Hello","sourceLang":"xx"}"#
      )
        == .message("m1", conversation: "c1", target: target("it"), text: "Hello")
    )
  }

  @Test(arguments: [1, 50])
  func `up to fifty messages may be in one call`(count: Int) throws {
    let ids = (0..<count).map { "m\($0)" }
    let body = try text(ids)
    #expect(
      try form(#"{"messageIds":\#(body),"conversationId":"c1","targetLang":"it"}"#)
        == .messages(ids, conversation: "c1", target: target("it"))
    )
  }

  @Test(arguments: [
    ("{}", "targetLang is missing"),
    (#"{"targetLang":"it"}"#, "text is missing"),
    (#"{"text":"x","sourceLang":"en"}"#, "targetLang is missing"),
    (
      #"{"text":"x","targetLang":"xx","sourceLang":"en"}"#,
      #"targetLang: unknown language code "xx""#
    ),
    (
      #"{"text":"x","targetLang":"it","sourceLang":"english"}"#,
      #"sourceLang: unknown language code "english""#
    ),
    (
      #"{"messageId":"m","targetLang":"it"}"#,
      "text is missing: a messageId without conversationId names no message"
    ),
    (
      #"{"messageId":"\#(String(repeating: "é", count: 751))","text":"x","targetLang":"it"}"#,
      "messageId is longer than 1500 bytes"
    ),
    (
      #"{"text":"x","targetLang":"it","sourceLang":""}"#,
      #"sourceLang: unknown language code """#
    ),
    (
      #"{"text":"x","targetLang":"it","sourceLang":"auto-detect"}"#,
      #"sourceLang: unknown language code "auto-detect""#
    ),
    (
      #"{"messageIds":["m"],"targetLang":"it"}"#,
      "conversationId is missing: message ids need it"
    ),
    (
      #"{"messageIds":[],"conversationId":"c","targetLang":"it"}"#,
      "messageIds must have 1 to 50 ids"
    ),
    (
      #"{"messageIds":["\#(String(repeating: #"m",""#, count: 50))m"],"conversationId":"c","targetLang":"it"}"#,
      "messageIds must have 1 to 50 ids"
    ),
    (#"{"sourceLang":7}"#, #"the input has the wrong type at "sourceLang" (expected a string)"#),
    (
      #"{"messageId":["m"]}"#,
      #"the input has the wrong type at "messageId" (expected a string)"#
    ),
    (#"{"text":7}"#, #"the input has the wrong type at "text" (expected a string)"#),
    (
      #"{"messageIds":"m"}"#, #"the input has the wrong type at "messageIds" (expected an array)"#
    ),
    (
      #"{"messageIds":["m",7]}"#,
      #"the input has the wrong type at "messageIds.1" (expected a string)"#
    ),
  ])
  func `an incomplete call is refused with the member's name`(body: String, reason: String) {
    #expect(statusError { try form(body) } == StatusError(.invalidArgument, reason))
  }
}
