import Core
import Delivery
import FunctionHost
import FunctionRuntime
import TestKit
import Testing

/// Workers that end before they have answered.
@Suite(.timeLimit(.minutes(10)))
struct FunctionWorkerTests {
  private let ready = #"echo '{"contract":1,"function":"probe","ready":true}'"#
  private let members = #""worker":true,"concurrency":1,"timeoutSeconds":40,"#

  @Test(arguments: [
    "echo '\(contentLine)'; exit 0", "echo '\(contentLine)'; kill -9 $$",
    "exec 0<&-; echo '\(contentLine)'; sleep 300",
  ])
  func `a worker that ended while idle is replaced, and its next event succeeds`(
    answer: String
  ) async throws {
    let body = "\(ready); read -r line; \(answer)"
    try await withDispatcher(["probe": script("probe", members, body)]) { dispatcher in
      for id in ["n1", "n2", "n3"] {
        let delivery = try await dispatcher.delivered(creation(of: id))
        #expect(delivery.state == .succeeded, "\(String(describing: delivery.result?.error))")
      }
    }
  }

  @Test func `an event that killed its worker is given to no other worker`() async throws {
    try await withTemporaryFolder { folder in
      let body = """
        \(ready); while read -r line; do
          echo "$line" >>'\(folder)/read'
          case "$line" in *notes/n2*) kill -9 $$ ;; esac
          echo '\(contentLine)'
        done
        """
      try await withDispatcher(["probe": script("probe", members, body)]) { dispatcher in
        for id in ["n1", "n2", "n3"] {
          let delivery = try await dispatcher.delivered(creation(of: id))
          #expect(delivery.state == (id == "n2" ? .deadLettered : .succeeded))
        }
        #expect(try await runProgram("/bin/cat", ["\(folder)/read"]).lines.count == 3)
      }
    }
  }

  @Test func `a second worker that ends is a failure`() async throws {
    // The first process answers one event and ends. Every later process ends without an answer.
    try await withTemporaryFolder { folder in
      let body = """
        \(ready); read -r line; echo start >>'\(folder)/starts'
        if [ "$(wc -l <'\(folder)/starts')" -eq 1 ]; then echo '\(contentLine)'; fi
        """
      try await withDispatcher(["probe": script("probe", members, body)]) { dispatcher in
        let first = try await dispatcher.delivered(creation(of: "n1"))
        #expect(first.state == .succeeded)
        let second = try await dispatcher.delivered(creation(of: "n2"))
        #expect(second.state == .deadLettered)
        #expect(second.result?.error?.message.contains("before it answered") == true)
        let starts = try await runProgram("/bin/cat", ["\(folder)/starts"])
        #expect(starts.lines.count == 2)
      }
    }
  }

  @Test func `an event isn't given to a second worker after a partial answer`() async throws {
    let body = """
      \(ready); read -r line; echo '\(contentLine)'
      read -r line; echo '{"partial":{}}'
      """
    try await withDispatcher(["probe": script("probe", members, body)]) { dispatcher in
      let first = try await dispatcher.delivered(creation(of: "n1"))
      #expect(first.state == .succeeded)
      let second = try await dispatcher.delivered(creation(of: "n2"))
      #expect(second.state == .deadLettered)
    }
  }

  @Test func `an event whose beginning was read is given to no other worker`() async throws {
    let body = """
      \(ready); read -r line; echo '\(contentLine)'
      head -c 1 >/dev/null; echo '{"partial":{}}'
      """
    try await withPool(probe(members, body)) { test in
      #expect(await test.invoke("i1").status == .ok)
      // The event is larger than a pipe's buffer.
      let event = "\"\(String(repeating: "x", count: 1 << 18))\""
      #expect(await test.invoke("i2", event: event).error?.code == .internal)
      #expect(test.lines(of: "groups").count == 1)
    }
  }

  @Test(arguments: ["sleep 50 &", "setsid sleep 50 &"])
  func `a child that a worker left behind delays nothing for long`(child: String) async throws {
    let body = "\(ready); read -r line; \(child) exit 3"
    try await withDispatcher([
      "probe": script("probe", #""worker":true,"timeoutSeconds":40,"#, body)
    ]) { dispatcher in
      let delivery = try await dispatcher.delivered(creation())
      #expect(delivery.result?.error?.message.contains("before it answered") == true)
    }
  }
}
