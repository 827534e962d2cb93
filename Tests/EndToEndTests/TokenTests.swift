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

      // Without an account, the claims are the caller's. Without the hub's variable, that of
      // Authentication leads to the account.
      let given = #"{"email":"t@x.y","email_verified":true}"#
      let tester = try await claims(of: "tester", emulator, "--claims", given)
      #expect(tester["email"] == .string("t@x.y") && tester["email_verified"] == .boolean(true))
      let host = ["FIREBASE_AUTH_EMULATOR_HOST": emulator.address("auth")]
      let found = try await token(of: "sarah", emulator, ["--claims", given], environment: host)
      let claims = try JSONWebToken(found.text.trimmingLineFeed).claims
      #expect(claims["email"] == .string("sarah@example.com"))

      try await update(["disableUser": .boolean(true)], of: "sarah", emulator)
      let refused = try await token(of: "sarah", emulator, environment: host)
      #expect(refused.exitCode != 0)
      #expect(refused.errorText.contains("the account is disabled"))

      // Other projects have no accounts; tests of rules use them.
      let options = ["--project", "demo-rules"]
      let other = try await token(of: "sarah", emulator, options, environment: host)
      let othersClaims = try JSONWebToken(other.text.trimmingLineFeed).claims
      #expect(othersClaims["aud"] == .string("demo-rules") && othersClaims["email"] == nil)
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

  private func claims(
    of uid: String,
    _ emulator: EmulatorProcess,
    _ options: String...
  ) async throws -> JSONObject {
    let hub = ["FIREBASE_EMULATOR_HUB": emulator.address("hub")]
    let output = try await token(of: uid, emulator, options, environment: hub)
    return try JSONWebToken(output.text.trimmingLineFeed).claims
  }

  private func token(
    of uid: String,
    _ emulator: EmulatorProcess,
    _ options: [String] = [],
    environment: [String: String]
  ) async throws -> ProgramOutput {
    try await runProgram(
      "emulator",
      ["token", "--uid", uid, "--project", emulator.project] + options,
      environment: plainEnvironment.merging(environment) { $1 }
    )
  }
}
