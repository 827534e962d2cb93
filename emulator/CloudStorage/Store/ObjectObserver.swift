import Core
package import FirestoreModel
package import Store

/// An observer of buckets, such as the dispatcher, which turns their changes into events.
package protocol ObjectObserver: Sendable {
  /// Returns the events of a change, or `nil` if it has none.
  ///
  /// The events' records are written to the journal together with the change. They are published
  /// when the change is visible.
  func prepare(_ change: ObjectChange) -> (any CommitEvents)?
}

/// A change of one object, and its cause.
package struct ObjectChange: Sendable {
  /// The metadata before the change, or `nil` if there was no object.
  package let old: ObjectMetadata?
  /// The metadata after the change, or `nil` if the object was deleted.
  package let new: ObjectMetadata?
  package let time: Timestamp
  package let cause: ObjectCause
}

/// The cause of a change of an object.
package struct ObjectCause: Sendable {
  /// The author of a change.
  package enum Author: Sendable {
    /// An administrator, such as a function or a server.
    case administrator
    /// A user, or `nil` if nobody is signed in.
    case client(uid: String?)
  }

  package var author = Author.administrator
  /// The W3C trace context of the request.
  package var traceparent: String?
  /// The name of the function on whose port the request arrived, or `nil` for the shared port.
  package var function: String?
  /// A Boolean value that indicates whether the change may trigger functions.
  package var firesTriggers = true

  package init() {}
}

extension ObjectChange {
  /// A kind of event about objects.
  package enum Kind: Sendable {
    case finalized, deleted, metadataUpdated
  }

  /// The events of the change: their kinds, and the generations that they are about.
  ///
  /// An upload over an object deletes the old generation and finalizes a new one.
  package var events: [(kind: Kind, object: ObjectMetadata)] {
    if let old, let new, old.generation == new.generation { return [(.metadataUpdated, new)] }
    var events: [(kind: Kind, object: ObjectMetadata)] = []
    if let old { events.append((.deleted, old)) }
    if let new { events.append((.finalized, new)) }
    return events
  }
}
