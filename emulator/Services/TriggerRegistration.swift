import Core
import FirestoreModel
import FunctionRuntime
import HTTPService

/// A request of another functions emulator to register a trigger.
struct TriggerRegistration {
  /// The generation of Cloud Functions, each with its own route.
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

  /// Parses a request.
  ///
  /// - Throws: `INVALID_ARGUMENT` if no change could fire the trigger. The message names the field.
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
    guard let type = EventType(firstGeneration: asked.eventType), type.subject == .document else {
      throw unknown(eventType: asked.eventType)
    }
    guard asked.service ?? "firestore.googleapis.com" == "firestore.googleapis.com" else {
      throw StatusError(
        .invalidArgument,
        "the trigger's service \(quoted(asked.service ?? "")) is not Firestore's"
      )
    }
    // The rest of the resource is a pattern, which needn't be a valid path.
    let parts = asked.resource.splitAtSlashes
    guard parts.count > 5, parts[0] == "projects", parts[1] == project, parts[2] == "databases",
      parts[4] == "documents"
    else {
      throw StatusError(
        .invalidArgument,
        "the trigger's resource \(quoted(asked.resource)) is not in the documents of project "
          + project
      )
    }
    guard parts[3] == "(default)" else {
      throw StatusError(
        .invalidArgument,
        "first-generation triggers support only the database \"(default)\", not \(quoted(parts[3]))"
      )
    }
    let pattern = parts[5...].joined(separator: "/")
    guard !pattern.replacing("=**}", with: "}").contains("*") else {
      throw StatusError(
        .invalidArgument,
        "first-generation triggers support no bare stars, as in \(quoted(pattern)): use {name} or "
          + "{name=**}"
      )
    }
    return FunctionManifest.Trigger(eventType: type, document: pattern, project: project)
  }

  private static func second(
    _ request: ServiceRequest,
    project: String
  ) throws(StatusError) -> FunctionManifest.Trigger {
    let asked = try request.json(Second.self, what: "the trigger")
    guard let type = EventType(asked.eventType), type.subject == .document else {
      throw unknown(eventType: asked.eventType)
    }
    guard asked.namespace ?? "(default)" == "(default)" else {
      throw StatusError(
        .invalidArgument,
        "the trigger's namespace \(quoted(asked.namespace ?? "")) doesn't exist: Firestore has only "
          + "\"(default)\""
      )
    }
    let pattern = asked.document.value
    switch asked.document.matchType {
    case nil, "PATH_PATTERN": break
    case "EXACT":
      guard !pattern.contains(where: { "{}*".contains($0) }) else {
        throw StatusError(
          .unimplemented,
          "the trigger's document \(quoted(pattern)) is EXACT and has a brace or a star, which is "
            + "not supported yet"
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
