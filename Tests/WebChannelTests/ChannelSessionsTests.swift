import Core
import Foundation
import Testing

@testable import WebChannel

struct ChannelSessionsTests {
  private let message = ChannelMessage(json: Data(repeating: 0x31, count: 1_000))

  @Test func aSessionWithoutABackChannelEnds() throws {
    let sessions = ChannelSessions()
    let left = try sessions.open(route: "a")
    let read = try sessions.open(route: "a")
    _ = try read.openBackChannel(after: 0, patience: .seconds(30), isStreamed: true)
    #expect(sessions.check(now: .now + .seconds(59)))
    _ = try sessions.session(left.id, route: "a")
    #expect(sessions.check(now: .now + .seconds(61)))
    #expect(throws: StatusError.self) { try sessions.session(left.id, route: "a") }
    _ = try sessions.session(read.id, route: "a")
    sessions.close(read)
    #expect(!sessions.check(now: .now))
  }

  @Test func aSessionIsFoundOnItsRouteOnly() throws {
    let sessions = ChannelSessions()
    let session = try sessions.open(route: "a")
    #expect(throws: StatusError.self) { try sessions.session(session.id, route: "b") }
    #expect(session.id.utf8.count == 32)
  }

  @Test func theOldestUnreadSessionsMakeRoom() throws {
    let sessions = ChannelSessions(limits: .init(count: 10))
    let opened = try (0..<10).map { _ in try sessions.open(route: "a") }
    for session in opened.dropFirst(2) {
      _ = try session.openBackChannel(after: 0, patience: .seconds(30), isStreamed: true)
    }
    _ = try sessions.open(route: "a")
    #expect(throws: StatusError.self) { try sessions.session(opened[0].id, route: "a") }
    let last = try sessions.open(route: "a")
    _ = try last.openBackChannel(after: 0, patience: .seconds(30), isStreamed: true)
    // One without a back channel is left.
    let newest = try sessions.open(route: "a")
    _ = try newest.openBackChannel(after: 0, patience: .seconds(30), isStreamed: true)
    #expect(throws: StatusError.self) { try sessions.open(route: "a") }
  }

  @Test func unreadMessagesOfAllSessionsAreBounded() async throws {
    let sessions = ChannelSessions(limits: .init(unreadBytes: 2_500))
    var opened: [ChannelSession] = []
    for _ in 0..<3 {
      let session = try sessions.open(route: "a")
      try await session.send([message])
      opened.append(session)
    }
    #expect(sessions.check(now: .now))
    #expect(throws: StatusError.self) { try sessions.session(opened[0].id, route: "a") }
    for session in opened.dropFirst() { _ = try sessions.session(session.id, route: "a") }
  }

  @Test func messagesOfClientsAreBoundedToo() async throws {
    let sessions = ChannelSessions(limits: .init(unreadBytes: 2_500))
    let small = try sessions.open(route: "a")
    let large = try sessions.open(route: "a")
    for (session, size) in [(small, 1_000), (large, 2_000)] {
      // A back channel doesn't make room for what the stream can't read.
      _ = try session.openBackChannel(after: 0, patience: .seconds(30), isStreamed: true)
      try await session.inbox.add([Data(count: size)], from: 1)
    }
    #expect(sessions.check(now: .now))
    _ = try sessions.session(small.id, route: "a")
    #expect(throws: StatusError.self) { try sessions.session(large.id, route: "a") }
  }

  @Test func aBackChannelEndsWithItsStream() async throws {
    let session = try ChannelSessions().open(route: "a")
    session.finish()
    let number = try session.openBackChannel(after: 0, patience: .seconds(30), isStreamed: true)
    let arrays = try #require(await session.arrays(after: 0, for: number))
    let last = try #require(arrays.last?.id)
    #expect(await session.arrays(after: last, for: number) == nil)
  }

  @Test func aQuietBackChannelGetsANoop() async throws {
    let session = ChannelSession(id: "s", route: "a")
    let number = try session.openBackChannel(after: 0, patience: .seconds(30), isStreamed: false)
    async let arrays = session.arrays(after: 0, for: number)
    session.keepAlive(now: .now + .seconds(29))
    #expect(try session.acknowledge(0).lastID == 0)
    session.keepAlive(now: .now + .seconds(31))
    let received = try #require(await arrays)
    #expect(received.map(\.id) == [1])
    guard case .noop = received[0].content else {
      Issue.record("not a noop: \(received)")
      return
    }
  }

  @Test func aNewBackChannelEndsTheOneBefore() async throws {
    let session = ChannelSession(id: "s", route: "a")
    let first = try session.openBackChannel(after: 0, patience: .seconds(30), isStreamed: false)
    async let arrays = session.arrays(after: 0, for: first)
    let second = try session.openBackChannel(after: 0, patience: .seconds(30), isStreamed: false)
    #expect(await arrays == nil)
    session.closeBackChannel(first)
    #expect(session.absence == nil)
    session.closeBackChannel(second)
    #expect(session.absence != nil)
  }

  @Test func aStreamWaitsForAcknowledgements() async throws {
    let session = ChannelSession(id: "s", route: "a")
    let many = Array(repeating: message, count: 300)
    let sending = Task { try await session.send(many) }
    while try session.acknowledge(0).lastID < 300 { await Task.yield() }
    #expect(session.isFull)
    _ = try session.acknowledge(299)
    try await sending.value
    #expect(!session.isFull)
  }

  @Test func theEndOfASessionEndsItsStream() async throws {
    let session = ChannelSession(id: "s", route: "a")
    let many = Array(repeating: message, count: 300)
    let sending = Task { try await session.send(many) }
    session.close()
    await #expect(throws: StatusError.self) { try await sending.value }
  }

  @Test func nothingFollowsTheEndOfAStream() async throws {
    let session = ChannelSession(id: "s", route: "a")
    session.finish(StatusError(.notFound, "gone"))
    session.finish()
    try? await session.send([message])
    #expect(try session.acknowledge(0).lastID == 2)
    _ = try session.openBackChannel(after: 0, patience: .seconds(30), isStreamed: true)
    #expect(try session.acknowledge(0).lastID == 2)
  }
}
