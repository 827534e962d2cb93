import Core
import FunctionHost
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EndTests {
  @Test(arguments: [0, 1, 75, 78, 255])
  func `an exit code is returned`(code: Int32) async throws {
    let child = try spawn(shell("exit $1", "\(code)"))
    let status = await child.exitStatus()
    #expect(status == .exited(code))
    #expect(status.code == code)
  }

  @Test(arguments: [SIGTERM, SIGKILL, SIGSEGV, SIGPIPE, SIGHUP])
  func `a signal that ends a child is returned`(signal: Int32) async throws {
    let child = try spawn(shell("kill -$1 $$", "\(signal)"))
    let status = await child.exitStatus()
    #expect(status == .signalled(signal))
    #expect(status.code == 128 + signal)
  }

  @Test func `every waiter gets the exit status, before and after the end`() async throws {
    let child = try spawn(shell("read line; exit 7"))
    let early = (0..<10).map { _ in Task { await child.exitStatus() } }
    child.closeInput()
    for waiter in early { #expect(await waiter.value == .exited(7)) }
    #expect(await child.exitStatus() == .exited(7))
  }

  @Test func `a child gets time to end by itself`() async throws {
    let child = try spawn(
      shell("trap 'echo cleaned; exit 3' TERM; echo ready; while :; do sleep 0.01; done")
    )
    #expect(try await child.nextLine() == "ready")
    #expect(await child.terminateGroup(grace: .seconds(30)) == .exited(3))
    #expect(try await child.nextLine() == "cleaned")
  }

  @Test func `a cancelled task keeps the full grace period`() async throws {
    let child = try spawn(
      shell("trap 'echo cleaned; exit 3' TERM; echo ready; while :; do sleep 0.01; done")
    )
    #expect(try await child.nextLine() == "ready")
    let ending = Task {
      while !Task.isCancelled { await Task.yield() }
      return await child.terminateGroup(grace: .seconds(30))
    }
    ending.cancel()
    #expect(await ending.value == .exited(3))
  }

  @Test func `a child that ignores SIGTERM is killed after the grace period`() async throws {
    let child = try spawn(
      shell("trap '' TERM; echo ready; while :; do sleep 1000; done")
    )
    #expect(try await child.nextLine() == "ready")
    #expect(await child.terminateGroup(grace: .milliseconds(50)) == .signalled(SIGKILL))
    #expect(try await child.nextLine() == nil)
  }

  @Test(arguments: [Duration.zero, .milliseconds(50), .seconds(30)])
  func `processes that a child left running end with its group`(grace: Duration) async throws {
    let child = try spawn(shell("sleep 1000 & echo $!; exit 4"))
    let grandchild = try #require(Int32(try await child.nextLine() ?? ""))
    #expect(await child.exitStatus() == .exited(4))
    #expect(kill(grandchild, 0) == 0)
    #expect(await child.terminateGroup(grace: grace) == .exited(4))
    #expect(try await child.nextLine() == nil, "the grandchild had the pipe open")
    #expect(try await child.errorOutput.collect(limit: 0) == [])
  }

  @Test func `processes that a child left running get time to end`() async throws {
    let child = try spawn(
      shell(
        """
        (trap 'echo cleaned; exit' TERM; echo ready; while :; do sleep 0.01; done) &
        exit 0
        """
      )
    )
    #expect(try await child.nextLine() == "ready")
    #expect(await child.exitStatus() == .exited(0))
    #expect(await child.terminateGroup(grace: .seconds(30)) == .exited(0))
    #expect(try await child.nextLine() == "cleaned")
    #expect(try await child.nextLine() == nil)
  }

  @Test func `a left process that ignores SIGTERM is killed after the grace period`()
    async throws
  {
    let child = try spawn(
      shell("(trap '' TERM; echo ready; while :; do sleep 1000; done) & exit 0")
    )
    #expect(try await child.nextLine() == "ready")
    #expect(await child.exitStatus() == .exited(0))
    #expect(await child.terminateGroup(grace: .milliseconds(50)) == .exited(0))
    #expect(try await child.nextLine() == nil)
  }

  @Test func `ending a child that has ended changes nothing`() async throws {
    let child = try spawn(shell("exit 5"))
    #expect(await child.exitStatus() == .exited(5))
    #expect(await child.terminateGroup(grace: .seconds(30)) == .exited(5))
    child.signal(SIGKILL)
    #expect(await child.terminateGroup(grace: .zero) == .exited(5))
  }

  @Test func `a signal reaches the whole group`() async throws {
    let child = try spawn(shell("sleep 1000 | sleep 1000"))
    child.signal(SIGINT)
    _ = await child.exitStatus()
    #expect(try await child.nextLine() == nil)
  }

  @Test func `a child without a group of its own is ended alone`() async throws {
    let child = try ChildProcess.spawn(shell("exec sleep 1000"), newProcessGroup: false)
    #expect(getpgid(child.processIdentifier) == getpgrp())
    #expect(await child.terminateGroup(grace: .seconds(30)) == .signalled(SIGTERM))
  }

  @Test func `a child with a group of its own leads it`() async throws {
    let child = try spawn(shell("exec sleep 1000"))
    #expect(getpgid(child.processIdentifier) == child.processIdentifier)
    #expect(await child.terminateGroup(grace: .zero) == .signalled(SIGKILL))
  }
}
