import Core
import HTTPService

extension DatabaseREST {
  /// The tag of a node that doesn't exist.
  private static let emptyTag = "null_etag"

  // MARK: Reading

  func get(_ request: DataRequest) throws(DatabaseError) -> ServiceResponse {
    if let path = try request.priorityPath {
      let node = try store.read(request.database, path, as: request.caller)
      return Self.response(node?.priority?.json ?? .null, print: request.print)
    }
    let (path, query) = try request.target
    let isShallow = request.request[query: "shallow"] == "true"
    if isShallow, query != TreeQuery() {
      throw .status(
        StatusError(.invalidArgument, "shallow can't be combined with orderBy and its filters")
      )
    }
    let node = try store.read(
      request.database,
      path,
      query,
      as: request.caller,
      needsIndex: true
    )
    let tag = request.request.headers["if-none-match"]
    if let tag, tag == Self.tag(of: node) {
      var unchanged = ServiceResponse(status: 304)
      unchanged.setTag(tag)
      return unchanged
    }
    var response = Self.response(
      isShallow ? node.shallowJSON : node.json(request.format),
      print: request.print
    )
    if tag != nil || request.wantsTag { response.setTag(Self.tag(of: node)) }
    if let name = request.request[query: "download"] {
      let safe = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_. ".contains($0)) }
      response.headers.append(("content-disposition", "attachment; filename=\"\(safe)\""))
    }
    return response
  }

  private static func tag(of node: Node?) -> String { node.map(\.hash) ?? emptyTag }

  private static func response(
    _ json: JSONValue,
    print: DataRequest.Print?
  ) -> ServiceResponse {
    switch print {
    case .silent: return ServiceResponse(status: 204)
    case .pretty: return .json((try? JSON.encodeIndented(json)) ?? Data())
    case nil: return .json(json)
    }
  }

  // MARK: Writing

  func write(_ request: DataRequest) async throws(DatabaseError) -> ServiceResponse {
    var name: NodeKey?
    let write = try DatabaseError.wrapping { () throws(StatusError) in
      switch request.method {
      case "PUT": return try TreeWrite(setting: request.path, to: request.body)
      case "DELETE": return try TreeWrite(setting: request.path, to: .null)
      case "PATCH":
        guard let members = try request.body.object else { throw DataRequest.invalidData }
        return try TreeWrite(merging: members, into: request.path)
      default:
        let body = try request.body
        let key = store.newKey()
        name = key
        return try TreeWrite(setting: "\(request.path)/\(key.string)", to: body)
      }
    }
    var hash: String?
    if let tag = request.request.headers["if-match"] {
      guard request.method == "PUT" || request.method == "DELETE" else {
        throw .status(StatusError(.invalidArgument, "if-match works with PUT and DELETE only"))
      }
      hash = tag == Self.emptyTag ? "" : tag
    }
    let node: Node?
    do throws(DatabaseError) {
      node = try await store.write(
        write,
        in: request.database,
        ifHash: hash,
        as: request.caller,
        cause: .init(
          traceparent: request.request.headers["traceparent"],
          function: function,
          firesTriggers: request.firesTriggers
        )
      )
    } catch .stale(let node) {
      var response = ServiceResponse.json(node.json(.value), status: 412)
      response.setTag(Self.tag(of: node))
      return response
    }
    var response: ServiceResponse
    if let name {
      response = Self.response(.object(["name": .string(name.string)]), print: request.print)
    } else if write.isMerge {
      let members = write.assignments.map { assignment in
        let path = assignment.path.relative(to: write.path)
        return (path.description, node[path].json(.value))
      }
      response = Self.response(.object(JSONObject(members)), print: request.print)
    } else {
      let isPriority = write.assignments.first?.isPriority == true
      response = Self.response(
        request.method == "DELETE"
          ? .null
          : isPriority ? node?.priority?.json ?? .null : node.json(.value),
        print: request.print
      )
    }
    if request.wantsTag || hash != nil {
      response.setTag(Self.tag(of: node))
    }
    return response
  }
}

extension DataRequest {
  fileprivate var wantsTag: Bool { request.headers["x-firebase-etag"] == "true" }
}

extension ServiceResponse {
  /// Adds the header ETag, and lets pages of other origins read it.
  fileprivate mutating func setTag(_ tag: String) {
    headers += [("etag", tag), ("access-control-expose-headers", "ETag")]
  }
}

extension Node? {
  /// The children without what is below them, as `true`.
  fileprivate var shallowJSON: JSONValue {
    guard let self, self.leaf == nil else { return self.json(.value) }
    return .object(JSONObject(self.children.map { ($0.key.string, .boolean(true)) }))
  }
}
