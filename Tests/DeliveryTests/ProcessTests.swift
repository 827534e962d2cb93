import Core
import Delivery
import FunctionHost
import TestKit
import Testing

/// A function that runs as one process for each event.
@Suite(.timeLimit(.minutes(10)))
struct ProcessTests {
  private let members = #""timeoutSeconds":40,"#

  @Test(arguments: ["sleep 50 &", "setsid sleep 50 &"])
  func `a child left behind doesn't turn a success into a timeout`(child: String) async throws {
    let body = "echo '\(contentLine)'; echo log >&2; \(child) exit 0"
    try await withDispatcher(["probe": script("probe", members, body)]) { dispatcher in
      let delivery = try await dispatcher.delivered(creation())
      #expect(delivery.state == .succeeded, "\(String(describing: delivery.result?.error))")
      #expect(dispatcher.logs.entries().map(\.message) == ["log"])
    }
  }

  @Test func `a line cut short by a child that keeps the output is named`() async throws {
    // The pool ends all processes in the function's process group or with its environment. So the
    // child leaves both before the function ends.
    let body = #"""
      folder=$(mktemp -d); mkfifo "$folder/free"; printf '{"status"'
      env -i PATH="$PATH" setsid sh -c "echo >$folder/free; exec sleep 50" &
      read -r line <"$folder/free"; rm -r "$folder"; exit 0
      """#
    try await withDispatcher(["probe": script("probe", members, body)]) { dispatcher in
      let result = try await dispatcher.delivered(creation()).result
      #expect(result?.exitCode == 70)
      #expect(result?.error?.message.contains("left a process") == true)
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

  @Test(arguments: [(0, 65), (65, 65), (9, 9)])
  func `a failure keeps its exit code unless the process has one of its own`(
    processCode: Int,
    exitCode: Int32
  ) async throws {
    let line = #"{"status":"error","exitCode":65,"error":{"code":"NOT_FOUND","message":"gone"}}"#
    let body = "echo '\(line)'; exit \(processCode)"
    try await withDispatcher(["probe": script("probe", members, body)]) { dispatcher in
      let result = try await dispatcher.delivered(creation()).result
      #expect(result?.exitCode == exitCode)
      #expect(result?.error?.message == "gone")
    }
  }
}
