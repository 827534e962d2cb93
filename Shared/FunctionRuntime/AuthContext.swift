/// The author of a change, as events name it.
package struct AuthContext: Sendable, Hashable {
  /// The type: `app_user`, `admin`, `service_account`, `api_key`, `system`, `unauthenticated` or
  /// `unknown`.
  package var type: String
  package var id: String?

  package init(type: String, id: String? = nil) {
    self.type = type
    self.id = id
  }

  /// The attributes of an event.
  var attributes: [(name: String, value: String)] {
    [("authtype", type)] + (id.map { [("authid", $0)] } ?? [])
  }
}

extension KeyedDecodingContainer {
  /// Decodes the author in an event's attributes, or returns `nil` if the event has none.
  func decodeAuthContext(_ type: Key, _ id: Key) throws -> AuthContext? {
    guard let type = try decodeAttributeIfPresent(forKey: type) else { return nil }
    return AuthContext(type: type, id: try decodeAttributeIfPresent(forKey: id))
  }
}
