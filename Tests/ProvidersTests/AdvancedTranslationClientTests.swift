import Core
import HTTPClient
import TestKit
import Testing

@testable import Providers

@Suite(.timeLimit(.minutes(10)))
struct AdvancedTranslationClientTests {
  private func client(
    _ server: LoopbackServer,
    glossary: String? = nil
  ) -> AdvancedTranslationClient {
    AdvancedTranslationClient(
      baseURL: server.url(""),
      project: "our-project",
      location: glossary == nil ? "global" : "us-central1",
      glossary: glossary,
      tokens: FixedToken(),
      session: ProviderSession(transport: .forTests(), deadline: .generous)
    )
  }

  private let answer = ScriptedAnswer(
    200,
    #"{"translations":[{"translatedText":"Ciao","model":"projects/1/locations/x/models/general/nmt"}],"#
      + #""glossaryTranslations":[{"translatedText":"Salve","glossaryConfig":{}}]}"#
  )

  @Test func `texts are sent as plain text with the function's own account`() async throws {
    let server = try LoopbackServer(answers: [answer])
    defer { server.stop() }
    let translations = try await client(server)
      .translate(["It's"], from: "en", to: "it", deadline: nil)
    #expect(translations == [Translation(text: "Ciao", engine: "nmt")])
    let request = try #require(server.requests.first)
    #expect(request.target == "/v3/projects/our-project/locations/global:translateText")
    #expect(request.headers["authorization"] == "Bearer PLANTED-TOKEN")
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"contents":["It's"],"mimeType":"text/plain","sourceLanguageCode":"en","#
        + #""targetLanguageCode":"it"}"#
    )
  }

  @Test func `a glossary's translation is preferred`() async throws {
    let server = try LoopbackServer(answers: [answer])
    defer { server.stop() }
    let translations = try await client(server, glossary: "ours")
      .translate(["Hello"], from: "en", to: "it", deadline: nil)
    #expect(translations == [Translation(text: "Salve", engine: "nmt-glossary")])
    let body = String(decoding: try #require(server.requests.first).body, as: UTF8.self)
    #expect(
      body.contains(#""glossary":"projects/our-project/locations/us-central1/glossaries/ours""#)
    )
  }

  @Test func `a translation's origin depends on provider, glossary and address`()
    async throws
  {
    let server = try LoopbackServer(answers: [answer])
    defer { server.stop() }
    let local = TranslationOrigin(TranslationOrigin.google, mayBeOffline: true)
    #expect(client(server).origin == local)
    #expect(
      client(server, glossary: "ours").origin
        == TranslationOrigin("google/us-central1/ours", mayBeOffline: true)
    )
    let session = ProviderSession(transport: .forTests(), deadline: .generous)
    for (baseURL, mayBeOffline) in [
      (nil, false), ("https://example.com", false), ("http://127.0.0.1:1", true),
      ("https://localhost/base", true),
    ] {
      let basic = TranslationClient(
        baseURL: baseURL,
        credential: .key(Secret("k")),
        session: session
      )
      #expect(basic.origin == TranslationOrigin("google", mayBeOffline: mayBeOffline))
      guard let baseURL else { continue }
      let own = LibreTranslateClient(baseURL: baseURL, key: nil, session: session)
      #expect(own.origin == TranslationOrigin("libretranslate", mayBeOffline: mayBeOffline))
    }
  }

  @Test func `languages that a glossary lacks are translated without it`() async throws {
    let server = try LoopbackServer(answers: [
      TranslationClientTests.google(400, "INVALID_ARGUMENT"), answer,
    ])
    defer { server.stop() }
    let translations = try await client(server, glossary: "ours")
      .translate(["Hello"], from: "en", to: "hi", deadline: nil)
    #expect(translations == [Translation(text: "Ciao", engine: "nmt")])
    #expect(server.requests.count == 2)
    #expect(!String(decoding: server.requests[1].body, as: UTF8.self).contains("glossary"))
  }

  @Test(arguments: [
    (ScriptedAnswer(400), StatusCode.invalidArgument, StatusError.Fault.request),
    (ScriptedAnswer(401), .permissionDenied, .configuration),
    (ScriptedAnswer(403), .permissionDenied, .configuration),
    (ScriptedAnswer(404), .notFound, .configuration),
    (ScriptedAnswer(429), .resourceExhausted, .request),
    (ScriptedAnswer(503), .unavailable, .request),
    (ScriptedAnswer(200, #"{"translations":[]}"#), .unavailable, .request),
    (ScriptedAnswer(200, #"{"translations":[{"translatedText":null}]}"#), .unavailable, .request),
    (ScriptedAnswer(200, "<html>"), .unavailable, .request),
  ])
  func `every failure has the right fault`(
    answer: ScriptedAnswer,
    code: StatusCode,
    fault: StatusError.Fault
  ) async throws {
    let server = try LoopbackServer(answers: [answer])
    defer { server.stop() }
    let error = await #expect(throws: StatusError.self) {
      try await client(server).translate(["PLANTED"], from: "en", to: "it", deadline: nil)
    }
    #expect(error?.code == code)
    #expect(error?.fault == fault)
    #expect(error?.message.contains("PLANTED") == false)
  }
}
