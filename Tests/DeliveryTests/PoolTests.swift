import Core
import Delivery
import FunctionHost
import FunctionRuntime
import TestKit
import Testing

/// A function's concurrent events, their limits, and their cancellation.
@Suite(.timeLimit(.minutes(10)))
struct PoolTests {
  /// A function that answers no event before the file `go` exists.
  private let patient = """
    \(Mode.worker.ready)
    while read -r line; do
      echo + >>"$FOLDER/turns"
      while [ ! -e "$FOLDER/go" ]; do sleep 0.01; done
      echo - >>"$FOLDER/turns"
      echo '\(contentLine)'
    done
    """
  private let one = #""worker":true,"concurrency":1,"#

  @Test func `concurrent events never exceed the manifest's limit`() async throws {
    let script = probe(#""worker":true,"concurrency":3,"#, patient)
    try await withPool(script) { test in
      await withTaskGroup(of: InvocationResult.self) { group in
        for number in 1...20 { group.addTask { await test.invoke("i\(number)") } }
        try? await test.waitForLines(3, of: "turns")
        while test.pool.waitingCount < 17 { await Task.yield() }
        #expect(FileManager.default.createFile(atPath: "\(test.folder)/go", contents: nil))
        for await result in group { #expect(result.status == .ok) }
      }
      var running = 0
      var most = 0
      for line in test.lines(of: "turns") {
        running += line == "+" ? 1 : -1
        most = max(most, running)
      }
      #expect(most == 3)
      #expect(test.lines(of: "groups").count == 3)
    }
  }

  @Test func `events wait first come, first served`() async throws {
    let body = """
      \(Mode.worker.ready)
      while read -r line; do
        echo "$line" >>"$FOLDER/events"
        while [ ! -e "$FOLDER/go" ]; do sleep 0.01; done
        echo '\(contentLine)'
      done
      """
    try await withPool(probe(one, body)) { test in
      await withTaskGroup(of: Void.self) { group in
        for number in 1...8 {
          group.addTask { _ = await test.invoke("i\(number)") }
          if number == 1 { try? await test.waitForLines(1, of: "events") }
          while test.pool.waitingCount < number - 1 { await Task.yield() }
        }
        #expect(FileManager.default.createFile(atPath: "\(test.folder)/go", contents: nil))
      }
      let events = test.lines(of: "events")
      #expect(events.count == 8)
      for (index, line) in events.enumerated() { #expect(line.contains(#""id":"i\#(index + 1)""#)) }
    }
  }

  @Test func `a cancelled event stops waiting, and the others go on`() async throws {
    try await withPool(probe(one, patient)) { test in
      async let first = test.invoke("i1")
      try await test.waitForLines(1, of: "turns")
      let second = Task { await test.invoke("i2") }
      while test.pool.waitingCount < 1 { await Task.yield() }
      async let third = test.invoke("i3")
      while test.pool.waitingCount < 2 { await Task.yield() }
      second.cancel()
      #expect(await second.value.error?.code == .cancelled)
      #expect(FileManager.default.createFile(atPath: "\(test.folder)/go", contents: nil))
      #expect(await first.status == .ok)
      #expect(await third.status == .ok)
    }
  }

  @Test(arguments: [#""worker":true,"#, ""])
  func `an invocation that is cancelled ends with all its processes`(members: String) async throws {
    let body = """
      \(members.isEmpty ? "" : Mode.worker.ready)
      echo >>"$FOLDER/turns"; sleep 300 & sleep 300
      """
    try await withPool(probe(members, body)) { test in
      let invocation = Task { await test.invoke() }
      try await test.waitForLines(1, of: "turns")
      invocation.cancel()
      #expect(await invocation.value.error?.code == .cancelled)
      try await test.waitForEnds()
    }
  }

  @Test func `closing the pool ends running and waiting events`() async throws {
    try await withPool(probe(one, patient)) { test in
      async let first = test.invoke("i1")
      try await test.waitForLines(1, of: "turns")
      async let second = test.invoke("i2")
      while test.pool.waitingCount < 1 { await Task.yield() }
      await test.pool.close()
      for result in await [first, second] {
        #expect(result.error?.code == .cancelled)
        #expect(result.isRetryable)
      }
      #expect(await test.invoke("i3").error?.code == .cancelled)
    }
  }
}
