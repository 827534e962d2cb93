import Core
import Delivery
import FirestoreModel
import FunctionRuntime
import Services

/// The tree of causes and effects of an event, a delivery or a call.
struct Trace: Encodable {
  /// The id of the requested node: a delivery, an event's change or a call.
  var subject: String
  var started: Timestamp
  /// The nodes, each parent before its children. Siblings are in the order in which they began.
  var nodes: [Node] = []
  /// A Boolean value that indicates whether nodes, documents or bodies are left out.
  var isShortened = false

  /// A node of the tree.
  struct Node: Encodable {
    /// The kind of a node.
    enum Kind: String, Encodable {
      case write, delivery, attempt, call
      case provider
    }

    /// The id, which is unique in the trace and the same each time the trace is built.
    var id: String
    /// The id of the parent, or `nil` for a root.
    var parent: String?
    var kind: Kind
    /// The time since the trace's start, in milliseconds.
    var offsetMs: Double
    /// The duration in milliseconds, or `nil` if the node isn't finished.
    var durationMs: Double?

    // The kind decides which one of these is set.
    var write: Change?
    var delivery: DeliveryReport?
    var attempt: Run?
    var call: Call?
    var provider: ProviderCallReport?
  }

  /// The change of a document, of a node of the Realtime Database, or of an object.
  struct Change: Encodable {
    var eventId: String
    /// The path of the document or node, or the name of the object.
    var document: String
    /// The full name of the document, node or object.
    var resource: String
    /// The kind of change: `created`, `updated`, `deleted`, or `written` if it is unknown. That of
    /// an object is `finalized`, `deleted` or `metadataUpdated`.
    var change: String
    /// The paths of the fields that an update changed.
    var fields: [String]
    /// The kind of author: `admin`, `user`, `unauthenticated`, `expiry` or `function`, or `nil` if
    /// it is unknown.
    var author: String?
    /// A user's id or a function's name.
    var authorName: String?
    /// The document before the change, or `nil` if there was none or it isn't kept.
    var before: Document?
    /// The document after the change, or `nil` if there is none or it isn't kept.
    var after: Document?
    /// A Boolean value that indicates whether `before` and `after` are included.
    var hasDocuments: Bool
    /// The node of the Realtime Database, or `nil` if the change is of something else.
    var reference: Reference?
    /// The object, or `nil` if the change is of something else.
    var object: Object?
  }

  /// A node of the Realtime Database. Its data is null if there was none, and `nil` if it is left
  /// out.
  struct Reference: Encodable {
    var instance: String
    var before: JSONValue?
    var after: JSONValue?
  }

  /// An object of Cloud Storage.
  struct Object: Encodable {
    var bucket: String
    /// The object's metadata as in the event, or `nil` if it isn't kept.
    var metadata: JSONValue?
  }

  /// An attempt of a delivery.
  struct Run: Encodable {
    var number: Int
    var exitCode: Int32?
    var error: FunctionReply.Failure?
    /// The function's result line.
    var output: JSONValue?
    /// The lines that the function wrote to stderr.
    var logs: [LogStore.Entry]
  }

  /// A call.
  struct Call: Encodable {
    var report: CallReport
    /// The request, `{"data","auth"?}`, or `nil` if it was too long to keep.
    var event: JSONValue?
    var logs: [LogStore.Entry]
  }
}
