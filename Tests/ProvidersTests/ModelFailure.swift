import Core
import Providers
import TestKit
import Testing

/// An error response of a provider, and the error that the client must throw for it.
struct ModelFailure: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var answer: ScriptedAnswer
  var error: StatusError
  var requests: Int

  init(_ description: String, _ answer: ScriptedAnswer, _ error: StatusError, requests: Int = 1) {
    testDescription = description
    self.answer = answer
    self.error = error
    self.requests = requests
  }

  static let quota = StatusError(.resourceExhausted, "the language model is over its quota")
  static let nonsense = StatusError(.unavailable, "the language model returned an invalid response")

  static func refused(_ model: String) -> StatusError {
    .configuration(
      .failedPrecondition,
      "the language model's provider refused the request: check that \(model) supports JSON schemas"
    )
  }

  private static func answered(_ status: Int, retryAfter: Duration? = nil) -> StatusError {
    StatusError(.unavailable, "the language model answered \(status)", retryAfter: retryAfter)
  }

  /// Returns the failures that are possible with every API.
  ///
  /// - Parameters:
  ///   - key: the name of the variable with the API key.
  ///   - model: the name of the variable with the model.
  static func common(key: String, model: String) -> [ModelFailure] {
    let address = key.replacing("API_KEY", with: "BASE_URL")
    let denied = StatusError.configuration(
      .permissionDenied,
      "the language model refused \(key)"
    )
    let body = #"{"error":{"type":"PLANTED","message":"\#(SamplePrompt.text.debugDescription)"}}"#
    return [
      ModelFailure("400", ScriptedAnswer(400, body), refused(model)),
      ModelFailure("400 without a body", ScriptedAnswer(400), refused(model)),
      ModelFailure("401", ScriptedAnswer(401, "PLANTED \(SamplePrompt.key)"), denied),
      ModelFailure(
        "402",
        ScriptedAnswer(402, body),
        .configuration(.resourceExhausted, "the language model's quota for \(key) is used up")
      ),
      ModelFailure("403", ScriptedAnswer(403, "<html>PLANTED"), denied),
      ModelFailure(
        "404",
        ScriptedAnswer(404, body),
        .configuration(
          .notFound,
          "the language model's provider answered 404: check \(model) and \(address)"
        )
      ),
      ModelFailure("413", ScriptedAnswer(413, body), refused(model)),
      ModelFailure("422", ScriptedAnswer(422, body), refused(model)),
      ModelFailure("429", ScriptedAnswer(429, "<html>PLANTED"), quota, requests: 2),
      ModelFailure(
        "429 with a wait that is over",
        ScriptedAnswer(429, headers: ["Retry-After: 0"]),
        StatusError(quota.code, quota.message, retryAfter: .zero),
        requests: 2
      ),
      ModelFailure(
        "429 with a wait beyond ours",
        ScriptedAnswer(429, headers: ["Retry-After: 90"], body),
        StatusError(quota.code, quota.message, retryAfter: .seconds(90))
      ),
      ModelFailure("408", ScriptedAnswer(408), answered(408), requests: 2),
      ModelFailure("409", ScriptedAnswer(409), answered(409), requests: 2),
      ModelFailure("500", ScriptedAnswer(500, body), answered(500), requests: 2),
      ModelFailure("502 of HTML", ScriptedAnswer(502, "<html>PLANTED"), answered(502), requests: 2),
      ModelFailure("503", ScriptedAnswer(503), answered(503), requests: 2),
      ModelFailure(
        "503 with a wait beyond ours",
        ScriptedAnswer(503, headers: ["Retry-After: 120"]),
        answered(503, retryAfter: .seconds(120))
      ),
      ModelFailure("529", ScriptedAnswer(529, body), answered(529), requests: 2),
      ModelFailure("501", ScriptedAnswer(501), answered(501)),
      ModelFailure(
        "418",
        ScriptedAnswer(418, "PLANTED"),
        StatusError(.internal, "the language model answered 418")
      ),
      ModelFailure(
        "a redirect",
        ScriptedAnswer(302, headers: ["Location: http://localhost/PLANTED"]),
        .configuration(
          .failedPrecondition,
          "\(address): the language model answered 302: "
            + "set the final URL, since redirects aren't followed"
        )
      ),
      ModelFailure("204", ScriptedAnswer(204), nonsense),
      ModelFailure(
        "418",
        ScriptedAnswer(418),
        StatusError(.internal, "the language model answered 418")
      ),
      ModelFailure("an empty 200", ScriptedAnswer(200), nonsense),
      ModelFailure("a 200 of HTML", ScriptedAnswer(200, "<html>PLANTED"), nonsense),
      ModelFailure("a 200 of another object", ScriptedAnswer(200, "{}"), nonsense),
      ModelFailure("a 200 of an array", ScriptedAnswer(200, "[]"), nonsense),
    ]
  }

  func expect(
    _ result: Result<Completion, StatusError>,
    requests count: Int,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(result == .failure(error), sourceLocation: location)
    #expect(count == requests, sourceLocation: location)
    #expect(!"\(result)".contains("PLANTED"), sourceLocation: location)
  }

  /// Checks that the result is the error for a response over the size limit.
  static func expectTooLong(
    _ result: Result<Completion, StatusError>,
    at location: SourceLocation = #_sourceLocation
  ) {
    guard case .failure(let error) = result else {
      Issue.record("no failure", sourceLocation: location)
      return
    }
    #expect(error.fault == .request, sourceLocation: location)
    #expect(error.code == .unavailable, sourceLocation: location)
    #expect(
      error.message.hasSuffix("answered with more than 1048576 bytes"),
      sourceLocation: location
    )
  }
}
