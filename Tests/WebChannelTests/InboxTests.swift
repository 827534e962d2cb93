import Core
import Foundation
import Testing

@testable import WebChannel

struct InboxTests {
  private func texts(_ range: Range<Int>) -> [Data] { range.map { Data("\($0)".utf8) } }

  @Test func messagesAreReadOnceInTheirOrder() async throws {
    let inbox = Inbox()
    try await inbox.add(texts(2..<4), from: 2)
    try await inbox.add(texts(0..<3), from: 0)
    try await inbox.add(texts(1..<6), from: 1)
    var read: [String] = []
    for await message in inbox {
      read.append(String(decoding: message, as: UTF8.self))
      if read.count == 6 { break }
    }
    #expect(read == ["0", "1", "2", "3", "4", "5"])
  }

  @Test func aMessageFarAheadIsRefused() async throws {
    let inbox = Inbox()
    await #expect(throws: StatusError.self) { try await inbox.add(texts(0..<1), from: 5_000) }
  }

  @Test func aMessageThatIsSentAgainCountsOnce() async throws {
    let inbox = Inbox()
    try await inbox.add([Data(count: 10)], from: 1)
    try await inbox.add([Data(count: 20)], from: 1)
    #expect(inbox.byteCount == 10)
    try await inbox.add([Data(count: 1)], from: 0)
    let iterator = inbox.makeAsyncIterator()
    for size in [1, 10] { #expect(await iterator.next()?.count == size) }
    #expect(inbox.byteCount == 0)
  }

  @Test func unreadMessagesMakeRequestsWaitAndAreBounded() async throws {
    let inbox = Inbox()
    let mebibyte = Data(count: 1 << 20)
    try await inbox.add([mebibyte], from: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      // These requests return when their messages are read.
      for number in 1..<32 { group.addTask { try await inbox.add([mebibyte], from: number) } }
      let iterator = inbox.makeAsyncIterator()
      for _ in 0..<32 { #expect(await iterator.next() != nil) }
      try await group.waitForAll()
    }
    await #expect(throws: StatusError.self) {
      try await inbox.add([Data(count: 33 << 20)], from: 32)
    }
  }

  @Test func theEndResumesTheReaderAndTheWaitingRequests() async throws {
    let inbox = Inbox()
    async let waiting: Void = inbox.add([Data(count: 2 << 20)], from: 0)
    async let read: Data? = inbox.first { $0.isEmpty }
    inbox.finish()
    try await waiting
    #expect(await read == nil)
  }
}

struct ChannelFormTests {
  private func form(_ text: String) throws -> ChannelForm { try ChannelForm(Data(text.utf8)) }

  @Test func messagesAndHeadersAreDecoded() throws {
    let form = try form(
      "headers=Authorization:Bearer%20a%3Ab%0D%0AContent-Type%3Atext%2Fplain%0D%0A&count=2&ofs=7"
        + "&req0___data__=%7B%22a%22%3A1%7D&req1___data__=a+b%2B&req0_other=x"
    )
    #expect(form.headers == ["authorization": "Bearer a:b", "content-type": "text/plain"])
    #expect(form.number == 7)
    #expect(form.messages == [Data("{\"a\":1}".utf8), Data("a b+".utf8)])
  }

  @Test func anEmptyFormHasNoMessages() throws { #expect(try form("").messages.isEmpty) }

  @Test(arguments: [
    "count=2&req0___data__={}", "count=x", "count=-1", "count=20000", "ofs=1e9",
    "count=99999999999999999999", "req0___data__=%4", "=%zz",
  ])
  func aMalformedFormIsRefused(_ text: String) {
    #expect(throws: StatusError.self) { try form(text) }
  }
}
