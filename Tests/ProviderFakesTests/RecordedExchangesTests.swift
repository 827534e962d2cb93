import Core
import HTTPService
import TestKit
import Testing

@testable import ProviderFakes

struct RecordedExchangesTests {
  private static func exchange(_ text: String, _ status: Int = 200) -> ProviderExchange {
    ProviderExchange(
      request: .init(
        method: "POST",
        path: "/v1/a",
        body: .json(.object(["q": .string(text), "n": .integer(1)]))
      ),
      response: .init(
        status: status,
        headers: ["retry-after": "3"],
        body: .json(.string("answer to \(text)"))
      )
    )
  }

  private static func request(_ body: String, path: [String] = ["v1", "a"]) -> ServiceRequest {
    ServiceRequest(method: "POST", path: path, body: Data(body.utf8))
  }

  @Test func `equal JSON is the same request, and each exchange answers once`() {
    let recorded = RecordedExchanges([Self.exchange("x", 503), Self.exchange("x")])
    let answers = [#"{"q":"x","n":1}"#, #"{ "n": 1, "q": "x" }"#, #"{"q":"x","n":1}"#]
      .map { recorded.answer(Self.request($0)) }
    #expect(answers.map(\.status) == [503, 200, 501])
    #expect(answers[0].headers.contains { $0 == ("retry-after", "3") })
    #expect(recorded.refusals == ["POST /v1/a was requested more often than it was recorded"])
    #expect(recorded.unused.isEmpty)
  }

  @Test func `another body is refused with the difference`() {
    let recorded = RecordedExchanges([Self.exchange("x")])
    #expect(recorded.answer(Self.request(#"{"q":"y","n":1}"#)).status == 501)
    #expect(recorded.answer(Self.request("{}", path: ["v2"])).status == 501)
    #expect(
      recorded.refusals == [
        #"POST /v1/a was recorded with another body; body.q: expected "x", was "y""#,
        "POST /v2 was not recorded",
      ]
    )
    #expect(recorded.unused.count == 1)
  }

  @Test func `the error compares the most similar of several bodies`() {
    let recorded = RecordedExchanges([Self.exchange("x"), Self.exchange("y")])
    #expect(recorded.answer(Self.request(#"{"q":"y","n":2}"#)).status == 501)
    #expect(
      recorded.refusals == ["POST /v1/a was recorded with another body; body.n: expected 1, was 2"]
    )
  }

  @Test func `the last of several equal exchanges can be repeated`() {
    let recorded = RecordedExchanges(
      [Self.exchange("x", 503), Self.exchange("x")],
      repeatsLast: true
    )
    let statuses = (1...4).map { _ in recorded.answer(Self.request(#"{"q":"x","n":1}"#)).status }
    #expect(statuses == [503, 200, 200, 200])
  }

  @Test func `a body that isn't JSON stays text`() throws {
    let exchange = ProviderExchange(
      request: .init(method: "GET", path: "/a", body: .none),
      response: .init(status: 502, headers: [:], body: .init(Data("<html>".utf8)))
    )
    #expect(exchange.response.body == .text("<html>"))
    #expect(try ProviderExchange(exchange.json) == exchange)
  }
}
