import Core
import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime
import ProviderFakes
import Store

/// The recording of a running invocation.
struct InvocationRecording {
  private let function: InstalledFunction
  private let request: InvocationRequest
  private let time: Timestamp
  private var documents: [String: Document?] = [:]
  private var concurrentChanges: [String: [ConcurrentChange]] = [:]
  /// The times of the function's own last changes by path, `nil` for a document that it deleted.
  private var own: [String: Timestamp?] = [:]
  private var exchanges: [ProviderExchange] = []
  /// The reason why the invocation can't be replayed.
  private var flaw: String?

  init(_ function: InstalledFunction, _ request: InvocationRequest, at time: Timestamp) {
    self.function = function
    self.request = request
    self.time = time
  }

  private var project: String { function.command.environment["GOOGLE_CLOUD_PROJECT"] ?? "" }

  private var database: DatabaseName {
    ReplayFixture.database(of: project, function.command.environment)
  }

  /// Records a document in the state of its first read. Partial reads of a document are merged.
  mutating func meet(
    _ name: DocumentName,
    _ document: Document?,
    by moment: ConcurrentChange.Moment = .read
  ) {
    guard name.database == database else {
      flaw = flaw ?? "the function uses a database other than \(database), which can't be recorded"
      return
    }
    let path = name.path.description
    guard let known = documents[path] else {
      documents.updateValue(document, forKey: path)
      return
    }
    if let changed = own[path], changed == document?.updateTime { return }
    let versions = concurrentChanges[path] ?? []
    guard (versions.last.map(\.document) ?? known)?.updateTime == document?.updateTime else {
      // Another writer changed the document.
      own[path] = nil
      concurrentChanges[path] =
        versions + [ConcurrentChange(moment: moment, document: document)]
      return
    }
    guard versions.isEmpty, var whole = known, let document else { return }
    whole.fields.addMissing(of: document.fields)
    documents.updateValue(whole, forKey: path)
  }

  mutating func exchange(_ exchange: ProviderExchange) { exchanges.append(exchange) }

  mutating func commit(_ commit: Commit) {
    for change in commit.changes {
      let path = change.name.path.description
      if documents[path] == nil { meet(change.name, change.before) }
      own.updateValue(change.after?.updateTime, forKey: path)
    }
  }

  mutating func note(flaw: String) { self.flaw = self.flaw ?? flaw }

  /// Returns the fixture of the ended invocation.
  ///
  /// - Throws: `FAILED_PRECONDITION` with the reason if the invocation can't be replayed.
  func fixture(_ result: InvocationResult) throws(StatusError) -> ReplayFixture {
    if let flaw { throw StatusError(.failedPrecondition, flaw) }
    return ReplayFixture(
      function: function.name,
      project: project,
      environment: environment,
      invocationID: request.invocation.id ?? "",
      attempt: request.invocation.attempt ?? 1,
      isStreaming: request.invocation.streaming ?? false,
      time: time.wholeMilliseconds,
      event: try JSONValue(parsing: request.event),
      documents: documents,
      concurrentChanges: concurrentChanges,
      queries: nil,
      exchanges: exchanges,
      expected: ReplayOutcome(result, changes: [:])
    )
  }

  /// The variables that the manifest lists, without addresses and secrets. A replay has its own
  /// addresses and secrets.
  private var environment: [String: String] {
    let names = function.manifest.environment.map(\.name).filter { name in
      !["_HOST", "_BASE_URL", "_CREDENTIALS", "_PROJECT"].contains(where: name.hasSuffix)
        && !function.manifest.secrets.contains(name)
    }
    return function.command.environment.filter { names.contains($0.key) && !$0.value.isEmpty }
  }

  /// The invocation's name in the message that says why it can't be recorded.
  var description: String { "\(function.name) \(request.invocation.id ?? "")" }
}

extension Fields {
  /// Adds the fields that another part of the same document has and this part lacks.
  fileprivate mutating func addMissing(of other: Self) {
    for (name, value) in other {
      guard let own = self[name] else {
        self[name] = value
        continue
      }
      guard case .map(var fields) = own, case .map(let others) = value else { continue }
      fields.addMissing(of: others)
      self[name] = .map(fields)
    }
  }
}
