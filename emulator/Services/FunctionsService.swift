package import Authentication
import CloudEvents
package import Core
import Cryptography
package import Delivery
import FunctionHost
import FunctionRuntime
package import HTTPService
package import ProviderFakes

/// The HTTP service of the functions and the provider fakes.
///
/// - `POST /{project}/{region}/{function}`: a call in the callable protocol of Firebase's SDKs
/// - `POST /{function}`: the same, or a call with a bare body and a bare response, as in `serve`
/// - `POST /events`: an event, as a pipeline delivers it to `serve`
/// - `POST /functions/projects/{project}/triggers/{key}`: an event of Google's Firestore emulator
/// - `/providers/…`: the fakes
/// - `/computeMetadata/…`: the fake of the metadata server, at the root because GCE_METADATA_HOST
///   has no path
package struct FunctionsService: HTTPService {
  package let name = "functions"
  private let project: String
  private let accounts: AccountStore
  private let dispatcher: Dispatcher
  private let fakes: ProviderFakes

  /// Creates the service.
  ///
  /// - Parameters:
  ///   - project: The project whose users may call functions.
  ///   - accounts: The accounts of the project's users.
  package init(
    project: String,
    accounts: AccountStore = AccountStore(),
    dispatcher: Dispatcher,
    fakes: ProviderFakes
  ) {
    self.project = project
    self.accounts = accounts
    self.dispatcher = dispatcher
    self.fakes = fakes
  }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool {
    guard request.path.first == "providers" else { return false }
    var request = request
    request.path.removeFirst()
    return fakes.runsOnEventLoop(request)
  }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    switch (request.method, request.path.count) {
    case ("GET", 0): return fakes.greeting(request)
    case (_, _) where request.path.first == "computeMetadata":
      return try await fakes.respond(to: request)
    case (_, _) where request.path.first == "providers":
      var request = request
      request.path.removeFirst()
      return try await fakes.respond(to: request)
    case ("POST", 1) where request.path == ["events"]:
      return try await takeEvent(request)
    case ("POST", 1):
      let members = (try? JSONValue(parsing: request.body))?.object ?? [:]
      return try await answer(request, function: request.path[0], form: .init(ofBody: members))
    case ("POST", 3): return try await answer(request, function: request.path[2], form: .callable)
    case ("POST", 5)
    where request.path[0...1] == ["functions", "projects"] && request.path[3] == "triggers":
      return try await takeEvent(request, of: AttachedTrigger(key: request.path[4]))
    default: throw notFound(request)
    }
  }

  /// Returns a callable function.
  ///
  /// - Throws: `NOT_FOUND` if there is none with the name.
  private func function(_ name: String) throws(StatusError) -> InstalledFunction {
    guard let function = dispatcher.catalog.functions[name] else {
      throw StatusError(.notFound, "there is no function \(quoted(name))")
    }
    guard function.manifest.callable else {
      throw StatusError(.notFound, "\(name) is not callable")
    }
    return function
  }

  /// Returns the caller that a request's token names, or `nil` if the request has no token.
  private func caller(_ request: ServiceRequest) throws(StatusError) -> CallerIdentity? {
    try request.refuseRepeated("authorization")
    guard let token = request.bearerToken else { return nil }
    let caller = try UnsignedToken(token)
    try accounts.check(caller, project: project)
    return CallerIdentity(caller)
  }

  // MARK: Calls

  private func answer(
    _ request: ServiceRequest,
    function name: String,
    form: CallRequest.Form
  ) async throws(StatusError) -> ServiceResponse {
    do throws(StatusError) {
      let function = try function(name)
      let caller = try caller(request)
      let event = try CallRequest(request, form: form, caller: caller).event
      guard form == .bare || !StreamingCall.isWanted(by: request) else {
        return StreamingCall(of: name) { [dispatcher] onPartial in
          await dispatcher.call(function, event: event, onPartial: onPartial)
        }.response
      }
      let result = await dispatcher.call(function, event: event)
      if let error = result.error { throw error.toCaller(of: name) }
      return CallResponse.answer(to: form, result, of: name)
    } catch {
      guard form == .callable else { throw error }
      return CallResponse.refusal(of: form, error, to: request)
    }
  }

  // MARK: Events

  /// Records an event for the functions with a matching trigger.
  ///
  /// - Parameter key: The only trigger that may match the event, or `nil` for all.
  private func takeEvent(
    _ request: ServiceRequest,
    of key: AttachedTrigger? = nil
  ) async throws(StatusError) -> ServiceResponse {
    do throws(StatusError) {
      guard let key else { return try await accept(request) }
      return try await accept(request, of: key)
    } catch {
      // As in `serve`, an unsupported form of event is 415 (Unsupported Media Type).
      guard error.code == .unimplemented else { throw error }
      return .error(error, status: 415)
    }
  }

  private struct Accepted: Encodable {
    var eventId: String
    var deliveries: [DeliveryReport]
  }

  private func accept(_ request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    guard let event = try ReceivedEvent(request).cloudEvent().changeEvent() else {
      throw StatusError(.notFound, "no function takes events of this type: check the triggers")
    }
    let ids = try await dispatcher.enqueue(event)
    guard !ids.isEmpty else {
      throw StatusError(.notFound, "no function takes this event: check the triggers")
    }
    let waits = request[query: "wait"] == "true"
    if waits { await dispatcher.ended(ids) }
    let reports = ids.compactMap(dispatcher.delivery).map { DeliveryReport($0) }
    return .json(
      Accepted(eventId: event.id, deliveries: reports),
      status: waits ? 200 : 202
    )
  }

  /// Records an event for the function whose trigger it was sent to.
  ///
  /// The response doesn't wait for the function, since Google's emulator sends the next event only
  /// after the response.
  private func accept(
    _ request: ServiceRequest,
    of key: AttachedTrigger
  ) async throws(StatusError) -> ServiceResponse {
    guard let function = dispatcher.catalog.functions[key.function],
      function.manifest.triggers.indices.contains(key.index)
    else { throw StatusError(.notFound, "there is no trigger \(quoted(key.description))") }
    var request = request
    // Google's emulator doesn't percent-encode these headers. The data contains the same facts.
    for name in ["ce-subject", "ce-document"] { request.headers[name] = nil }
    let received = try ReceivedEvent(request).cloudEvent()
    guard !received.tellsOfNothing else { return .json(Accepted(eventId: "", deliveries: [])) }
    guard case .document(let sent)? = try received.changeEvent() else {
      throw StatusError(.invalidArgument, "the event is not about a Firestore document")
    }
    var ids: [String] = []
    if let event = sent.asInProduction.map(ChangeEvent.document),
      case .taken(let trigger, _) = try function.manifest.match(event),
      // If several of a function's triggers take a change, only the first one delivers it.
      function.manifest.triggers[key.index] == trigger
    {
      ids = try await dispatcher.enqueue(event, for: function.name)
    }
    let reports = ids.compactMap(dispatcher.delivery).map { DeliveryReport($0) }
    return .json(Accepted(eventId: sent.id, deliveries: reports))
  }
}
