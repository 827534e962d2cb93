import Core

/// A request of a client on its connection: `{"t":"d","d":{"r":1,"a":"p","b":{…}}}`.
struct DatabaseMessage {
  enum Action: String {
    case stats = "s"
    case auth, gauth, unauth
    case listen = "q"
    case unlisten = "n"
    case get = "g"
    case put = "p"
    case merge = "m"
    case onDisconnectPut = "o"
    case onDisconnectMerge = "om"
    case onDisconnectCancel = "oc"
  }

  var number: Int64
  var action: Action
  var body: JSONObject

  /// - Throws: `INVALID_ARGUMENT` if a member is missing or has the wrong type.
  init(_ json: JSONValue) throws(StatusError) {
    guard case .integer(let number)? = json["r"], let action = json["a"]?.string else {
      throw StatusError(.invalidArgument, "a message needs the numbers and texts r and a")
    }
    guard let action = Action(ByteKey(action)) else {
      throw StatusError(.invalidArgument, "the action \(quoted(action)) is unknown")
    }
    self.number = number
    self.action = action
    body = json["b"]?.object ?? [:]
  }

  /// A node, and the query for its children.
  struct Target: Hashable {
    var path: TreePath
    var query: TreeQuery
  }

  /// The node that the request is for, and the query.
  var target: Target {
    get throws(DatabaseError) {
      try DatabaseError.wrapping { () throws(StatusError) in
        Target(path: try TreePath(pathText), query: try TreeQuery(message: body["q"]))
      }
    }
  }

  /// The write that the request asks for, at once or at the end of the connection.
  var write: TreeWrite {
    get throws(DatabaseError) {
      try DatabaseError.wrapping { () throws(StatusError) in
        let data = body["d"] ?? .null
        guard action == .merge || action == .onDisconnectMerge else {
          return try TreeWrite(setting: pathText, to: data)
        }
        guard let members = data.object else {
          throw StatusError(.invalidArgument, "the data of an update isn't an object")
        }
        return try TreeWrite(merging: members, into: pathText)
      }
    }
  }

  private var pathText: String {
    get throws(StatusError) {
      guard let path = body["p"]?.string else {
        throw StatusError(.invalidArgument, "the message has no path p")
      }
      return path
    }
  }
}
