import Core
import FunctionRuntime
import Testing

@testable import Chat

struct ChatServicesTests {
  private static let complete = [
    "GOOGLE_CLOUD_PROJECT": "p", "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1",
  ]

  private func configuration(_ changes: [String: String]) -> Configuration {
    Configuration(environment: Self.complete.merging(changes) { _, new in new })
  }

  private func services(_ changes: [String: String]) throws -> ChatServices {
    try ChatServices(configuration(changes))
  }

  @Test func `only the project is required, and no provider's key`() {
    #expect(throws: Never.self) { try services([:]) }
    #expect(throws: Never.self) { try services(["FIRESTORE_EMULATOR_HOST": ""]) }
  }

  @Test(arguments: [
    ("GOOGLE_CLOUD_PROJECT", ""), ("FIRESTORE_EMULATOR_HOST", "http://localhost:8080"),
    ("MESSAGES_PATH", "messages"), ("LEASE_SECONDS", "0"), ("LEASE_SECONDS", "61"),
    ("LEASE_SECONDS", "PLANTED"), ("PRICES", "/nowhere/PLANTED.json"), ("PRICES", "{PLANTED"),
    ("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/PLANTED.json"),
  ])
  func `a missing or invalid variable is named, with exit code 78`(name: String, value: String) {
    let error = #expect(throws: StatusError.self) { try services([name: value]) }
    #expect(error.map(ExitCode.init) == .configuration)
    #expect(error?.message.hasPrefix(name) == true)
    #expect(error?.message.contains("PLANTED") == false)
  }

