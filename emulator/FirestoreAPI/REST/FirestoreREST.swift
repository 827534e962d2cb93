package import Core
import FirestoreModel
import FirestoreProtos
package import HTTPService
package import Persistence
import Store
import SwiftProtobuf

/// The REST service with Firestore's methods and the additional routes of Google's emulator.
///
/// Bodies are parsed as JSON regardless of their content type, because the web client sends
/// `text/plain`.
package struct FirestoreREST: HTTPService {
  package let name = "firestore"
  let service: FirestoreService
  let transfer: DataTransfer
  private let webChannel: FirestoreWebChannel
  private let triggers: (any HTTPService)?
  private let shutDown: @Sendable () -> Void

  /// Creates the service.
  ///
  /// - Parameters:
  ///   - triggers: The service for the routes with which a functions emulator registers triggers.
  ///   - shutDown: A closure that ends the emulator when a client calls the route `/shutdown`.
  package init(
    _ service: FirestoreService,
    transfer: DataTransfer,
    triggers: (any HTTPService)? = nil,
    shutDown: @escaping @Sendable () -> Void
  ) {
    self.service = service
    webChannel = FirestoreWebChannel(service)
    self.transfer = transfer
    self.triggers = triggers
    self.shutDown = shutDown
  }

  /// Returns whether a request is brief: a small write, or a read of documents by name.
  ///
  /// A query or a list may read any number of documents, which would block the event loop.
  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool {
    guard request.body.count <= 4 * 1024, let version = request.path.first, version.hasPrefix("v1")
    else { return false }
    switch request.method {
    // A document's path after `v1/projects/p/databases/d/documents` has an even number of segments.
    // An empty segment at the end is ignored.
    case "GET": return request.path.count { !$0.isEmpty }.isMultiple(of: 2)
    case "PATCH", "DELETE": return true
    case "POST":
      guard let verb = request.verb else { return true }
      return ["batchGet", "beginTransaction", "commit", "rollback"].contains(verb)
    default: return false
    }
  }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    switch (request.method, request.path.first) {
    case ("GET", nil): return .text("Ok\n")
    case (_, "v1"), (_, "v1beta1"): return try await respond(toAPI: request)
    case (_, "emulator") where request.path.dropFirst().first == "v1":
      return try await respond(toEmulator: request)
    case ("POST", "shutdown") where request.path.count == 1:
      shutDown()
      return .text("Shutting down\n")
    case _ where FirestoreWebChannel.owns(request):
      return try await webChannel.respond(to: request)
    default: throw notFound(request)
    }
  }

  private func respond(
    toAPI request: ServiceRequest
  ) async throws(StatusError) -> ServiceResponse {
    let context = try service.context(of: request)
    var segments = Array(request.path.dropFirst())
    if AdminAPI.owns(segments) { throw AdminAPI.refusal }
    if request.method == "POST", let verb = request.verb {
      segments[segments.count - 1].removeLast(verb.count + 1)
      return try await respond(to: verb, of: ResourceName(segments), request, context)
    }
    let resource = try ResourceName(segments)
    let isCollection = !resource.path.segments.count.isMultiple(of: 2)
    switch (request.method, isCollection) {
    case ("GET", false): return try await get(resource, request, context)
    case ("GET", true): return try await list(resource, request, context)
    case ("POST", true): return try await create(in: resource, request, context)
    case ("PATCH", false): return try await update(resource, request, context)
    case ("DELETE", false): return try await delete(resource, request, context)
    default:
      throw StatusError(
        .invalidArgument,
        "\(request.method) does not fit \(quoted(resource.path.description)): a document's path has an "
          + "even number of segments, a collection's path an odd number"
      )
    }
  }

  /// Responds to the routes that only emulators have, which begin with `/emulator/v1/projects/{p}`.
  private func respond(
    toEmulator request: ServiceRequest
  ) async throws(StatusError) -> ServiceResponse {
    let path = request.path.dropFirst(2)
    if let triggers, ["triggers", "eventarcTrigger"].contains(path.dropFirst(2).first) {
      return try await triggers.respond(to: request)
    }
    if request.method == "DELETE", path.count > 2 {
      let resource = try ResourceName(Array(path))
      guard resource.path == .root else { throw notFound(request) }
      _ = try await service.clearData(
        .with { $0.database = resource.database.description },
        service.context(of: request)
      ).value()
      return .json(JSONValue.object([:]))
    }
    guard path.count == 2, path.first == "projects", let verb = request.verb else {
      throw notFound(request)
    }
    let project = String((path.last ?? "").dropLast(verb.count + 1))
    switch (request.method, verb) {
    case ("GET", "securityRules"): return rules(of: project)
    case ("PUT", "securityRules"): return try setRules(request, of: project)
    case ("DELETE", "securityRules"): return try deleteRules(of: project)
    case ("GET", "ruleCoverage"): return coverage(of: project)
    case ("GET", "ruleCoverage.html"): return coveragePage(of: project)
    case ("POST", "export"): return try await export(request, of: project)
    default: throw notFound(request)
    }
  }
}

extension ResourceName {
  fileprivate init(_ segments: [String]) throws(StatusError) {
    try self.init(segments.joined(separator: "/"))
  }
}

extension ServiceRequest {
  /// The text after the last colon of the path, which is the method of a POST request. In other
  /// requests, the colon may be part of an ID.
  fileprivate var verb: String? {
    guard let last = path.last, let colon = last.lastIndex(of: ":") else { return nil }
    return String(last[last.index(after: colon)...])
  }
}
