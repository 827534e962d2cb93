import Core
import FirestoreModel
import FunctionRuntime
import HTTPService

/// A trigger of another functions emulator, as Google's routes describe it.
struct TriggerRegistration {
  /// The routes of the two generations of functions.
  enum Generation { case first, second }

  var trigger: FunctionManifest.Trigger

  private struct First: Decodable {
    struct Trigger: Decodable {
      var resource: String
      var eventType: String
      var service: String?
    }

    var eventTrigger: Trigger
  }

  private struct Second: Decodable {
    struct Document: Decodable {
      var value: String
      var matchType: String?
    }

    var eventType: String
    var database: String?
    var namespace: String?
    var document: Document
  }

  /// - Throws: `INVALID_ARGUMENT` for what no change could ever fire, naming the member.
  init(
    _ request: ServiceRequest,
    generation: Generation,
    project: String
  ) throws(StatusError) {
    switch generation {
    case .first: trigger = try Self.first(request, project: project)
    case .second: trigger = try Self.second(request, project: project)
    }
  }

  private static func first(
    _ request: ServiceRequest,
    project: String
  ) throws(StatusError) -> FunctionManifest.Trigger {
    let asked = try request.json(First.self, what: "the trigger").eventTrigger
    guard let type = EventType(firstGeneration: asked.eventType) else {
      throw unknown(eventType: asked.eventType)
    }
    guard asked.service ?? "firestore.googleapis.com" == "firestore.googleapis.com" else {
      throw StatusError(
        .invalidArgument,
        "the trigger's service \(quoted(asked.service ?? "")) is not Firestore's"
      )
    }
    // The pattern after it need be no valid path.
    let parts = asked.resource.splitAtSlashes
    guard parts.count > 5, parts[0] == "projects", parts[1] == project, parts[2] == "databases",
      parts[4] == "documents"
    else {
      throw StatusError(
        .invalidArgument,
        "the trigger's resource \(quoted(asked.resource)) names no documents of the project"
      )
    }
    guard parts[3] == "(default)" else {
      throw StatusError(
        .invalidArgument,
        "the first generation knows only the database \"(default)\", not \(quoted(parts[3]))"
      )
    }
    let pattern = parts[5...].joined(separator: "/")
    guard !pattern.replacing("=**}", with: "}").contains("*") else {
      throw StatusError(
        .invalidArgument,
        "the first generation has no bare stars, as in \(quoted(pattern)): write {name} or {name=**}"
      )
    }
    return FunctionManifest.Trigger(eventType: type, document: pattern, project: project)
  }

  private static func second(
    _ request: ServiceRequest,
    project: String
  ) throws(StatusError) -> FunctionManifest.Trigger {
    let asked = try request.json(Second.self, what: "the trigger")
    guard let type = EventType(asked.eventType) else { throw unknown(eventType: asked.eventType) }
    guard asked.namespace ?? "(default)" == "(default)" else {
      throw StatusError(.invalidArgument, "Firestore has only the namespace \"(default)\"")
    }
    let pattern = asked.document.value
    switch asked.document.matchType {
    case nil, "PATH_PATTERN": break
    case "EXACT":
      guard !pattern.contains(where: { "{}*".contains($0) }) else {
        throw StatusError(
          .unimplemented,
          "an EXACT document with a brace or a star in its id can't be listened to"
        )
      }
    case let other?:
      throw StatusError(
        .invalidArgument,
        "the trigger's matchType \(quoted(other)) is neither EXACT nor PATH_PATTERN"
      )
    }
    return FunctionManifest.Trigger(
      eventType: type,
      document: pattern,
      database: asked.database,
      project: project
    )
  }

  private static func unknown(eventType: String) -> StatusError {
    StatusError(
      .invalidArgument,
      "the trigger's eventType \(quoted(eventType)) is not one of Firestore's"
    )
  }
}
