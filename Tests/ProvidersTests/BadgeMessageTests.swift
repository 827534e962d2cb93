import Core
import Providers
import TestKit
import Testing

struct BadgeMessageTests {
  private func json(_ message: BadgeMessage) throws -> JSONValue {
    try JSONValue(parsing: JSON.encode(message))
  }

  @Test func `a badge push has a number and nothing else`() throws {
    let json = try json(BadgeMessage(token: "t", badge: 7, conversationID: "c"))
    #expect(json.object?.keys.sorted() == ["android", "apns", "data", "token"])
    #expect(json.at("apns.payload.aps")?.object?.keys.sorted() == ["badge", "content-available"])
    #expect(json.at("apns.payload.aps.badge") == .integer(7))
    #expect(json.at("data.badge") == .string("7"))
    #expect(json.at("android.notification") == nil)
  }

  @Test func `a badge push has the analytics label like any push`() throws {
    var message = BadgeMessage(token: "t", badge: 0, conversationID: "c")
    message.analyticsLabel = "chat"
    #expect(try json(message).at("fcm_options.analytics_label") == .string("chat"))
  }
}
