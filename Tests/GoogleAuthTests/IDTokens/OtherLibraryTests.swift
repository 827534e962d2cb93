import Core
import Foundation
import GoogleAuth
import TestKit
import Testing

/// Tokens that another library has made. `Tests/SDKs` also verifies them with Firebase's own
/// library.
@Suite(.timeLimit(.minutes(10)))
struct OtherLibraryTests {
  private struct File: Decodable {
    struct Token: Decodable {
      var name: String
      var accepted: Bool
      var token: String
    }
    var project: String
    var now: Int64
    var certificates: [String: String]
    var tokens: [Token]
  }

  private func file() throws -> File {
    let data = try Data(
      contentsOf: URL(filePath: "\(Repository.folder)/Tests/SDKs/id_tokens.json")
    )
    return try JSON.decode(File.self, from: data, what: "the file")
  }

  @Test func `another library's tokens are accepted, and its invalid ones refused`() async throws {
    let file = try file()
    #expect(file.tokens.count > 30)
    #expect(file.now == TestClock.start && file.project == TokenDraft.project)
    let server = try KeyServer([])
    defer { server.stop() }
    server.say(ScriptedAnswer(200, try text(file.certificates)))
    let verifier = try server.verifier()
    for token in file.tokens {
      let refusal = await verifier.refusal(of: token.token)
      #expect(refusal?.code == (token.accepted ? nil : .unauthenticated), "\(token.name)")
    }
  }
}
