import Core
import Cryptography
import HTTPClient
import TestKit
import Testing

/// The command `emulator token`, with and without an account of the user.
@Suite(.timeLimit(.minutes(10)))
struct TokenTests {
  @Test func `a token has the email, name, claims and provider of its user's account`()
    async throws
  {
    try await withEmulator("--no-triggers", "--seed", "demo") { emulator in
      try await update(["customAttributes": .string(#"{"role":"host"}"#)], of: "sarah", emulator)
      let sarah = try await claims(of: "sarah", emulator)
      #expect(sarah["email"] == .string("sarah@example.com"))
      #expect(sarah["email_verified"] == .boolean(true))
      #expect(sarah["name"] == .string("Sarah"))
      #expect(sarah["role"] == .string("host"))
      #expect(sarah["firebase"]?["sign_in_provider"] == .string("password"))

      let stranger = try await claims(of: "stranger", emulator)
      #expect(stranger["sub"] == .string("stranger") && stranger["email"] == nil)
      #expect(stranger["firebase"]?["sign_in_provider"] == .string("custom"))

      try await update(["disableUser": .boolean(true)], of: "sarah", emulator)
      let refused = try await token(of: "sarah", emulator)
      #expect(refused.exitCode != 0)
      #expect(refused.errorText.contains("the account is disabled"))
    }
  }

  private func update(
    _ members: JSONObject,
    of uid: String,
    _ emulator: EmulatorProcess
  ) async throws {
    let members = members.merging(["localId": .string(uid)]) { $1 }
    let response = try await emulator.request(
      "POST",
      "auth",
      "/identitytoolkit.googleapis.com/v1/projects/\(emulator.project)/accounts:update",
      headers: [HTTPHeader("Authorization", "Bearer owner")],
      body: JSON.encode(JSONValue.object(members))
    )
    #expect(response.status == 200, Comment(rawValue: response.text))
  }

  private func claims(of uid: String, _ emulator: EmulatorProcess) async throws -> JSONObject {
    let output = try await token(of: uid, emulator)
    return try JSONWebToken(output.text.trimmingLineFeed).claims
  }

  private func token(of uid: String, _ emulator: EmulatorProcess) async throws -> ProgramOutput {
    let hub = emulator.address("hub")
    return try await runProgram(
      "emulator",
      ["token", "--uid", uid, "--project", emulator.project],
      environment: plainEnvironment.merging(["FIREBASE_EMULATOR_HUB": hub]) { $1 }
    )
  }
}
