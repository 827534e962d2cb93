import Core
import Delivery
import FirestoreModel
import FunctionRuntime
import Services

/// What led to an event, a delivery or a call, and all that came of it: a tree.
struct Trace: Encodable {
  /// What was asked for: the node of a delivery, of an event's change, or of a call.
  var subject: String
  var started: Timestamp
  /// A parent before its children, which are in the order in which they began.
  var nodes: [Node] = []
  /// Whether there is more than this shows: nodes, documents or bodies.
  var isShortened = false

  struct Node: Encodable {
    enum Kind: String, Encodable {
      case write, delivery, attempt, call
      case provider
    }

    /// Unique in the trace, and the same whenever it is asked for.
    var id: String
    /// nil for what nothing here led to.
    var parent: String?
    var kind: Kind
    /// Since the trace's start.
    var offsetMs: Double
    /// nil of what isn't over.
    var durationMs: Double?

    // One of these, by the kind.
    var write: Change?
    var delivery: DeliveryReport?
    var attempt: Run?
    var call: Call?
    var provider: ProviderCallReport?
  }

  /// A document's change.
  struct Change: Encodable {
    var eventId: String
    var document: String
    /// `created`, `updated`, `deleted`, or `written` if nobody can tell.
    var change: String
    /// Paths of what an update changed.
    var fields: [String]
    /// `admin`, `user`, `unauthenticated` or `function`; nil if nobody took a note of it.
    var author: String?
    /// A user's id, or the function's name.
    var authorName: String?
    /// Absent if there was none, or it is not remembered.
    var before: Document?
    var after: Document?
    var hasDocuments: Bool
  }

  /// An attempt to have a function deal with an event.
  struct Run: Encodable {
    var number: Int
    var exitCode: Int32?
    var error: FunctionReply.Failure?
    /// What the function printed.
    var output: JSONValue?
    /// What it wrote on stderr.
    var logs: [LogStore.Entry]
  }

  struct Call: Encodable {
    var report: CallReport
    /// The request: `{"data","auth"?}`; nil if it was too long to remember.
    var event: JSONValue?
    var logs: [LogStore.Entry]
  }
}
