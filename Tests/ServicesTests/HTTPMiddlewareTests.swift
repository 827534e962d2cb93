import Core
import FirestoreModel
import HTTPService
import Recording
import Services
import Testing

/// Middlewares, which are services that wrap another service.
@Suite(.timeLimit(.minutes(10)))
struct HTTPMiddlewareTests {
  /// A service that handles `GET` requests on the event loop.
  private struct Probe: HTTPService {
    let name = "probe"

    func runsOnEventLoop(_ request: ServiceRequest) -> Bool { request.method == "GET" }

    func respond(to request: ServiceRequest) async -> ServiceResponse { .text("probed") }
  }

  @Test
  func `every wrapper has the name of its service, and runs on the event loop where that does`()
    async throws
  {
    try await withFunctions { functions in
      let recorder = InvocationRecorder(now: { Timestamp(seconds: 0) }, newID: { "id" })
      let dispatcher = functions.dispatcher
      let wrappers: [any HTTPService] = [
        CrashInjection(Probe(), dispatcher: dispatcher),
        ProviderCallMiddleware(Probe(), dispatcher: dispatcher, now: { Timestamp(seconds: 0) }),
        RecordingMiddleware(
          CrashInjection(Probe(), dispatcher: dispatcher),
          recorder: recorder,
          document: { _ in nil }
        ),
      ]
      for wrapper in wrappers {
        #expect(wrapper.name == "probe")
        for (method, runsOnEventLoop) in [("GET", true), ("POST", false)] {
          #expect(
            wrapper.runsOnEventLoop(ServiceRequest(method: method, path: ["x"])) == runsOnEventLoop
          )
        }
      }
    }
  }

  @Test(
    arguments: [
      (["providers", "v1", "chat", "completions"], 100, true),
      (["providers", "v1", "chat", "completions"], 4_097, false),
      (["providers", "token"], 0, true), (["probe"], 0, false),
    ] as [([String], Int, Bool)]
  )
  func `small requests to the fakes run on the event loop`(
    path: [String],
    size: Int,
    runsOnEventLoop: Bool
  )
    async throws
  {
    try await withFunctions { functions in
      let request = ServiceRequest(method: "POST", path: path, body: Data(count: size))
      #expect(functions.service.runsOnEventLoop(request) == runsOnEventLoop)
    }
  }
}
