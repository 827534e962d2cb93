import Core
import HTTPService

/// A request for an operation, with its credential checked.
struct AuthenticationRequest: Sendable {
  let operation: Operation
  /// The fields of the body, or of the query if the method is GET.
  let fields: RequestFields
  /// A Boolean value that indicates whether the request has an administrator's token.
  let isAdministrator: Bool
  /// The emulator's own address as the client knows it, such as `http://127.0.0.1:9099`.
  let origin: String

  /// Creates a request for an operation.
  ///
  /// - Parameter project: The emulator's project.
  /// - Throws: An error if the credential is missing or wrong, the body is malformed, or the request
  ///   is for another project.
  init(
    _ request: ServiceRequest,
    route: Route,
    project: String
  ) throws(AuthenticationError) {
    operation = route.operation
    isAdministrator = try Self.checkCredential(of: request, route.access)
    fields = try Self.fields(of: request, route)
    origin = request.origin
    if let tenant = try fields.text("tenantId") {
      throw .unimplemented("tenantId \(quoted(tenant)) is not implemented in the Auth Emulator.")
    }
    // The response has tokens either way, but a client that sends another type has a mistake.
    _ = try fields.boolean("returnSecureToken")
    var named = route.project
    if named == nil { named = try fields.text("targetProjectId") }
    if route.project == nil, !isAdministrator, named != nil {
      throw .refused(
        "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
      )
    }
    if route.hasOldForm, named == nil { throw .refused("INSUFFICIENT_PERMISSION") }
    guard let named, !named.hasSameBytes(as: project) else { return }
    throw .refused(
      "PROJECT_NOT_FOUND : The emulator runs the project \(project), not \(quoted(named))."
    )
  }

  // MARK: Credentials

  /// Checks the credential.
  ///
  /// - Returns: A Boolean value that indicates whether it is an administrator's.
  private static func checkCredential(
    of request: ServiceRequest,
    _ access: Route.Access
  ) throws(AuthenticationError) -> Bool {
    do throws(StatusError) {
      try request.refuseRepeated("authorization")
    } catch {
      throw AuthenticationError(error)
    }
    if let token = request.bearerToken {
      guard token.isOfAdministrator else { throw .invalidCredential }
      return true
    }
    switch access {
    case .open: break
    case .administrator: throw .missingCredential
    case .client:
      let key = request[query: "key"] ?? request.headers["x-goog-api-key"] ?? ""
      guard !key.isEmpty else { throw .missingKey }
    }
    return false
  }

  // MARK: Fields

  private static func fields(
    of request: ServiceRequest,
    _ route: Route
  ) throws(AuthenticationError) -> RequestFields {
    switch request.method {
    case "GET":
      return RequestFields(JSONObject(request.query.map { ($0.name, JSONValue.string($0.value)) }))
    // Some clients send a body with DELETE.
    case "DELETE": return RequestFields([:])
    default: break
    }
    let mediaType = request.headers["content-type"]?.mediaType
    if route.operation == .grantToken, mediaType == "application/x-www-form-urlencoded" {
      do throws(StatusError) {
        return RequestFields(
          JSONObject(try request.form().map { ($0.key, JSONValue.string($0.value)) })
        )
      } catch {
        throw .malformedPayload("The form can't be decoded.")
      }
    }
    guard !request.body.isEmpty else { return RequestFields([:]) }
    let json: JSONValue?
    do throws(StatusError) {
      json = try JSONValue(unambiguous: request.body)
    } catch {
      throw .malformedPayload("In the body, \(error.message).")
    }
    guard let json else { throw .malformedPayload("The body is not valid JSON in UTF-8.") }
    guard let members = json.object else { throw .invalidPayload("The body must be object") }
    return RequestFields(members)
  }
}

extension ServiceRequest {
  /// The emulator's own address as the client knows it.
  var origin: String { "http://\(authority ?? "127.0.0.1:9099")" }
}
