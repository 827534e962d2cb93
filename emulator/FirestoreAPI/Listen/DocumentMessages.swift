import FirestoreModel
import FirestoreProtos
import Store

/// The messages of a Listen stream about the documents that change in one snapshot.
///
/// A document has one message for all its targets. If targets select different fields of the
/// document, it has several messages.
struct DocumentMessages {
  private enum Content: Hashable {
    case exists(Document)
    case displaced(DocumentName)
    case deleted(DocumentName)

    /// Hashes only the name, because hashing a whole document is slow, and few documents occur in
    /// several versions.
    func hash(into hasher: inout Hasher) {
      switch self {
      case .exists(let document): hasher.combine(document.name)
      case .displaced(let name), .deleted(let name): hasher.combine(name)
      }
    }
  }

  private struct Targets {
    var present: [Int32] = []
    var removed: [Int32] = []
  }

  /// A Boolean value that indicates whether documents that leave a target are removed by name only.
  private let hidesLeaving: Bool
  private var order: [Content] = []
  private var targets: [Content: Targets] = [:]

  init(hidingLeaving: Bool = false) { hidesLeaving = hidingLeaving }

  mutating func add(_ changes: [WatchChange], of targets: [Int32]) {
    for change in changes {
      switch change {
      case .present(let document): self[.exists(document)].present += targets
      case .left(let document) where hidesLeaving:
        self[.displaced(document.name)].removed += targets
      case .left(let document): self[.exists(document)].removed += targets
      case .displaced(let name): self[.displaced(name)].removed += targets
      case .deleted(let name): self[.deleted(name)].removed += targets
      }
    }
  }

  private subscript(content: Content) -> Targets {
    get { targets[content] ?? Targets() }
    set {
      if targets.updateValue(newValue, forKey: content) == nil { order.append(content) }
    }
  }

  func responses(at readTime: Timestamp) -> [ProtoListenResponse] {
    order.map { content in
      let targets = self[content]
      var response = ProtoListenResponse()
      switch content {
      case .exists(let document):
        response.documentChange.document = document.proto
        response.documentChange.targetIds = targets.present
        response.documentChange.removedTargetIds = targets.removed
      case .displaced(let name):
        response.documentRemove.document = name.description
        response.documentRemove.removedTargetIds = targets.removed
        response.documentRemove.readTime = readTime.proto
      case .deleted(let name):
        response.documentDelete.document = name.description
        response.documentDelete.removedTargetIds = targets.removed
        response.documentDelete.readTime = readTime.proto
      }
      return response
    }
  }
}
