import Core
package import FirestoreModel

/// The value that stands for an existing document: its data, ID and path.
private final class ResourceMembers: RulesMembers {
  let fields: Fields
  let path: [String]

  init(_ fields: Fields, at path: [String]) {
    self.fields = fields
    self.path = path
  }

  var keys: [ByteKey] { ["data", "id", "__name__"] }

  subscript(key: ByteKey) -> RulesValue? {
    switch key {
    case "data": .map(.fields(fields))
    case "id": .string(path.last ?? "")
    case "__name__": .path(RulesPath(path))
    default: nil
    }
  }
}

extension RulesValue {
  /// Returns the value that stands for an existing document.
  ///
  /// - Parameter path: The segments of the document's path, such as `databases/…/users/u1`.
  package static func resource(_ fields: Fields, at path: [String]) -> RulesValue {
    .map(.members(ResourceMembers(fields, at: path)))
  }
}
