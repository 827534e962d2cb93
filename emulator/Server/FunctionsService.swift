import CloudEvents
package import Doubles
import FunctionRuntime
package import HTTPService
import JSONCoding
import Platform
package import RPCStatus
package import Triggers
import Workers

/// The functions over HTTP, and the providers they call.
///
/// - `POST /{project}/{region}/{function}` the callable protocol of Firebase's SDKs
/// - `POST /{function}` a bare body, a bare answer
/// - `POST /events` a CloudEvent, as a pipeline delivers it
/// - `POST /functions/projects/{project}/triggers/{key}` an event of Google's Firestore emulator
/// - `/providers/…` the doubles; of those the metadata server, which GCE_METADATA_HOST can only name
///   by its port, also at `/computeMetadata/…`
package struct FunctionsService: HTTPService {
  package let name = "functions"
  private let project: String
  private let dispatcher: Dispatcher
  private let doubles: ProviderDoubles

  /// - Parameter project: the one whose users may call.
  package init(project: String, dispatcher: Dispatcher, doubles: ProviderDoubles) {
    self.project = project
    self.dispatcher = dispatcher
    self.doubles = doubles
  }

  package func isBrief(_ request: ServiceRequest) -> Bool {
    request.path.first == "providers" && request.body.count <= 16 * 1024
  }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    switch (request.method, request.path.count) {
    case ("GET", 0): return doubles.greeting(request)
    case (_, _) where request.path.first == "computeMetadata":
      return try await doubles.respond(to: request)
    case (_, _) where request.path.first == "providers":
      var request = request
      request.path.removeFirst()
      return try await doubles.respond(to: request)
    case ("POST", 1) where request.path == ["events"]:
      return try await accept(request)
    case ("POST", 1): return try await answerBare(request, function: request.path[0])
    case ("POST", 3): return await answerCallable(request, function: request.path[2])
    case ("POST", 5)
    where request.path[0...1] == ["functions", "projects"] && request.path[3] == "triggers":
      return try await accept(request, of: AttachedTrigger(key: request.path[4]))
    default: throw notFound(request)
    }
  }

  private func function(_ name: String) throws(StatusError) -> InstalledFunction {
    guard let function = dispatcher.catalog.functions[name] else {
      throw StatusError(.notFound, "there is no function \(quoted(name))")
    }
    guard function.manifest.callable else {
      throw StatusError(.notFound, "\(name) is not callable")
    }
    return function
  }

  private func caller(_ request: ServiceRequest) throws(StatusError) -> UnsignedToken? {
    guard let token = request.bearerToken else { return nil }
    let caller = try UnsignedToken(token)
    try caller.checkProject(project)
    return caller
  }

  // MARK: Bare

  private func answerBare(
    _ request: ServiceRequest,
    function name: String
  ) async throws(StatusError) -> ServiceResponse {
    let function = try function(name)
    // The body becomes a callable's data: whatever it says of a caller is only data then.
    guard request.body.isValidUTF8, (try? JSONValue(parsing: request.body))?.object != nil else {
      throw StatusError(.invalidArgument, "the body is not a JSON object")
    }
    let event = CallableEvent(data: request.body, caller: try caller(request)).json
    let result = await dispatcher.call(function, event: event)
    if let error = result.error { throw error.toCaller(of: name) }
    return .json(result.result ?? .object(["skipped": .string(result.reason ?? "")]))
  }

  // MARK: Callable

  /// Source: firebase.google.com/docs/functions/callable-reference.
  private func answerCallable(
    _ request: ServiceRequest,
    function name: String
  ) async -> ServiceResponse {
    do throws(StatusError) {
      let function = try function(name)
      let type = request.headers["content-type"]?.lowercased() ?? ""
      guard type.hasPrefix("application/json") else {
        throw StatusError(.invalidArgument, "a call's content type is application/json")
      }
      guard request.body.isValidUTF8,
        let members = (try? JSONValue(parsing: request.body))?.object,
        members.keys.sorted() == ["data"]
      else { throw StatusError(.invalidArgument, "a call's body is {\"data\":…}, nothing else") }
      let event = CallableEvent(request: request.body, caller: try caller(request)).json
      guard request.headers["accept"] != "text/event-stream" else {
        return StreamingCall(function: function, event: event, dispatcher: dispatcher).response
      }
      let result = await dispatcher.call(function, event: event)
      if let error = result.error { throw error.toCaller(of: name) }
      return .json(JSONValue.object(["result": result.result ?? .null]))
    } catch {
      return .json(error.callable, status: error.code.httpStatus)
    }
  }

  // MARK: Events

  private struct Accepted: Encodable {
    var eventId: String
    var deliveries: [DeliveryReport]
  }

  private func accept(_ request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    let event: IncomingEvent<NoCall> = try CloudEventRequest(request).event()
    guard case .document(let document) = event else {
      throw StatusError(.notFound, "no function takes such an event")
    }
    let ids = try await dispatcher.record(document)
    guard !ids.isEmpty else {
      throw StatusError(.notFound, "no function takes this event")
    }
    let waits = request[query: "wait"] == "true"
    if waits { await dispatcher.ended(ids) }
    let reports = ids.compactMap(dispatcher.delivery).map { DeliveryReport($0) }
    return .json(
      Accepted(eventId: document.id, deliveries: reports),
      status: waits ? 200 : 202
    )
  }

  /// Takes an event for the one function whose trigger it was sent to. Google's emulator sends the
  /// next event only when this one is answered, so that isn't put off until the function has ended.
  private func accept(
    _ request: ServiceRequest,
    of key: AttachedTrigger
  ) async throws(StatusError) -> ServiceResponse {
    guard let function = dispatcher.catalog.functions[key.function],
      function.manifest.triggers.indices.contains(key.index)
    else { throw StatusError(.notFound, "there is no trigger \(quoted(key.description))") }
    let received = try CloudEventRequest(request)
    guard !received.isEmpty else { return .json(Accepted(eventId: "", deliveries: [])) }
    guard case .document(let sent) = try received.event() else {
      throw StatusError(.invalidArgument, "the event is not a document's")
    }
    var ids: [String] = []
    if let event = sent.asInProduction,
      case .taken(let trigger, _) = try function.manifest.match(event),
      // Of a function's triggers that take a change, the first brings it.
      function.manifest.triggers[key.index] == trigger
    {
      ids = try await dispatcher.record(event, for: function.name)
    }
    let reports = ids.compactMap(dispatcher.delivery).map { DeliveryReport($0) }
    return .json(Accepted(eventId: sent.id, deliveries: reports))
  }
}

