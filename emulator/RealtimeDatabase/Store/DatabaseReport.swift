import Core
import Synchronization

/// A database and its listeners, for people.
package struct DatabaseReport: Encodable, Sendable {
  /// The listeners of one user with the same node and the same query.
  package struct Listeners: Encodable, Sendable {
    /// The user's ID, `administrator`, or `nobody`.
    var caller: String
    var path: String
    /// The query, such as `orderByKey limitToLast=5`, or `nil` for the whole node.
    var query: String?
    var count: Int
  }

  /// The most listeners that are named.
  private static let mostListeners = 500

  var name: String
  /// A Boolean value that indicates whether a client has set the rules.
  var hasOwnRules: Bool
  /// The number of times that clients have set the rules.
  var rulesVersion: Int
  var listeners: [Listeners]
  /// The number of the listeners that aren't named.
  var otherListeners: Int

  init(_ name: ByteKey, rulesVersion: Int, _ listeners: [TreeListener]) {
    self.name = name.string
    hasOwnRules = rulesVersion > 0
    self.rulesVersion = rulesVersion
    var groups: [[ByteKey]: Listeners] = [:]
    for listener in listeners {
      let caller = listener.caller.withLock { $0 }.name
      let path = "/\(listener.path)"
      let query = listener.query.isComplete ? nil : listener.query.description
      groups[
        [caller, path, query ?? ""].map { ByteKey($0) },
        default: Listeners(
          caller: caller,
          path: path,
          query: query,
          count: 0
        )
      ].count += 1
    }
    let sorted = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    self.listeners = Array(sorted.prefix(Self.mostListeners))
    otherListeners = listeners.count - self.listeners.reduce(0) { $0 + $1.count }
  }
}

extension DatabaseCaller {
  fileprivate var name: String {
    switch self {
    case .administrator: "administrator"
    case .client(let auth): auth["uid"]?.string ?? "nobody"
    }
  }
}

extension JSONValue {
  fileprivate var display: String {
    (try? JSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

extension TreeQuery {
  /// The query in the words of the REST interface, without the order that is the default.
  fileprivate var description: String {
    let parts = facts.sorted { $0.key < $1.key }.filter { $0.value != .boolean(false) }
    return parts.map { name, value in
      value == .boolean(true) && name.utf8.starts(with: "orderBy".utf8)
        ? name.string : "\(name.string)=\(value.display)"
    }.joined(separator: " ")
  }
}
