import Delivery
import FunctionRuntime
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AuthContextTests {
  private let body = "echo '\(contentLine)'"

  @Test(arguments: [
    AuthContext(type: "app_user", id: "sarah"), .init(type: "service_account"),
  ])
  func `a posted event keeps who made the change`(
    authContext: AuthContext
  ) async throws {
    let probe = script("probe", "", body)
      .replacing("v1.created", with: "v1.created.withAuthContext")
    try await withDispatcher(["probe": probe]) { dispatcher in
      let delivery = try await dispatcher.delivered(creation(authContext: authContext))
      #expect(delivery.event.authContext == authContext)
    }
  }

  @Test func `a trigger without the auth context doesn't get it`() async throws {
    try await withDispatcher(["probe": script("probe", "", body)]) { dispatcher in
      let event = try creation(authContext: .init(type: "app_user", id: "sarah"))
      let delivery = try await dispatcher.delivered(event)
      #expect(delivery.event.authContext == nil)
    }
  }
}
