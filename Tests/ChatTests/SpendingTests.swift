import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import HTTPClient
import Synchronization
import TestKit
import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(10)))
struct SpendingTests {
  private static let root = "projects/p/databases/(default)/documents"
  private static let noControls = ScriptedAnswer(
    200,
    #"[{"missing":"\#(root)/config/functions","readTime":"2026-01-01T00:00:00Z"}]"#
  )

  private func client(_ server: LoopbackServer) throws -> FirestoreClient {
    FirestoreClient(
      endpoint: try .emulator(
        host: "127.0.0.1:\(server.port)",
        database: DatabaseName(project: "p")
      ),
      transport: .forTests(),
      deadline: .generous
    )
  }

  private func spending(
    _ server: LoopbackServer,
    _ withoutCount: Spending.WithoutCount
  ) throws -> Spending {
    Spending(
      of: "askAI",
      by: "sarah",
      ControlsReader(),
      firestore: try client(server),
      context: .forTests(),
      withoutCount: withoutCount
    )
  }

  // MARK: Failed counts

  private static let lost: [(String, [ScriptedAnswer])] = [
    ("the switch can't be read", [ScriptedAnswer(501)]),
    ("the count can't be written", [noControls, ScriptedAnswer(500)]),
    (
      "the answer has no count",
      [
        noControls,
        ScriptedAnswer(200, #"{"writeResults":[{}],"commitTime":"2026-01-01T00:00:01Z"}"#),
      ]
    ),
  ]

  @Test(arguments: lost)
  func `without a count a paid answer fails, and other functions go on`(
    _: String,
    answers: [ScriptedAnswer]
  ) async throws {
    for withoutCount in [Spending.WithoutCount.fail, .proceed] {
      let server = try LoopbackServer(answers: answers)
      defer { server.stop() }
      let spending = try spending(server, withoutCount)
      switch withoutCount {
      case .fail: await #expect(throws: StatusError.self) { try await spending.admit() }
      case .proceed: try await spending.admit()
      }
      #expect(server.requests.count == answers.count)
    }
  }

  // MARK: The switch

  @Test func `the document is read again after twenty seconds`() async throws {
    let server = try LoopbackServer(answers: [Self.noControls])
    defer { server.stop() }
    let elapsed = Mutex(Duration.zero)
    let start = ContinuousClock.now
    let reader = ControlsReader { start + elapsed.withLock(\.self) }
    let firestore = try client(server)
    for (time, reads) in [(0.0, 1), (19.9, 1), (20, 2), (39.9, 2), (40, 3)] {
      elapsed.withLock { $0 = .seconds(time) }
      _ = try await reader.controls(of: "askAI", firestore, isFresh: false)
      #expect(server.requests.count == reads, "after \(time) s")
    }
  }

  @Test func `the paths of a user's counts are known without a query`() throws {
    let time = try Timestamp("2025-10-21T00:00:01Z")
    let paths = Spending.paths(of: "sarah", at: time)
    #expect(paths.contains("limits/askAI_2025-10-21_sarah"))
    #expect(paths.contains("limits/translateMessage_2025-10-20_sarah"))
    #expect(paths.count == 8)
  }
}
