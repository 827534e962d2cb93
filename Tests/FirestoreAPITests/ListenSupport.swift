import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import GRPC
import SwiftProtobuf

/// A client's `Listen` stream.
struct Listening {
  let session: ListenSession
  private var responses: ListenResponses
  /// The responses that have arrived but that the test hasn't read.
  private var waiting: [ProtoListenResponse] = []

  init(to firestore: Firestore, as context: RequestContext? = nil) {
    session = ListenSession(firestore.service, context ?? firestore.context)
    responses = ListenResponses(of: session)
  }

  func send(_ request: (inout ProtoListenRequest) throws -> Void) rethrows {
    session.receive(
      try .with {
        $0.database = Firestore.database
        try request(&$0)
      }
    )
  }

  func add(_ id: Int32, documents: String..., with change: (inout ProtoTarget) -> Void = { _ in }) {
    send {
      $0.addTarget.targetID = id
      $0.addTarget.documents.documents = documents.map(Firestore.name)
      change(&$0.addTarget)
    }
  }

  func add(
    _ id: Int32,
    collection: String,
    query: (inout ProtoStructuredQuery) -> Void = { _ in },
    with change: (inout ProtoTarget) -> Void = { _ in }
  ) {
    send {
      $0.addTarget.targetID = id
      $0.addTarget.query.parent = Firestore.documents
      $0.addTarget.query.structuredQuery.from = [.with { $0.collectionID = collection }]
      query(&$0.addTarget.query.structuredQuery)
      change(&$0.addTarget)
    }
  }

  /// Returns the next response, or `nil` if the stream has ended.
  mutating func next() async throws -> ProtoListenResponse? {
    while waiting.isEmpty {
      guard let portion = try await responses.next() else { return nil }
      waiting = portion.flatMap(\.responses)
    }
    return waiting.removeFirst()
  }

  /// Returns the given number of responses as short texts, or fewer if the stream ends.
  mutating func next(_ count: Int) async throws -> [String] {
    var texts: [String] = []
    while texts.count < count, let response = try await next() { texts.append(response.text) }
    return texts
  }

  /// Returns the responses up to and including the next snapshot, as short texts.
  mutating func snapshot() async throws -> [String] {
    var texts: [String] = []
    while let response = try await next() {
      texts.append(response.text)
      if response.isSnapshot { break }
    }
    return texts
  }

  /// Skips responses until the next snapshot, and returns its resume token.
  mutating func token() async throws -> Data {
    while let response = try await next() {
      if response.isSnapshot { return response.targetChange.resumeToken }
    }
    throw StatusError(.outOfRange, "the stream has ended")
  }
}

extension ProtoListenResponse {
  /// A Boolean value that indicates whether the response is a snapshot, which makes all targets
  /// consistent.
  var isSnapshot: Bool {
    guard case .targetChange(let change)? = responseType else { return false }
    return change.targetChangeType == .noChange && change.targetIds.isEmpty && change.hasReadTime
      && !change.resumeToken.isEmpty
  }

  /// The response as a short text, such as `ADD 2` or `SNAPSHOT`.
  ///
  /// Changes of the document `a` in target 2 are `+a 2` (present), `-a 2` (left the result), `<a 2`
  /// (removed) and `!a 2` (deleted).
  var text: String {
    func ids(_ ids: [Int32]) -> String { ids.map { " \($0)" }.joined() }
    func id(_ name: String) -> String { String(name.split(separator: "/").last ?? "") }
    switch responseType {
    case .targetChange(let change):
      if isSnapshot { return "SNAPSHOT" }
      let cause = change.hasCause ? " (\(change.cause.code) \(change.cause.message))" : ""
      let name =
        switch change.targetChangeType {
        case .add: "ADD"
        case .remove: "REMOVE"
        case .current: change.hasReadTime && !change.resumeToken.isEmpty ? "CURRENT" : "?"
        case .reset: "RESET"
        case .noChange, .UNRECOGNIZED: "?"
        }
      return name + ids(change.targetIds) + cause
    case .documentChange(let change):
      let added = change.targetIds.isEmpty ? "" : "+\(id(change.document.name))"
      let removed =
        change.removedTargetIds.isEmpty
        ? "" : "-\(id(change.document.name))\(ids(change.removedTargetIds))"
      return [added + ids(change.targetIds), removed].filter { !$0.isEmpty }
        .joined(separator: " ")
    case .documentRemove(let remove):
      return "<\(id(remove.document))\(ids(remove.removedTargetIds))"
    case .documentDelete(let delete):
      return "!\(id(delete.document))\(ids(delete.removedTargetIds))"
    case .filter(let filter): return "FILTER \(filter.targetID) \(filter.count)"
    case nil: return "?"
    }
  }
}
