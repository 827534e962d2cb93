import Core
import HTTPService

/// A request for the data at a path.
struct DataRequest {
  enum Print: String {
    case pretty, silent
  }

  /// The extension that the last part of a path has.
  private static let suffix = ".json"

  let request: ServiceRequest
  let method: String
  let database: ByteKey
  /// The path without the extension.
  let path: String
  let caller: DatabaseCaller
  let print: Print?

  init(_ request: ServiceRequest, _ callers: CallerReading) throws(StatusError) {
    self.request = request
    guard let last = request.path.last, last.hasSuffix(Self.suffix) else {
      throw StatusError(
        .notFound,
        "append .json to the path: /\(request.path.joined(separator: "/")).json"
      )
    }
    let parts = request.path.dropLast() + [String(last.dropLast(Self.suffix.count))]
    guard parts.allSatisfy({ !$0.contains("/") }) else {
      throw StatusError(.invalidArgument, "a key can't contain a slash")
    }
    path = parts.joined(separator: "/")
    method = request.headers["x-http-method-override"]?.uppercased() ?? request.method
    database = try DatabaseName.name(of: request, project: callers.project)
    caller = try Self.caller(of: request, callers)
    guard request[query: "callback"] == nil else {
      throw StatusError(.unimplemented, "callback, for JSONP, is not supported")
    }
    guard let text = request[query: "print"] else {
      print = nil
      return
    }
    guard let print = Print(rawValue: text) else {
      throw StatusError(.invalidArgument, "print must be pretty or silent")
    }
    self.print = print
  }

  /// Returns who sends a request.
  static func caller(
    of request: ServiceRequest,
    _ callers: CallerReading
  ) throws(StatusError) -> DatabaseCaller {
    let token =
      request[query: "auth"] ?? request[query: "access_token"] ?? request.bearerToken
    guard let token else { return .client(.null) }
    guard let text = request[query: "auth_variable_override"] else {
      return try callers.caller(token: token)
    }
    guard let override = try? JSONValue(parsing: Data(text.utf8)),
      override.isNull || override.object != nil
    else {
      throw StatusError(.invalidArgument, "auth_variable_override is neither an object nor null")
    }
    return try callers.caller(token: token, override: override)
  }

  var format: Node.Format { request[query: "format"] == "export" ? .export : .value }

  var wantsEvents: Bool { request.headers["accept"]?.mediaType == "text/event-stream" }

  /// The node that the request is for, and the query for its children.
  var target: (path: TreePath, query: TreeQuery) {
    get throws(DatabaseError) {
      try DatabaseError.wrapping { () throws(StatusError) in
        (try TreePath(path), try TreeQuery { request[query: $0] })
      }
    }
  }

  /// The node whose priority a path that ends in `.priority` names, or `nil` for other paths.
  var priorityPath: TreePath? {
    get throws(DatabaseError) {
      let parts = path.utf8.split(separator: UInt8(ascii: "/"))
      guard parts.last?.elementsEqual(TreeWrite.priorityName.utf8) == true else { return nil }
      return try DatabaseError.wrapping { () throws(StatusError) in
        try TreePath(String(Substring(path.utf8.dropLast(TreeWrite.priorityName.utf8.count))))
      }
    }
  }

  /// A Boolean value that indicates whether the write may trigger functions. An administrator can
  /// prevent it with `disableTriggers=true`, as Firebase's tools do for imports.
  var firesTriggers: Bool {
    guard case .administrator = caller else { return true }
    return request[query: "disableTriggers"] != "true"
  }

  /// The JSON in the request's body.
  var body: JSONValue {
    get throws(StatusError) {
      guard let body = try? JSONValue(parsing: request.body) else { throw Self.invalidData }
      return body
    }
  }

  /// Production's error for a body that isn't the expected JSON.
  static var invalidData: StatusError {
    StatusError(.invalidArgument, "Invalid data; couldn't parse JSON object, array, or value.")
  }
}
