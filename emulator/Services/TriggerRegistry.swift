import CloudEvents
package import Core
package import Delivery
import FunctionHost
import FunctionRuntime
package import HTTPClient
package import HTTPService

/// Google's routes with which another functions emulator asks for events. They last as long as this
/// process.
///
/// - `PUT    /emulator/v1/projects/{project}/triggers/{key}` functions of the first generation
/// - `POST   /emulator/v1/projects/{project}/eventarcTrigger?eventarcTriggerId={key}` the second
/// - `DELETE /emulator/v1/projects/{project}/triggers/{key}` forgets one of either
///
/// Events go to `/functions/projects/{project}/triggers/{key}` there. A key that is there already is
/// replaced.
package struct TriggerRegistry: HTTPService {
  package let name = "firestore"
  /// What Google lets an event's function have at most; the other emulator has limits of its own.
  private static let timeoutSeconds = 540
  private static let concurrency = 80

  private let dispatcher: Dispatcher
  private let functionsEmulator: String?
  private let transport: HTTPClient

  /// - Parameter functionsEmulator: where events go, `host:port`; nil if nobody said.
  package init(dispatcher: Dispatcher, functionsEmulator: String?, transport: HTTPClient) {
    self.dispatcher = dispatcher
    self.functionsEmulator = functionsEmulator
    self.transport = transport
  }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool { false }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    let path = request.path
    switch (request.method, path.count) {
    case ("PUT", 6) where path[4] == "triggers":
      try register(request, key: path[5], generation: .first)
    case ("POST", 5) where path[4] == "eventarcTrigger":
      guard let key = request[query: "eventarcTriggerId"], !key.isEmpty else {
        throw StatusError(.invalidArgument, "the query has no eventarcTriggerId")
      }
      try register(request, key: key, generation: .second)
    case ("DELETE", 6) where path[4] == "triggers":
      dispatcher.unregister(Self.name(path[5], project: path[3]))
    default: throw notFound(request)
    }
    return .json(JSONValue.object([:]))
  }

  private func register(
    _ request: ServiceRequest,
    key: String,
    generation: TriggerRegistration.Generation
  ) throws(StatusError) {
    let project = request.path[3]
    let registration = try TriggerRegistration(
      request,
      generation: generation,
      project: project
    )
    let function = FunctionManifest(
      name: Self.name(key, project: project),
      triggers: [registration.trigger],
      timeoutSeconds: Self.timeoutSeconds,
      retry: false,
      concurrency: Self.concurrency
    )
    try function.check()
    guard let functionsEmulator else {
      throw StatusError(
        .failedPrecondition,
        "the events have nowhere to go: start this emulator with --functions-emulator HOST:PORT"
      )
    }
    let path = [project, "triggers", key].map(PercentEncoding.encode).joined(separator: "/")
    let target = try HTTPTarget(
      function,
      url: "http://\(functionsEmulator)/functions/projects/\(path)",
      form: generation == .first ? .firstGeneration : .base64Protobuf,
      transport: transport
    )
    try dispatcher.register(function, target: target)
  }

  /// No executable's name has a slash.
  private static func name(_ key: String, project: String) -> String {
    "projects/\(project)/triggers/\(key)"
  }
}
