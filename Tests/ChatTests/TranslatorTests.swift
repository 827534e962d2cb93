import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import HTTPClient
import Logging
import Providers
import TestKit
import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(10)))
struct TranslatorTests {
  private static let english = Result { try Language("en") }
  private static let italian = Result { try Language("it") }
  private static let french = Result { try Language("fr") }

  private func request(
    _ text: String,
    to target: Result<Language, any Error> = italian
  ) throws -> Translator.Request {
    Translator.Request(text, from: try Self.english.get(), to: try target.get())
  }

  // MARK: Languages of the provider

  @Test(arguments: [
    ("it", "it"), ("it-CH", "it"), ("en-US", "en"), ("pt", "pt"), ("pt-BR", "pt"),
    ("pt-PT", "pt-PT"), ("fr", "fr"), ("fr-CA", "fr-CA"), ("fr-FR", "fr"), ("iw", "he"),
    ("nb", "no"), ("zh", "zh-CN"), ("zh-CN", "zh-CN"), ("zh-SG", "zh-CN"), ("zh-Hans", "zh-CN"),
    ("zh-Hans-TW", "zh-CN"), ("zh-TW", "zh-TW"), ("zh-HK", "zh-TW"), ("zh-MO", "zh-TW"),
    ("zh-Hant", "zh-TW"), ("zh-Hant-HK", "zh-TW"), ("zh-Hant-MY", "zh-TW"), ("yue", "yue"),
    ("zh_CN", "zh-CN"), ("zh_Hans_HK", "zh-CN"), ("PT-br", "pt"), ("pt-419", "pt"),
    ("pt_AO", "pt-PT"), ("en-GB", "en"), ("es-419", "es"), ("es_MX", "es"), ("in", "id"),
    ("in_ID", "id"), ("id", "id"), ("he", "he"), ("he-IL", "he"), ("no", "no"), ("nb-NO", "no"),
    ("tl", "fil"), ("sr", "sr"), ("sr-Latn", "sr"), ("sr-Cyrl-RS", "sr"), ("ms", "ms"),
    ("ms-Arab", "ms-Arab"), ("pa", "pa"), ("pa-Guru-PK", "pa"), ("pa-PK", "pa-Arab"),
    ("pa-Arab", "pa-Arab"), ("mni", "mni-Mtei"), ("mni-Mtei", "mni-Mtei"), ("fr-BE", "fr"),
  ])
  func `a language is mapped to the provider's code and shares its cache entries`(
    code: String,
    provider: String
  ) throws {
    #expect(try Language(code).asTranslated.code == provider)
    #expect(try Language(provider).asTranslated.code == provider)
    let one = try Translator.Request("text", from: Language("en-GB"), to: Language(code))
    let other = try Translator.Request("text", from: Language("en"), to: Language(provider))
    #expect(one == other)
  }

  @Test(arguments: [
    ("it", "it", true), ("it", "it-CH", true), ("pt-BR", "pt-PT", true), ("he", "iw", true),
    ("zh", "zh-CN", true), ("zh-TW", "zh-Hant", true), ("zh-Hant", "zh-HK", true),
    ("zh-TW", "zh-CN", false), ("zh-Hans", "zh-Hant-MY", false), ("it", "es", false),
    ("sr-Latn", "sr-Cyrl", true), ("no", "nb", true), ("in", "id", true), ("fr", "fr-CA", true),
    ("es-419", "es-ES", true), ("pa", "pa-PK", false), ("ms", "ms-Arab", false),
    ("yue", "zh", false),
  ])
  func `a reader can read another region's language but not another script`(
    one: String,
    other: String,
    isReadable: Bool
  ) throws {
    #expect(try Language(one).isReadable(as: Language(other)) == isReadable)
    #expect(try Language(other).isReadable(as: Language(one)) == isReadable)
  }

  // MARK: Cache and provider

  private static let now = Timestamp(seconds: 1_700_000_000)
  private static let root = "projects/p/databases/(default)/documents"

  private func context() -> FunctionContext {
    FunctionContext(
      function: "translateMessage",
      eventID: "e",
      invocationID: "i",
      attempt: 1,
      deadline: .generous,
      traceparent: "trace",
      sources: .init(now: { Self.now }, random: { 1 }),
      logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
    )
  }

