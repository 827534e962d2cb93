import CloudEvents
package import Core
package import Delivery
import FunctionHost
import FunctionRuntime
package import HTTPClient
package import HTTPService

/// The service of Google's routes through which another functions emulator registers triggers.
///
/// - `PUT /emulator/v1/projects/{project}/triggers/{key}`: registers a first-generation trigger
/// - `POST /emulator/v1/projects/{project}/eventarcTrigger?eventarcTriggerId={key}`: registers a
///   second-generation trigger
/// - `DELETE /emulator/v1/projects/{project}/triggers/{key}`: removes a trigger of either
///   generation
///
/// Registrations last until this emulator ends. A new trigger replaces the one with the same key.
/// Events are posted to `/functions/projects/{project}/triggers/{key}` of the other emulator.
package struct TriggerRegistry: HTTPService {
  package let name = "firestore"
  /// Google's maximum timeout of event-driven functions. The other emulator applies its own limits.
  private static let timeoutSeconds = 540
  /// The maximum number of events that are posted at once.
  private static let concurrency = 80

  private let dispatcher: Dispatcher
  private let functionsEmulator: String?
  private let transport: HTTPClient

  /// Creates a registry.
  ///
  /// - Parameter functionsEmulator: The other emulator's `host:port`, or `nil` if it isn't
  ///   configured.
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
        "no functions emulator is configured: start this one with --functions-emulator HOST:PORT"
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

  /// Returns the name of a registered trigger's function. It contains slashes, so that no
  /// executable has the same name.
  private static func name(_ key: String, project: String) -> String {
    "projects/\(project)/triggers/\(key)"
  }
}