  /// The key is sent to the base URL, so an unsafe URL must be refused for every function.
  @Test(
    arguments: [
      "http://example.com", "http://10.0.0.1/v1", "http://PLANTED.localhost.example.com",
      "https://PLANTED@example.com", "https://user:PLANTED@example.com", "ftp://example.com",
      "file:///PLANTED", "example.com", " ", "https://", "https://a b/", "https://example.com:0x1",
      "https://example.com/?key=PLANTED", "https://example.com/#PLANTED", "//example.com",
    ],
    ["TRANSLATION_BASE_URL", "FCM_BASE_URL", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"]
  )
  func `a base URL that would leak a key is refused before anything is sent`(
    url: String,
    name: String
  ) throws {
    let error = #expect(throws: StatusError.self) { try services([:], allProviders: [name: url]) }
    #expect(error.map(ExitCode.init) == .configuration)
    #expect(error?.message.hasPrefix("\(name): ") == true)
    #expect(error?.message.contains("user:") == false)
    #expect(error?.message.contains("key=") == false)
  }

  @Test(arguments: [
    "", "https://example.com", "https://example.com:8443/azure/openai/v1/", "HTTPS://EXAMPLE.COM",
    "http://localhost:11434/v1", "http://127.0.0.1:8080", "http://[::1]:8080/v1",
  ])
  func `https and loopback URLs are allowed, and an empty variable counts as unset`(
    url: String
  ) throws {
    for name in [
      "TRANSLATION_BASE_URL", "FCM_BASE_URL", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL",
    ] {
      #expect(throws: Never.self) { try services([:], allProviders: [name: url]) }
    }
  }

  private func services(_ changes: [String: String], allProviders: [String: String]) throws {
    let keys = [
      "GOOGLE_TRANSLATION_API_KEY": "k", "OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k",
    ]
    let variables = changes.merging(keys) { $1 }.merging(allProviders) { $1 }
    let services = try services(variables)
    _ = try TranslationService(configuration(variables), services)
    _ = try PushService(configuration(variables), services)
    for name in ["openai", "anthropic"] {
      let variables = variables.merging(["LLM_PROVIDER": name]) { $1 }
      _ = try ModelService(configuration(variables), services)
    }
  }

  @Test func `every variable that is read is in the manifest`() {
    #expect(
      Set(ChatServices.environment.map(\.name)) == [
        "GOOGLE_CLOUD_PROJECT", "FIRESTORE_DATABASE", "FIRESTORE_EMULATOR_HOST",
        "GCE_METADATA_HOST", "GOOGLE_APPLICATION_CREDENTIALS", "LEASE_SECONDS", "MESSAGES_PATH",
        "PRICES",
      ]
    )
    #expect(ChatServices.environment.filter(\.required).map(\.name) == ["GOOGLE_CLOUD_PROJECT"])
    #expect(
      TranslationService.environment.map(\.name) == [
        "TRANSLATION_BASE_URL", "TRANSLATION_GLOSSARY", "TRANSLATION_LOCATION",
        "TRANSLATION_PROVIDER",
      ]
    )
    #expect(TranslationService.environment.filter(\.required).isEmpty)
    #expect(TranslationService.secrets == ["GOOGLE_TRANSLATION_API_KEY", "TRANSLATION_API_KEY"])
    #expect(
      PushService.environment == [
        .init("FCM_ANALYTICS_LABEL", required: false), .init("FCM_BASE_URL", required: false),
        .init("WEB_APP_URL", required: false),
      ]
    )
    #expect(
      AccountService.environment == [.init("FIREBASE_AUTH_EMULATOR_HOST", required: false)]
    )
  }

  @Test(arguments: [
    ChatServices.environment, TranslationService.environment, PushService.environment,
    ChatServices.environment + AccountService.environment,
  ])
  func `no variable is declared twice when a function combines them`(
    variables: [FunctionManifest.Variable]
  ) {
    let others = ModelService.environment.map(\.name)
    #expect(Set(variables.map(\.name)).count == variables.count)
    #expect(Set(variables.map(\.name)).isDisjoint(with: others))
  }

  // MARK: Providers

  @Test func `the translator's key is required where a translator is used`() throws {
    let error = StatusError.configuration(
      .failedPrecondition,
      "GOOGLE_TRANSLATION_API_KEY is not set: set it, or run with a service account"
    )
    for environment in [[:], ["GOOGLE_TRANSLATION_API_KEY": ""]] {
      #expect(throws: error) {
        try TranslationService(configuration(environment), services(environment))
      }
    }
    let environment = ["GOOGLE_TRANSLATION_API_KEY": "PLANTED"]
    let service = try TranslationService(configuration(environment), services(environment))
    var dumped = ""
    dump(service, to: &dumped)
    #expect(!dumped.contains("PLANTED"))
  }

  @Test(arguments: [
    ["GOOGLE_TRANSLATION_API_KEY": "k"], ["GCE_METADATA_HOST": "127.0.0.1:1"],
    ["K_SERVICE": "translatemessage"], ["TRANSLATION_PROVIDER": "google-v3"],
    [
      "TRANSLATION_PROVIDER": "google-v3", "TRANSLATION_LOCATION": "europe-west1",
      "TRANSLATION_GLOSSARY": "our_words-2",
    ],
    ["TRANSLATION_PROVIDER": "libretranslate", "TRANSLATION_BASE_URL": "http://127.0.0.1:5000"],
  ])
  func `variables choose the translator`(environment: [String: String]) throws {
    #expect(throws: Never.self) {
      try TranslationService(configuration(environment), services(environment))
    }
  }

  @Test(arguments: [
    ("TRANSLATION_PROVIDER", ["TRANSLATION_PROVIDER": "PLANTED"]),
    ("TRANSLATION_BASE_URL", ["TRANSLATION_PROVIDER": "libretranslate"]),
    ("TRANSLATION_GLOSSARY", ["TRANSLATION_GLOSSARY": "g", "GOOGLE_TRANSLATION_API_KEY": "k"]),
    (
      "TRANSLATION_LOCATION", ["TRANSLATION_PROVIDER": "google-v3", "TRANSLATION_GLOSSARY": "g"]
    ),
    (
      "TRANSLATION_LOCATION",
      ["TRANSLATION_PROVIDER": "google-v3", "TRANSLATION_LOCATION": "us/../PLANTED"]
    ),
    (
      "TRANSLATION_GLOSSARY",
      [
        "TRANSLATION_PROVIDER": "google-v3", "TRANSLATION_LOCATION": "us-central1",
        "TRANSLATION_GLOSSARY": "projects/PLANTED",
      ]
    ),
  ])
  func `an invalid choice is refused by its variable's name, with exit code 78`(
    name: String,
    environment: [String: String]
  ) {
    let error = #expect(throws: StatusError.self) {
      try TranslationService(configuration(environment), services(environment))
    }
    #expect(error.map(ExitCode.init) == .configuration)
    #expect(error?.message.hasPrefix(name) == true)
    #expect(error?.message.contains("PLANTED") == false)
  }

  @Test func `pushes need no variable of their own`() throws {
    #expect(throws: Never.self) { try PushService(configuration([:]), try services([:])) }
  }

  @Test(arguments: [
    "http://chat.example", "http://localhost:3000", "https://PLANTED@chat.example", "chat.example",
    "https://chat.example/?PLANTED", "https://chat.example/#PLANTED", "ftp://chat.example",
    "HTTP://chat.example",
  ])
  func `a web app's URL that FCM would refuse is named, with exit code 78`(url: String) {
    let error = #expect(throws: StatusError.self) {
      try PushService(configuration(["WEB_APP_URL": url]), services([:]))
    }
    #expect(error.map(ExitCode.init) == .configuration)
    #expect(error?.message.hasPrefix("WEB_APP_URL") == true)
    #expect(error?.message.contains("PLANTED") == false)
  }

  @Test func `a web app may be on this machine if pushes go to an emulator`() {
    let emulated = ["WEB_APP_URL": "http://localhost:3000", "FCM_BASE_URL": "http://127.0.0.1:1"]
    for changes in [
      emulated, ["WEB_APP_URL": "https://chat.example/app"],
      ["WEB_APP_URL": "HTTPS://chat.example/app"],
    ] {
      #expect(throws: Never.self) { try PushService(configuration(changes), services([:])) }
    }
  }

  @Test func `a label that FCM would refuse is named, with exit code 78`() {
    let error = #expect(throws: StatusError.self) {
      try PushService(configuration(["FCM_ANALYTICS_LABEL": "PLANTED label"]), services([:]))
    }
    #expect(error.map(ExitCode.init) == .configuration)
    #expect(error?.message.hasPrefix("FCM_ANALYTICS_LABEL") == true)
    #expect(error?.message.contains("PLANTED") == false)
  }
}