  /// - Parameter timeout: the time limit for the provider, and for waiting for other invocations.
  private func translator(
    _ server: LoopbackServer,
    _ context: FunctionContext,
    timeout: Duration = .seconds(300)
  ) throws -> Translator {
    let transport = HTTPClient.forTests()
    let firestore = FirestoreClient(
      endpoint: try .emulator(
        host: "127.0.0.1:\(server.port)",
        database: DatabaseName(project: "p")
      ),
      transport: transport,
      deadline: .generous
    )
    return Translator(
      session: ChatSession(
        context: context,
        paths: try ChatPaths(Configuration(environment: [:])),
        firestore: firestore,
        leases: Leases(
          firestore: firestore,
          holder: "h",
          duration: .seconds(40),
          deadline: .generous,
          random: { 1 }
        )
      ),
      provider: TranslationClient(
        baseURL: server.url(),
        credential: .key(Secret("k")),
        session: ProviderSession(transport: transport, deadline: .now + timeout)
      )
    )
  }

  private let committed = ScriptedAnswer(
    200,
    #"{"writeResults":[{"updateTime":"2026-01-01T00:00:01Z"}],"commitTime":"2026-01-01T00:00:01Z"}"#
  )

  /// Returns the names of the requested methods: those of Firestore, and `translate`.
  private func calls(_ server: LoopbackServer) -> [String] {
    server.requests.map { request in
      request.target.split(whereSeparator: { ":/".contains($0) }).last == "v2"
        ? "translate" : request.target.split(separator: ":").last.map(String.init) ?? ""
    }
  }

  private func entry(_ request: Translator.Request) -> String {
    let key = ContentHash.translation(of: request.text, from: request.source, to: request.target)
    return "\(Self.root)/translations/\(key)"
  }

  private func missing(_ request: Translator.Request) -> String {
    #"{"missing":"\#(entry(request))","readTime":"2026-01-01T00:00:00Z"}"#
  }

  private func found(_ request: Translator.Request, sourceText: String) -> String {
    """
    {"found":{"name":"\(entry(request))","fields":{"translatedText":{"stringValue":"Cached"},\
    "sourceText":{"stringValue":"\(sourceText)"},"engine":{"stringValue":"phrasebook"},\
    "expiresAt":{"timestampValue":"2030-01-01T00:00:00Z"}}},"readTime":"2026-01-01T00:00:00Z"}
    """
  }

  @Test func `a cached text isn't requested again, but a poisoned entry is`() async throws {
    let (known, poisoned) = (try request("known"), try request("poisoned"))
    let server = try LoopbackServer(answers: [
      .init(200, "[\(found(known, sourceText: "known")),\(found(poisoned, sourceText: "other"))]"),
      committed, .init(200, #"{"data":{"translations":[{"translatedText":"Nuovo"}]}}"#),
    ])
    defer { server.stop() }
    let context = context()
    let answers = try await translator(server, context).translate([known, poisoned])

    let cached = try #require(try answers[known]?.get())
    #expect(cached.text == "Cached")
    #expect(cached.engine == "phrasebook")
    #expect(cached.claim == nil)
    #expect(cached.use(by: "m").map(\.name) == [cached.entry])
    let new = try #require(try answers[poisoned]?.get())
    #expect(new.text == "Nuovo")
    #expect(new.claim != nil)
    #expect(new.entry.description == entry(poisoned))
    #expect(new.use(by: "m").map(\.name.path.segments.first) == ["translations", "leases"])

    #expect(calls(server) == ["batchGet", "commit", "translate"])
    #expect(
      String(decoding: server.requests[2].body, as: UTF8.self)
        == #"{"format":"text","q":["poisoned"],"source":"en","target":"it"}"#
    )
    let usage = context.record.usage
    #expect(usage.cacheHits == 1)
    #expect(usage.cacheMisses == 1)
    #expect(usage.providerCalls == 1)
    #expect(usage.charactersBilled == 8)
    #expect(usage.costMicros == 160)
    #expect(usage.engines == ["nmt", "phrasebook"])
  }

