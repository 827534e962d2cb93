import Core
import FunctionRuntime
import HTTPClient
import Providers
import TestKit
import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(10)))
struct ModelServiceTests {
  private static let complete = [
    "GOOGLE_CLOUD_PROJECT": "p", "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1",
    "OPENAI_API_KEY": "PLANTED-openai", "ANTHROPIC_API_KEY": "PLANTED-anthropic",
  ]

  private func configuration(_ changes: [String: String]) -> Configuration {
    Configuration(environment: Self.complete.merging(changes) { _, new in new })
  }

  private func service(_ changes: [String: String]) throws -> ModelService {
    try ModelService(configuration(changes), ChatServices(configuration(changes)))
  }

  @Test(arguments: [
    (nil, "OPENAI_API_KEY"), ("", "OPENAI_API_KEY"), ("openai", "OPENAI_API_KEY"),
    ("anthropic", "ANTHROPIC_API_KEY"),
  ])
  func `only the key of the chosen provider is required, and named if missing`(
    provider: String?,
    key: String
  ) throws {
    var changes: [String: String] = [:]
    changes["LLM_PROVIDER"] = provider
    #expect(try ModelService.secrets(configuration(changes)) == [key])
    #expect(throws: Never.self) { try service(changes) }
    for other in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"] where other != key {
      #expect(throws: Never.self) { try service(changes.merging([other: ""]) { $1 }) }
    }
    let error = StatusError.configuration(.failedPrecondition, "\(key) is not set")
    #expect(throws: error) { try service(changes.merging([key: ""]) { $1 }) }
  }

  @Test(arguments: ["other", "OpenAI", "openai ", "gemini", "PLANTED"])
  func `an unknown provider is a configuration error that names the variable`(name: String) {
    let error = StatusError.configuration(
      .invalidArgument,
      "LLM_PROVIDER must be openai or anthropic"
    )
    #expect(throws: error) { try service(["LLM_PROVIDER": name]) }
    #expect(throws: error) { try ModelService.secrets(configuration(["LLM_PROVIDER": name])) }
    #expect(ExitCode(error) == .configuration)
  }

  @Test func `every variable that is read is in the manifest`() {
    #expect(
      ModelService.environment.map(\.name) == [
        "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL", "LLM_PROVIDER", "OPENAI_API_VERSION",
        "OPENAI_BASE_URL", "OPENAI_MODEL",
      ]
    )
    #expect(ModelService.environment.allSatisfy { !$0.required })
  }

  // MARK: Models

  private static let noControls = ScriptedAnswer(
    200,
    #"[{"missing":"projects/p/databases/(default)/documents/config/functions","#
      + #""readTime":"2026-01-01T00:00:00Z"}]"#
  )

  private static let counted = ScriptedAnswer(
    200,
    #"{"writeResults":[{"updateTime":"2026-01-01T00:00:00Z","#
      + #""transformResults":[{"integerValue":"1"},{"integerValue":"1"}]}],"#
      + #""commitTime":"2026-01-01T00:00:00Z"}"#
  )

  private static let prompt = Result { () throws(StatusError) in
    try Prompt(
      Prompt.Template(
        name: "sample_answer",
        version: 1,
        instructions: "Say yes.",
        output: .object(["yes": .boolean]),
        maximumOutputTokens: 10
      ),
      input: ["text": "Well?"]
    )
  }

  /// Calls the model of a service. Returns the request and the outcome.
  private func request(
    _ answer: String,
    _ changes: (_ server: LoopbackServer) -> [String: String]
  ) async throws -> (request: ReceivedRequest, isYes: Bool?) {
    let server = try LoopbackServer(answers: [.init(200, answer)])
    // The service reads `config/functions`, because an operator may have paused the function.
    let firestore = try LoopbackServer(answers: [Self.noControls, Self.counted])
    defer {
      server.stop()
      firestore.stop()
    }
    let changes = changes(server).merging([
      "FIRESTORE_EMULATOR_HOST": "127.0.0.1:\(firestore.port)"
    ]) { $1 }
    let services = try ChatServices(configuration(changes))
    let model = try ModelService(configuration(changes), services)
      .model(services.session(.forTests()), for: nil)
    let answer = try await model.answer(
      try Self.prompt.get(),
      as: [String: Bool].self
    ) { _ in nil }
    return (try #require(server.requests.first), try answer.get().output["yes"])
  }

  @Test(arguments: [(nil, "gpt-4o-mini"), ("some-model", "some-model")])
  func `OpenAI's variables choose address, key and model`(
    model: String?,
    asked: String
  ) async throws {
    let (request, isYes) = try await request(
      #"{"choices":[{"message":{"content":"{\"yes\":true}"}}]}"#
    ) { server in
      [
        "OPENAI_BASE_URL": server.url("/base/v1/"), "OPENAI_MODEL": model ?? "",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "ANTHROPIC_MODEL": "other",
      ]
    }
    #expect(isYes == true)
    #expect(request.target == "/base/v1/chat/completions")
    #expect(request.headers["authorization"] == "Bearer PLANTED-openai")
    #expect(String(decoding: request.body, as: UTF8.self).contains("\"model\":\"\(asked)\""))
    #expect(request.headers["traceparent"] == FunctionContext.forTests().traceparent)
  }

  @Test(arguments: [("openai", "OPENAI"), ("anthropic", "ANTHROPIC")])
  func `a server on this machine needs no key, any other does`(
    provider: String,
    prefix: String
  ) async throws {
    let (request, isYes) = try await request(
      provider == "openai"
        ? #"{"choices":[{"message":{"content":"{\"yes\":true}"}}]}"#
        : #"{"content":[{"type":"tool_use","name":"sample_answer","input":{"yes":true}}]}"#
    ) { server in
      [
        "LLM_PROVIDER": provider, "\(prefix)_BASE_URL": server.url("/v1"),
        "\(prefix)_API_KEY": "",
      ]
    }
    #expect(isYes == true)
    #expect(request.headers["authorization"] == nil)
    #expect(request.headers["x-api-key"] == nil)
    let error = StatusError.configuration(.failedPrecondition, "\(prefix)_API_KEY is not set")
    for url in ["https://models.example.com/v1", ""] {
      #expect(throws: error) {
        try service([
          "LLM_PROVIDER": provider, "\(prefix)_BASE_URL": url, "\(prefix)_API_KEY": "",
        ])
      }
    }
  }

  @Test func `a version of Azure's API goes into the query, the key into Azure's header`()
    async throws
  {
    let (request, isYes) = try await request(
      #"{"choices":[{"message":{"content":"{\"yes\":true}"}}]}"#
    ) { server in
      [
        "OPENAI_BASE_URL": server.url("/openai/deployments/d"),
        "OPENAI_API_VERSION": "2024-10-21",
      ]
    }
    #expect(isYes == true)
    #expect(request.target == "/openai/deployments/d/chat/completions?api-version=2024-10-21")
    #expect(request.headers["api-key"] == "PLANTED-openai")
    #expect(request.headers["authorization"] == nil)
  }

  @Test(arguments: ["2024-10-21&key=x", "ä", "2024 10", String(repeating: "1", count: 41)])
  func `an invalid version of Azure's API is named`(version: String) {
    let error = StatusError.configuration(
      .invalidArgument,
      "OPENAI_API_VERSION must be a version of Azure's API, such as 2024-10-21"
    )
    #expect(throws: error) {
      try service([
        "OPENAI_API_VERSION": version, "OPENAI_BASE_URL": "https://r.openai.azure.com",
      ])
    }
  }

  @Test func `a version of Azure's API without Azure's address is named`() throws {
    let error = StatusError.configuration(
      .failedPrecondition,
      "OPENAI_API_VERSION is for Azure: set OPENAI_BASE_URL to its address"
    )
    #expect(throws: error) { try service(["OPENAI_API_VERSION": "2024-10-21"]) }
    // `OPENAI_API_VERSION` has no effect on Anthropic.
    _ = try service(["OPENAI_API_VERSION": "2024-10-21", "LLM_PROVIDER": "anthropic"])
  }

  @Test func `an invocation's findings about its server are kept for the next one`() async throws {
    let server = try LoopbackServer(answers: [
      ScriptedAnswer(400, #"{"error":"property 'store' is unsupported"}"#),
      ScriptedAnswer(200, #"{"choices":[{"message":{"content":"{\"yes\":true}"}}]}"#),
    ])
    let firestore = try LoopbackServer(answers: [Self.noControls, Self.counted])
    defer {
      server.stop()
      firestore.stop()
    }
    let changes = [
      "OPENAI_BASE_URL": server.url("/v1"),
      "FIRESTORE_EMULATOR_HOST": "127.0.0.1:\(firestore.port)",
    ]
    let services = try ChatServices(configuration(changes))
    let service = try ModelService(configuration(changes), services)
    for _ in 1...2 {
      let model = service.model(services.session(.forTests()), for: nil)
      let answer = try await model.answer(
        try Self.prompt.get(),
        as: [String: Bool].self
      ) { _ in nil }
      #expect(try answer.get().output == ["yes": true])
    }
    let texts = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(texts.map { $0.contains("\"store\"") } == [true, false, false])
  }

  @Test(arguments: [(nil, "claude-haiku-4-5"), ("some-model", "some-model")])
  func `Anthropic's variables choose address, key and model`(
    model: String?,
    asked: String
  ) async throws {
    let (request, isYes) = try await request(
      #"{"content":[{"type":"tool_use","name":"sample_answer","input":{"yes":true}}]}"#
    ) { server in
      [
        "LLM_PROVIDER": "anthropic", "ANTHROPIC_BASE_URL": server.url("/base/"),
        "ANTHROPIC_MODEL": model ?? "", "OPENAI_BASE_URL": "http://127.0.0.1:1",
        "OPENAI_MODEL": "other",
      ]
    }
    #expect(isYes == true)
    #expect(request.target == "/base/v1/messages")
    #expect(request.headers["x-api-key"] == "PLANTED-anthropic")
    #expect(String(decoding: request.body, as: UTF8.self).contains("\"model\":\"\(asked)\""))
    #expect(request.headers["traceparent"] == FunctionContext.forTests().traceparent)
  }
}
