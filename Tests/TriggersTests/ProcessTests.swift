import RPCStatus
import TestKit
import Testing
import Triggers

/// A function as a process per event.
@Suite(.timeLimit(.minutes(2)))
struct ProcessTests {
  private let members = #""timeoutSeconds":40,"#

  @Test(arguments: ["sleep 50 &", "setsid sleep 50 &"])
  func `a child left behind doesn't turn success into a time-out`(child: String) async throws {
    let start = ContinuousClock.now
    let body = "echo '\(contentLine)'; echo log >&2; \(child) exit 0"
    try await withDispatcher(["probe": script("probe", members, body)]) { dispatcher in
      let delivery = try await dispatcher.delivered(creation())
      #expect(delivery.state == .succeeded, "\(String(describing: delivery.result?.error))")
      #expect(dispatcher.logs.entries().map(\.message) == ["log"])
    }
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func `a line cut short by a child that keeps the output is named`() async throws {
    let body = #"printf '{"status"'; setsid sleep 50 & exit 0"#
    try await withDispatcher(["probe": script("probe", members, body)]) { dispatcher in
      let result = try await dispatcher.delivered(creation()).result
      #expect(result?.exitCode == 70)
      #expect(result?.error?.message.contains("left behind") == true)
    }
  }

  @Test func `a child left by --describe hides no function`() async throws {
    try await withTemporaryFolder { folder in
      let manifest = #"{"contract":1,"name":"probe"}"#
      let scripts = ["probe": "#!/bin/sh\nsetsid sleep 50 &\necho '\(manifest)'\n"]
      let (catalog, warnings) = try await discover(scripts, in: folder)
      #expect(catalog.functions.keys.sorted() == ["probe"], "\(warnings)")
    }
  }
}