  @Test func `a provider's failure is reported for each text, and costs nothing`() async throws {
    let request = try request("text")
    let server = try LoopbackServer(answers: [
      .init(200, "[\(missing(request))]"), committed, .init(403, "<html>"), committed,
    ])
    defer { server.stop() }
    let context = context()
    let answers = try await translator(server, context).translate([request])
    guard case .failure(let error) = answers[request] else {
      Issue.record("no failure")
      return
    }
    #expect(error.fault == .configuration)
    #expect(context.record.usage.providerCalls == 1)
    #expect(context.record.usage.charactersBilled == 0)
    // The last commit releases the lease, so that the next invocation can ask the provider at once.
    #expect(calls(server) == ["batchGet", "commit", "translate", "commit"])
    let release = String(decoding: try #require(server.requests.last?.body), as: UTF8.self)
    #expect(release.contains(#""delete""#))
  }

  @Test func `each pair of languages is a request of its own`() async throws {
    let requests = [try request("text"), try request("text", to: Self.french)]
    let server = try LoopbackServer(answers: [
      .init(200, "[\(requests.map(missing).joined(separator: ","))]"),
      .init(
        200,
        #"{"writeResults":[{"updateTime":"2026-01-01T00:00:01Z"},"#
          + #"{"updateTime":"2026-01-01T00:00:01Z"}],"commitTime":"2026-01-01T00:00:01Z"}"#
      ),
      .init(200, #"{"data":{"translations":[{"translatedText":"Nuovo"}]}}"#),
    ])
    defer { server.stop() }
    let context = context()
    let answers = try await translator(server, context).translate(Set(requests))
    for request in requests { #expect(try answers[request]?.get().text == "Nuovo") }
    #expect(calls(server) == ["batchGet", "commit", "translate", "translate"])
    #expect(context.record.usage.cacheMisses == 2)
    #expect(context.record.usage.charactersBilled == 8)
  }

  @Test func `without the cache the provider isn't asked`() async throws {
    let server = try LoopbackServer(answers: [.init(400, "<html>")])
    defer { server.stop() }
    let context = context()
    let translator = try translator(server, context)
    let request = try request("text")
    await #expect(throws: StatusError(.invalidArgument, "Firestore: HTTP 400", isOthersWords: true))
    {
      try await translator.translate([request])
    }
    #expect(context.record.usage.providerCalls == 0)
  }

  // MARK: Single flight

  private func key(_ request: Translator.Request) -> String {
    ContentHash.translation(of: request.text, from: request.source, to: request.target)
  }

  /// Returns Firestore's response if no failure is stored.
  private func unfailed(_ request: Translator.Request) -> String {
    #"{"missing":"\#(Self.root)/translationFailures/\#(key(request))","#
      + #""readTime":"2026-01-01T00:00:00Z"}"#
  }

  /// Returns Firestore's response if another process has the lease, and no failure is stored.
  private func leased(_ request: Translator.Request, until end: String) -> String {
    """
    \(unfailed(request)),{"found":{"name":"\(Self.root)/leases/\(key(request))",\
    "updateTime":"2026-01-01T00:00:00Z","fields":{"holder":{"stringValue":"other"},"expiresAt":{"timestampValue":"\(end)"}}},\
    "readTime":"2026-01-01T00:00:00Z"}
    """
  }

  /// Returns Firestore's response if there is no lease and no stored failure.
  private func unleased(_ request: Translator.Request) -> String {
    unfailed(request) + ","
      + #"{"missing":"\#(Self.root)/leases/\#(key(request))","readTime":"2026-01-01T00:00:00Z"}"#
  }

  private let conflict = ScriptedAnswer(
    409,
    #"{"error":{"code":409,"status":"ALREADY_EXISTS","message":"exists"}}"#
  )

  @Test func `a translation that another invocation requests is awaited, not requested`()
    async throws
  {
    let request = try request("text")
    let running = leased(request, until: "2026-01-01T00:00:10Z")
    let server = try LoopbackServer(answers: [
      .init(200, "[\(missing(request))]"), conflict,
      .init(200, "[\(missing(request)),\(running)]"),
      .init(200, "[\(missing(request)),\(running)]"),
      .init(200, "[\(found(request, sourceText: "text")),\(unleased(request))]"),
    ])
    defer { server.stop() }
    let context = context()
    let answers = try await translator(server, context).translate([request])
    #expect(try answers[request]?.get().text == "Cached")
    #expect(calls(server) == ["batchGet", "commit", "batchGet", "batchGet", "batchGet"])
    #expect(context.record.usage.providerCalls == 0)
    #expect(context.record.usage.cacheHits == 1)
    #expect(context.record.usage.cacheMisses == 0)
  }

  @Test func `a wait that takes too long ends with a retryable failure`() async throws {
    let request = try request("text")
    let running = leased(request, until: "2026-01-01T00:00:10Z")
    let server = try LoopbackServer(answers: [
      .init(200, "[\(missing(request))]"), conflict,
      .init(200, "[\(missing(request)),\(running)]"),
    ])
    defer { server.stop() }
    let context = context()
    let answers = try await translator(server, context, timeout: .milliseconds(200))
      .translate([request])
    guard case .failure(let error) = answers[request] else {
      Issue.record("no failure")
      return
    }
    #expect(error.code == .unavailable)
    #expect(error.message.contains("another invocation"))
    #expect(context.record.usage.providerCalls == 0)
    #expect(calls(server).count { $0 == "translate" } == 0)
  }

  @Test func `after another invocation failed or was killed, the next one asks`() async throws {
    for left in ["released", "expired"] {
      let request = try request("text")
      let second =
        left == "released"
        ? unleased(request) : leased(request, until: "2026-01-01T00:00:00Z")
      let server = try LoopbackServer(answers: [
        .init(200, "[\(missing(request))]"), conflict,
        .init(200, "[\(missing(request)),\(second)]"), committed,
        .init(200, #"{"data":{"translations":[{"translatedText":"Nuovo"}]}}"#),
      ])
      defer { server.stop() }
      let answers = try await translator(server, context()).translate([request])
      #expect(try answers[request]?.get().text == "Nuovo")
      #expect(calls(server) == ["batchGet", "commit", "batchGet", "commit", "translate"])
      let claim = String(decoding: server.requests[3].body, as: UTF8.self)
      #expect(claim.contains(#""updateTime":"2026-01-01T00:00:00Z""#) == (left == "expired"))
    }
  }

  @Test func `an invocation stores its own translations before it waits`() async throws {
    let (own, others) = (try request("own"), try request("others"))
    let running = leased(others, until: "2026-01-01T00:00:10Z")
    let server = try LoopbackServer(answers: [
      .init(200, "[\(missing(own)),\(missing(others))]"), conflict,
      .init(200, "[\(missing(own)),\(unleased(own)),\(missing(others)),\(running)]"), committed,
      .init(200, #"{"data":{"translations":[{"translatedText":"Nuovo"}]}}"#), committed,
      .init(200, "[\(found(others, sourceText: "others")),\(running)]"),
    ])
    defer { server.stop() }
    let answers = try await translator(server, context()).translate([own, others])
    #expect(try answers[own]?.get().text == "Nuovo")
    #expect(try answers[others]?.get().text == "Cached")
    #expect(
      calls(server) == [
        "batchGet", "commit", "batchGet", "commit", "translate", "commit", "batchGet",
      ]
    )
    #expect(String(decoding: server.requests[5].body, as: UTF8.self).contains("Nuovo"))
    let answer = try #require(try answers[own]?.get())
    #expect(answer.use(by: "m").map(\.name) == [answer.entry])
  }

  // MARK: Stored failures

  private func failure(
    _ request: Translator.Request,
    _ changes: [String: String] = [:]
  ) -> String {
    let fields = [
      "provider": #"{"stringValue":"google"}"#, "code": #"{"stringValue":"INVALID_ARGUMENT"}"#,
      "message": #"{"stringValue":"no such pair"}"#,
      "expiresAt": #"{"timestampValue":"2026-01-01T00:09:59Z"}"#,
    ].merging(changes) { $1 }
    let members = fields.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }
    return """
      {"found":{"name":"\(Self.root)/translationFailures/\(key(request))",\
      "updateTime":"2025-12-31T00:00:00Z","fields":{\(members.joined(separator: ","))}},\
      "readTime":"2026-01-01T00:00:00Z"},\
      {"missing":"\(Self.root)/leases/\(key(request))","readTime":"2026-01-01T00:00:00Z"}
      """
  }

  private static let unknownPair = ScriptedAnswer(
    400,
    #"{"error":{"code":400,"message":"PLANTED","errors":[{"reason":"invalid"}]}}"#
  )

  @Test(arguments: [
    (unknownPair, "INVALID_ARGUMENT"),
    // The translation has a link that the text doesn't have.
    (
      ScriptedAnswer(
        200,
        #"{"data":{"translations":[{"translatedText":"PLANTED https://evil.example"}]}}"#
      ),
      "FAILED_PRECONDITION"
    ),
  ])
  func `a permanent failure is stored with the lease's end, without the text`(
    answer: ScriptedAnswer,
    code: String
  ) async throws {
    let request = try request("PLANTED text")
    let server = try LoopbackServer(answers: [
      .init(200, "[\(missing(request))]"), committed, answer, committed,
    ])
    defer { server.stop() }
    let answers = try await translator(server, context()).translate([request])
    #expect(throws: StatusError.self) { try answers[request]?.get() }
    #expect(calls(server) == ["batchGet", "commit", "translate", "commit"])
    // The function doesn't read a stored failure in advance, because failures are rare. The commit
    // that takes the lease checks that none exists.
    let claim = String(decoding: server.requests[1].body, as: UTF8.self)
    #expect(claim.contains("translationFailures/\(key(request))"))
    let body = String(decoding: try #require(server.requests.last?.body), as: UTF8.self)
    #expect(body.contains("translationFailures/\(key(request))"))
    #expect(body.contains(#""delete""#))
    #expect(body.contains(code))
    #expect(!body.contains("PLANTED"))
    #expect(!body.contains("translations/"))
  }

  @Test func `a text with a stored failure isn't requested`() async throws {
    let request = try request("text")
    let server = try LoopbackServer(answers: [
      .init(200, "[\(missing(request))]"), conflict,
      .init(200, "[\(missing(request)),\(failure(request))]"),
    ])
    defer { server.stop() }
    let context = context()
    let answers = try await translator(server, context).translate([request])
    #expect(answers[request]?.failure == StatusError(.invalidArgument, "no such pair"))
    #expect(calls(server) == ["batchGet", "commit", "batchGet"])
    #expect(context.record.usage == .init())
  }

  @Test(arguments: [
    // The stored failure has expired, expires too late, is from another provider, or has an unknown
    // form.
    ["expiresAt": #"{"timestampValue":"2026-01-01T00:00:00Z"}"#],
    ["expiresAt": #"{"timestampValue":"2027-01-01T00:00:00Z"}"#],
    ["expiresAt": #"{"stringValue":"never"}"#],
    ["provider": #"{"stringValue":"google/us-central1/names"}"#],
    ["provider": #"{"integerValue":"7"}"#], ["code": #"{"stringValue":"PERMISSION_DENIED"}"#],
    ["code": #"{"stringValue":"UNAVAILABLE"}"#], ["code": #"{"nullValue":null}"#],
    ["message": #"{"stringValue":""}"#],
  ])
  func `a failure that doesn't count is ignored, and removed by a translation`(
    changes: [String: String]
  ) async throws {
    let request = try request("text")
    let server = try LoopbackServer(answers: [
      .init(200, "[\(missing(request))]"), conflict,
      .init(200, "[\(missing(request)),\(failure(request, changes))]"), committed,
      .init(200, #"{"data":{"translations":[{"translatedText":"Nuovo"}]}}"#), committed,
    ])
    defer { server.stop() }
    let translator = try translator(server, context())
    let answers = try await translator.translate([request])
    let answer = try #require(try answers[request]?.get())
    #expect(answer.text == "Nuovo")
    #expect(
      answer.use(by: "m").map(\.name.path.segments.first) == [
        "translations", "leases", "translationFailures",
      ]
    )
    try await translator.keep(answers)
    let body = String(decoding: try #require(server.requests.last?.body), as: UTF8.self)
    #expect(body.contains("translationFailures/\(key(request))"))
  }

  @Test func `a failure of two texts or a temporary one isn't stored`() async throws {
    let requests = [try request("one"), try request("two")]
    let unavailable = ScriptedAnswer(503, headers: ["Retry-After: 90"])
    for (asked, answer) in [(requests, Self.unknownPair), ([requests[0]], unavailable)] {
      let server = try LoopbackServer(answers: [
        .init(200, "[\(asked.map(missing).joined(separator: ","))]"),
        .init(
          200,
          #"{"writeResults":[{"updateTime":"2026-01-01T00:00:01Z"},"#
            + #"{"updateTime":"2026-01-01T00:00:01Z"}],"commitTime":"2026-01-01T00:00:01Z"}"#
        ),
        answer, committed,
      ])
      defer { server.stop() }
      let answers = try await translator(server, context()).translate(Set(asked))
      #expect(answers.values.allSatisfy { $0.failure != nil })
      let isOutage = answers.values.first?.failure?.code == .unavailable
      #expect(
        answers.values.allSatisfy {
          $0.failure?.callerMessage == (isOutage ? "AI temporarily unavailable" : nil)
        }
      )
      #expect(isOutage == (asked.count == 1))
      let body = String(decoding: try #require(server.requests.last?.body), as: UTF8.self)
      #expect(body.contains(#""delete""#))
      #expect(!body.contains("translationFailures"))
    }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
