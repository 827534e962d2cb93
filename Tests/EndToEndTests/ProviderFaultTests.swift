import Core
import FunctionHost
import TestKit
import Testing

/// The rows of the table of faults, with real processes and sockets.
///
/// They run one after the other, because they share the emulator's provider fakes.
@Suite(.serialized, .sharedEmulator, .timeLimit(.minutes(15)))
struct ProviderFaultTests {
  @Test(arguments: ProviderFault.table)
  func `a fault ends as the table says, and nothing is done twice`(row: ProviderFault) async throws
  {
    let scene = try await FaultScene()
    let before = try await scene.usage()
    try await scene.ask(for: row)
    let run = try await scene.run(row, isFaulty: true)
    let after = try await scene.usage()
    try await scene.forgetFaults()

    let line = Comment(rawValue: run.line.text + run.errorText)
    #expect(run.exitCode == row.exitCode, line)
    #expect(run.errorCode == row.code, line)
    #expect(run.line.at("error.retryAfterMs")?.integer == row.retryAfter, line)
    #expect(calls(to: row.provider, from: before, to: after) == row.calls, line)
    scene.checkSecrets(of: run)
    // If only FCM's response was lost, the phone has already got the push.
    try await scene.check(row.sight, after: run)
    if row.exitCode == 65 {
      guard row.function == "translateMessage" else { return }
      // The function has stored a permanent failure, and doesn't ask the provider again for a
      // while.
      let second = try await scene.run(row, isFaulty: false)
      #expect(second.exitCode == 65, Comment(rawValue: second.line.text))
      #expect(second.errorMessage == run.errorMessage)
      #expect(try await scene.usage() == after)
      return
    }

    // A redelivery after the fault completes the work once.
    let second = try await scene.run(row, isFaulty: false)
    #expect(second.exitCode == 0, Comment(rawValue: second.line.text + second.errorText))
    scene.checkSecrets(of: second)
    let settled = try await scene.usage()
    let third = try await scene.run(row, isFaulty: false)
    #expect(third.exitCode == 0, Comment(rawValue: third.line.text))
    switch row.function {
    case "translateMessage":
      try await scene.check(.translated, after: third)
      let billed = texts(from: before, to: settled)
      // The provider also bills each translation whose response was lost.
      #expect(billed == (row.isCarriedOut ? row.calls : 0) + 1)
      #expect(try await scene.usage() == settled, "a third delivery sends no request to a provider")
    case "sendNotification":
      try await checkPushes(scene, after: row)
      let final = try await scene.usage()
      #expect(calls(to: "fcm", from: settled, to: final) == 0, "a third delivery sends no push")
    default:
      #expect(second.result != nil)
      #expect(second.result?["engine"] != .string("fallback"))
      let isAsked = row.exitCode != 0 || row.sight == .fallback || row.function == "askAI"
      #expect(second.line.at("usage.providerCalls") == .integer(isAsked ? 1 : 0))
    }
  }

  /// Checks that each phone shows one push.
  ///
  /// If FCM's response was lost, the phone got the push twice. The second push replaces the first.
  private func checkPushes(_ scene: FaultScene, after row: ProviderFault) async throws {
    let pushes = try await scene.pushes()
    let isRepeated = row.provider == "fcm" && row.isCarriedOut
    #expect(pushes.count == (row.sight == .deadToken ? 0 : isRepeated ? 2 : 1))
    let collapseIDs = Set(pushes.map { $0.at("message.apns.headers.apns-collapse-id") })
    #expect(collapseIDs.count <= 1 && !collapseIDs.contains(nil))
  }

  private func calls(to provider: String, from before: JSONValue, to after: JSONValue) -> Int {
    func sum(_ usage: JSONValue) -> Int {
      (usage.at("requests.\(provider)")?.object ?? [:]).values.reduce(0) { $0 + ($1.integer ?? 0) }
    }
    return sum(after) - sum(before)
  }

  private func texts(from before: JSONValue, to after: JSONValue) -> Int {
    (after["translatedTexts"]?.integer ?? 0) - (before["translatedTexts"]?.integer ?? 0)
  }

  // MARK: A worker

  /// After five failures the worker pauses its requests, and returns the length of the pause as
  /// retry delay.
  @Test func `a worker stops asking a provider that keeps failing`() async throws {
    let scene = try await FaultScene()
    let before = try await scene.usage()
    let row = try #require(
      ProviderFault.table.first { $0.provider == "openai" && $0.title == "500" }
    )
    try await scene.ask(for: row)
    let worker = try await WorkerSession(
      "analyzeMessage",
      environment: scene.emulator.environment(project: scene.project)
    )
    let call = #"{"data":{"conversationId":"c1","messageId":"m1"},"auth":{"uid":"marco"}}"#
    var waits: [Int?] = []
    for _ in 1...6 {
      try await worker.send(call)
      let result = try #require(try await worker.nextResult())
      #expect(result["exitCode"] == .integer(75), Comment(rawValue: result.text))
      waits.append(result.at("error.retryAfterMs")?.integer)
      if waits.count == 6 {
        #expect(
          result.at("error.message")?.string
            == "AI temporarily unavailable: the language model keeps failing, so calls to it "
            + "are paused"
        )
      }
    }
    #expect(await worker.end() == .exited(0))
    #expect(waits.prefix(5).allSatisfy { $0 == nil })
    #expect((1...5_000).contains(waits[5] ?? 0))
    let after = try await scene.usage()
    try await scene.forgetFaults()
    #expect(calls(to: "openai", from: before, to: after) == 10, "two requests for each of 5 events")
  }

  // MARK: The table in FAULTS.md

  @Test func `the table has thirty faults, and FAULTS.md is the same table`() throws {
    #expect(Set(ProviderFault.table.map { "\($0.provider) \($0.title)" }).count >= 30)
    #expect(Set(ProviderFault.table.map(\.function)) == Set(Products.paying))
    // The table of the Realtime Database is in DatabaseFaultTests.
    let page = try Repository.text("Functions/FAULTS.md")
      .components(separatedBy: "\n## Realtime Database")[0]
    var lines: [Substring] = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
    lines.removeAll { $0.hasPrefix("| fault |") }
    let expected = ProviderFault.table.map(\.line)
    #expect(lines.map(String.init) == expected, Comment(rawValue: expected.joined(separator: "\n")))
  }
}
