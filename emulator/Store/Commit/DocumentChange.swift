package import FirestoreModel

/// The net change that a commit made to one document.
package struct DocumentChange: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case created, updated, deleted
  }

  package let name: DocumentName
  /// The document before the commit, or `nil` if it didn't exist. At least one of `before` and
  /// `after` isn't `nil`.
  package let before: Document?
  /// The document after the commit, or `nil` if it no longer exists.
  package let after: Document?

  package init(name: DocumentName, before: Document?, after: Document?) {
    self.name = name
    self.before = before
    self.after = after
  }

  package var kind: Kind {
    if before == nil { return .created }
    return after == nil ? .deleted : .updated
  }

  /// Returns the paths that an update changed, sorted; empty for a creation or a deletion.
  ///
  /// If a field was a map and still is one, the paths lead to the changed fields in it. Otherwise
  /// the path is the field's own. This is the mask of Eventarc's document events
  /// (google.events.cloud.firestore.v1).
  package func changedFields() -> [FieldPath] {
    guard let before, let after else { return [] }
    var paths: [FieldPath] = []
    Self.compare(before.fields, after.fields, below: nil, into: &paths)
    return paths.sorted()
  }

  private static func compare(
    _ before: Fields,
    _ after: Fields,
    below parent: FieldPath?,
    into paths: inout [FieldPath]
  ) {
    for name in Set(before.keys).union(after.keys) where before[name] != after[name] {
      let path = parent?.appending(name) ?? FieldPath(name)
      if case (.map(let old)?, .map(let new)?) = (before[name], after[name]),
        before[name]?.typeOrder == .map, after[name]?.typeOrder == .map
      {
        compare(old, new, below: path, into: &paths)
      } else {
        paths.append(path)
      }
    }
  }
}
