import FirestoreModel
import RPCStatus
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(1)))
struct WatchTests {
  private let store = Store()

  @Test func `a query's listener hears of what begins, goes on and ceases to match`() async throws {
    try store.commit(.set("c/a", ["v": 1]), .set("c/b", ["v": 5]))
    let client = WatchClient(store)
    try client.watch(query(filter(.lessThan, 3)))
    try await client.hear()
    #expect(client.ids() == ["a"])
    try store.commit(.set("c/c", ["v": 2]))
    try store.commit(.set("c/a", ["v": 0]), .set("c/b", ["v": 6]))
    try store.commit(.set("c/c", ["v": 9]))
    try store.commit(.delete("c/a"))
    try await client.hear()
    #expect(client.heard.map(\.text) == ["+c", "+a", "-c", "!a"])
    #expect(client.ids() == [] && client.eventCount == 4)
  }
}
