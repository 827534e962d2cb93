import HTTPService
import TestKit
import Testing

@testable import Recording

/// A model's answer that came in pieces.
struct StreamedBodyTests {
  private static let openAI = """
    data: {"choices":[{"delta":{"content":"","role":"assistant"},"index":0}],"id":"c-1"}\r

    data: {"choices":[{"delta":{"content":"{\\"a\\":\\"Bea"},"index":0}],"id":"c-1"}

    data: {"choices":[{"delta":{"content":"trix 🎉\u{2028}\\"}"},"index":0}],"id":"c-1"}

    data: {"choices":[],"usage":{"total_tokens":3}}

    data: [DONE]


    """

  private static let anthropic = """
    event: content_block_start
    data: {"content_block":{"input":{},"name":"t","type":"tool_use"},"index":1,"type":"content_block_start"}

    event: content_block_delta
    data: {"delta":{"partial_json":"Bea","type":"input_json_delta"},"index":1,"type":"content_block_delta"}

    event: content_block_delta
    data: {"delta":{"partial_json":"trix","type":"input_json_delta"},"index":1,"type":"content_block_delta"}


    """

  @Test func `what is said is put together`() throws {
    #expect(try #require(StreamedBody(Self.openAI)).said == ["{\"a\":\"Beatrix 🎉\u{2028}\"}"])
    #expect(try #require(StreamedBody(Self.anthropic)).said == ["Beatrix"])
  }

  @Test func `other words are in as many pieces, the rest is as it was`() throws {
    let stream = try #require(StreamedBody(Self.anthropic))
    let same = stream.replacing(said: { $0 }, rest: { $0 })
    #expect(same == Self.anthropic)
    let others = stream.replacing(said: { _ in "Ottavio" }, rest: { $0 })
    #expect(
      others
        == Self.anthropic.replacing("Bea", with: "Ott").replacing("trix", with: "avio")
    )
    let longer = try #require(
      StreamedBody(stream.replacing(said: { _ in "Beatrix the first" }, rest: { $0 }))
    )
    #expect(longer.said == ["Beatrix the first"])
  }

  @Test func `a line that was cut off is replaced whole`() throws {
    let text =
      "data: {\"a\":1}\n\ndata: {\"delta\":\"Beatrix\n: Beatrix\nid: Bea\nevent: x_y\ndata: [DONE]"
    let stream = try #require(StreamedBody(text))
    #expect(stream.said == ["data: {\"delta\":\"Beatrix", ": Beatrix", "id: Bea"])
    #expect(
      stream.replacing(said: { $0.replacing("Bea", with: "Lea") }, rest: { $0 })
        == text.replacing("Bea", with: "Lea")
    )
  }

  @Test func `no piece is left to whoever changes the rest`() throws {
    var seen = ""
    _ = try #require(StreamedBody(Self.openAI)).replacing(said: { $0 }) { event in
      seen += event.text
      return event
    }
    #expect(seen.contains("c-1") && !seen.contains("Bea") && !seen.contains("trix"))
  }

  @Test(arguments: ["", "Beatrix", "{\"a\":1}", "data: Beatrix\n\n", "data: 7\n\n"])
  func `what isn't a stream of events is none`(text: String) {
    #expect(StreamedBody(text) == nil)
  }
}
