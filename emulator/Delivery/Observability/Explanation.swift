import Core
package import FirestoreModel
import FunctionHost
import FunctionRuntime
import Store
import Synchronization

/// The explanation of a document's or a field's state.
package struct Explanation: Sendable, Encodable {
  /// A step in the history of the document.
  package struct Step: Sendable, Encodable {
    package var time: Timestamp
    package var what: String
  }

  package var sentence: String
  /// The history, from the first cause on.
  package var chain: [Step]
  /// The runs of functions that the document's changes triggered, with what they wrote.
  package var effects: [Step] = []
  /// The path of the document above in the hierarchy, if that document doesn't exist.
  package var parent: String?
}

extension Dispatcher {
  /// Explains why a document or a field exists, or why it is missing.
  ///
  /// - Parameters:
  ///   - document: The current document, or `nil` if it doesn't exist.
  ///   - parent: The name of the document above in the hierarchy, if that document doesn't exist.
  package func explain(
    _ name: DocumentName,
    _ field: FieldPath?,
    document: Document?,
    missingParent parent: DocumentName? = nil
  ) -> Explanation {
    var explanation = explain(name, field, document: document)
    if field == nil { explanation.effects = effects(of: name) }
    explanation.parent = parent.map { "\($0.path)" }
    return explanation
  }

  private func explain(
    _ name: DocumentName,
    _ field: FieldPath?,
    document: Document?
  ) -> Explanation {
    let subject = field.map { "\($0) of \(name.path)" } ?? "\(name.path)"
    guard !hasNoFunctions else {
      return Explanation(
        sentence: "\(subject) has no recorded history, because this emulator has no functions.",
        chain: []
      )
    }
    let isThere = field.map { document?.fields[$0] != nil } ?? (document != nil)
    if isThere {
      guard let entry = writes.lastWrite(to: name, field) else {
        return Explanation(
          sentence: "\(subject) is older than the history that this emulator has recorded.",
          chain: []
        )
      }
      let verb = entry.kind == .created ? "was created" : "was written"
      return Explanation(
        sentence: "\(subject) \(verb) at \(entry.time), by \(author(of: entry)).",
        chain: chain(to: entry)
      )
    }
    guard let entry = writes.removal(of: field, from: name) else {
      return absence(of: subject, in: name)
    }
    return Explanation(
      sentence: "\(subject) was removed at \(entry.time), by \(author(of: entry)).",
      chain: chain(to: entry)
    )
  }

  /// Returns the newest run of each function that a document's changes triggered. A run that did
  /// something is preferred to a later one that was skipped, since most functions skip their own
  /// writes.
  private func effects(of name: DocumentName) -> [Explanation.Step] {
    var newest: [String: Delivery] = [:]
    for delivery in outbox.deliveries where delivery.event.document == name {
      if delivery.state == .skipped, newest[delivery.function].map({ $0.state != .skipped }) == true
      {
        continue
      }
      newest[delivery.function] = delivery
    }
    let writes = Dictionary(grouping: writes.entries) { $0.invoker?.invocation ?? "" }
    return newest.values.sorted { ($0.recorded, $0.function) < ($1.recorded, $1.function) }
      .flatMap { delivery in
        [Explanation.Step(time: delivery.started ?? delivery.recorded, what: delivery.words)]
          + WriteLog.Entry.lasting(writes[delivery.id, default: []]).map {
            Explanation.Step(time: $0.time, what: "\(delivery.function) \($0.words)")
          }
      }
  }

  // MARK: Existing documents and fields

  private func author(of entry: WriteLog.Entry) -> String {
    entry.invoker.map { "\($0.function), \($0.invocation)" } ?? entry.caller.words
  }

  private func chain(to entry: WriteLog.Entry) -> [Explanation.Step] {
    chain(to: entry.invoker, by: entry.caller.words, what: entry.words, at: entry.time)
  }

  /// Returns the history of a write: the first change, and each function that followed.
  ///
  /// - Parameters:
  ///   - invoker: The invocation that wrote, or `nil` if no function did.
  ///   - caller: The caller who wrote if no function did.
  ///   - words: The write, as the end of a sentence.
  func chain(
    to invoker: Invoker?,
    by caller: String,
    what words: String,
    at time: Timestamp
  ) -> [Explanation.Step] {
    guard let invoker else { return [.init(time: time, what: "\(caller) \(words)")] }
    var steps: [Explanation.Step] = []
    let invokers = outbox[invoker.invocation]?.asInvoker ?? [invoker]
    for invoker in invokers {
      guard let delivery = outbox[invoker.invocation] else {
        let what = invoker.resource == nil ? "a call of" : "a delivery (no longer kept) to"
        steps.append(.init(time: time, what: "\(what) \(invoker.function)"))
        continue
      }
      let event = delivery.event
      if steps.isEmpty {
        let author =
          event.document.flatMap { writes.entry(of: $0, at: event.time)?.caller.words }
          ?? objects.author(of: event)?.words ?? event.authContext?.words ?? "an unknown caller"
        steps.append(.init(time: event.time, what: "\(author) \(event.words)"))
      }
      steps.append(.init(time: delivery.started ?? event.time, what: delivery.words))
    }
    steps.append(.init(time: time, what: "\(invoker.function) \(words)"))
    return steps
  }

