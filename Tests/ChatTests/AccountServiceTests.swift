import Core
import FunctionRuntime
import Testing

@testable import Chat

struct AccountServiceTests {
  private func service(_ environment: [String: String]) throws -> AccountService {
    let configuration = Configuration(
      environment: environment.merging(["GOOGLE_CLOUD_PROJECT": "demo-p"]) { $1 }
    )
    return try AccountService(configuration, ChatServices(configuration))
  }

  @Test(arguments: ["http://127.0.0.1:9099", "127.0.0.1", "PLANTED/x:1"])
  func `an emulator's address that isn't host and port is a configuration error`(
    host: String
  ) throws {
    let error = #expect(throws: StatusError.self) {
      try service(["FIREBASE_AUTH_EMULATOR_HOST": host])
    }
    #expect(error.map(ExitCode.init) == .configuration)
    #expect(
      error?.message == "FIREBASE_AUTH_EMULATOR_HOST must be host:port, without a scheme"
    )
  }

  @Test(arguments: [
    [:], ["FIREBASE_AUTH_EMULATOR_HOST": "auth:9099"], ["FIREBASE_AUTH_EMULATOR_HOST": ""],
  ])
  func `no variable is required`(environment: [String: String]) {
    #expect(throws: Never.self) { try service(environment) }
  }
}