extension StatusError {
  /// As the callable protocol writes it: `{"error":{"status","message"}}`.
  package var callable: JSONValue {
    .object([
      "error": .object(["status": .string(code.rawValue), "message": .string(message)])
    ])
  }

  /// What a caller is told: what we have left out or done wrong ourselves is not for strangers.
  func toCaller(of function: String) -> StatusError {
    guard fault == .configuration else { return self }
    return StatusError(.internal, "\(function) is not configured; the emulator's log says more")
  }
}

/// A callable request as a function reads it from stdin.
///
/// Put together from the bytes that came in: numbers keep every digit.
private struct CallableEvent {
  var json: Data

  /// - Parameter data: a JSON value.
  init(data: Data, caller: UnsignedToken?) {
    json = Data(#"{"data":"#.utf8) + data + Self.auth(caller) + Data("}".utf8)
  }

  /// - Parameter request: a JSON object with the one member `data`.
  init(request: Data, caller: UnsignedToken?) {
    let end = request.lastIndex(of: UInt8(ascii: "}")) ?? request.endIndex
    json = request[..<end] + Self.auth(caller) + Data("}".utf8)
  }

  /// `auth` as the callable protocol has it: the user's id, and every claim of the token.
  private static func auth(_ caller: UnsignedToken?) -> Data {
    guard let caller, let uid = try? JSON.encode(caller.uid) else { return Data() }
    return Data(#","auth":{"uid":"#.utf8) + uid + Data(#","token":"#.utf8) + caller.claims
      + Data("}".utf8)
  }
}