  // MARK: Missing documents and fields

  /// Explains the absence of a document or field that was never written.
  private func absence(of subject: String, in name: DocumentName) -> Explanation {
    let writers = sortedManifests.filter { manifest in
      manifest.writes.contains {
        (try? PathPattern($0))?.match(name.path) != nil
      }
    }.map(\.name)
    return absence(of: subject, kind: "documents", writers: writers) { event in
      // A message's id is part of its analysis's id, for example.
      switch event {
      case .document(let event):
        event.document == name || name.id.hasBytes(of: event.document.id)
      case .reference(let event): event.ref.keys.contains { $0.hasSameBytes(as: name.id) }
      case .object(let event):
        event.name.splitAtSlashes.contains { $0.hasSameBytes(as: name.id) }
      }
    }
  }

  /// Explains the absence of what was never written.
  ///
  /// - Parameters:
  ///   - kind: The kind of what is absent, in the plural.
  ///   - writers: The names of the functions that may write it.
  ///   - isRelated: Whether an event would have led to the write.
  func absence(
    of subject: String,
    kind: String,
    writers: [String],
    isRelated: (ChangeEvent) -> Bool
  ) -> Explanation {
    guard !writers.isEmpty else {
      return Explanation(
        sentence: "\(subject) doesn't exist, and no function here declares writes to such \(kind).",
        chain: []
      )
    }
    let related = outbox.deliveries.filter {
      writers.contains($0.function) && isRelated($0.event)
    }
    guard !related.isEmpty else {
      return Explanation(
        sentence:
          "\(subject) doesn't exist: nothing triggered \(writers.joined(separator: " or ")).",
        chain: []
      )
    }
    let newest = writers.compactMap { writer in related.last { $0.function == writer } }
    return Explanation(
      sentence: "\(subject) doesn't exist: " + newest.map(\.words).joined(separator: "; ") + ".",
      chain: newest.indices.flatMap { index -> [Explanation.Step] in
        let delivery = newest[index]
        let run = Explanation.Step(
          time: delivery.started ?? delivery.recorded,
          what: delivery.words
        )
        // An event that triggered several functions is told once.
        guard index == 0 || newest[index - 1].event.id != delivery.event.id else { return [run] }
        return [.init(time: delivery.event.time, what: delivery.event.passiveWords), run]
      }
    )
  }
}

extension Dispatcher {
  var hasNoFunctions: Bool { state.withLock(\.manifests.isEmpty) }

  /// The functions' manifests by name.
  var sortedManifests: [FunctionManifest] { state.withLock(\.sorted) }
}

extension ChangeEvent {
  /// The change, as the end of a sentence that begins with its author.
  fileprivate var words: String {
    change == .metadataUpdated ? "updated the metadata of \(path)" : "\(change.rawValue) \(path)"
  }

  /// The change, as a sentence without its author.
  fileprivate var passiveWords: String {
    change == .metadataUpdated
      ? "the metadata of \(path) was updated" : "\(path) was \(change.rawValue)"
  }
}

extension Delivery {
  /// The delivery's state, as part of a sentence.
  fileprivate var words: String {
    let tries = attemptCount == 1 ? "1 attempt" : "\(attemptCount) attempts"
    switch state {
    case .running: return "\(function) is running (\(id))"
    case .succeeded: return "\(function) ran (\(id), \(tries))"
    case .skipped: return "\(function) skipped it (\(id)): \(result?.reason ?? "no reason")"
    case .deadLettered:
      return "\(function) failed and was given up (\(id), \(tries)): \(failure)"
    case .waiting:
      guard attemptCount > 0 else { return "\(function) waits for its first attempt (\(id))" }
      let time = nextAttempt.map { ", next at \($0)" } ?? ""
      return "\(function) failed and waits for a retry (\(id), \(tries)\(time)): \(failure)"
    }
  }
}

extension WriteLog.Entry {
  /// Returns an invocation's changes without those of documents that it has deleted itself, such as
  /// its leases.
  fileprivate static func lasting(_ entries: [Self]) -> [Self] {
    let created = Set(entries.filter { $0.kind == .created }.map(\.document))
    let deleted = Set(entries.filter { $0.kind == .deleted }.map(\.document))
    return entries.filter { !created.contains($0.document) || !deleted.contains($0.document) }
  }

  fileprivate var words: String {
    switch kind {
    case .created: "created \(document.path)"
    case .deleted: "deleted \(document.path)"
    case .updated:
      "updated \(fields.map(\.description).joined(separator: ", ")) of \(document.path)"
    }
  }
}

extension AuthContext {
  /// The author as `CommitCause.Caller` names it.
  var words: String {
    switch (type, id) {
    case ("app_user", let uid?): "user \(uid)"
    case ("unauthenticated", _): "an unauthenticated caller"
    default: "an administrator"
    }
  }
}

extension CommitCause.Caller {
  fileprivate var words: String {
    switch self {
    case .admin: "an administrator"
    case .user(let uid): "user \(uid)"
    case .unauthenticated: "an unauthenticated caller"
    case .expiry: "a TTL policy"
    }
  }
}
