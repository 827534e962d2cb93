import FunctionRuntime
import RPCStatus
import Testing

@testable import Chat

struct ChatServicesTests {
  private static let complete = [
    "GOOGLE_CLOUD_PROJECT": "p", "GOOGLE_TRANSLATION_API_KEY": "k",
    "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1",
  ]

  private func services(_ changes: [String: String]) throws -> ChatServices {
    let environment = Self.complete.merging(changes) { _, new in new }
    let configuration = Configuration(environment: environment)
    let services = try ChatServices(configuration)
    _ = try TranslationService(configuration, services)
    return services
  }

  @Test func `project and key are all it takes`() {
    #expect(throws: Never.self) { try services([:]) }
    #expect(throws: Never.self) { try services(["FIRESTORE_EMULATOR_HOST": ""]) }
  }

  @Test(arguments: [
    ("GOOGLE_CLOUD_PROJECT", ""), ("GOOGLE_TRANSLATION_API_KEY", ""),
    ("FIRESTORE_EMULATOR_HOST", "http://localhost:8080"), ("MESSAGES_PATH", "messages"),
    ("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/PLANTED.json"),
  ])
  func `a variable that is missing or wrong is named, and 78`(name: String, value: String) {
    let error = #expect(throws: StatusError.self) { try services([name: value]) }
    #expect(error.map(ExitCode.init) == .configuration)
    #expect(error?.message.hasPrefix(name) == true)
    #expect(error?.message.contains("PLANTED") == false)
  }

  @Test func `every variable that is read is in the manifest`() {
    let names = ChatServices.environment.map(\.name)
    for name in Self.complete.keys where name != "GOOGLE_TRANSLATION_API_KEY" {
      #expect(names.contains(name))
    }
    #expect(TranslationService.secrets == ["GOOGLE_TRANSLATION_API_KEY"])
    #expect(ChatServices.environment.filter(\.required).map(\.name) == ["GOOGLE_CLOUD_PROJECT"])
  }
}
