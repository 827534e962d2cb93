import Core
import FirestoreModel
import TestKit
import Testing

@testable import Store

/// Random commits of which the journal refuses some. A refused group must leave no trace.
@Suite(.timeLimit(.minutes(10)))
struct RevertTests {
  /// The documents of the acknowledged commits, now and at the time of each commit.
  private struct Model {
    var documents: [DocumentName: Document] = [:]
    var past: [(time: Timestamp, documents: [DocumentName: Document])] = []

    mutating func add(_ commit: Commit) {
      for change in commit.changes { documents[change.name] = change.after }
      past.append((commit.time, documents))
    }
  }

  @Test(arguments: 1...8)
  func `a refused group leaves memory and indexes unchanged`(seed: UInt64) async throws {
    var generator = QueryGenerator(seed: seed)
    let journal = TestJournal()
    let log = CommitLog()
    let store = Store(journal: journal, observers: [log])
    var model = Model()
    // The journal refuses a third of the groups, independently of their content.
    journal.refuse { call in (UInt64(call) &* 2_654_435_761 &+ seed) % 3 == 0 }
    for round in 0..<60 {
      let attempts = try (0..<(1 + round % 5)).map { _ in
        try store.attemptCommit(Self.writes(&generator), in: database)
      }
      var commits: [Commit] = []
      for attempt in attempts {
        do {
          commits.append(try await attempt.value())
        } catch {
          #expect(error == TestJournal.full)
        }
      }
      for commit in commits.sorted(by: { $0.time < $1.time }) { model.add(commit) }
      if round == 30, (try? await store.attemptClear(database).value()) != nil { model = Model() }
      try Self.compare(store, model, &generator)
    }
    #expect(log.commits.map(\.time) == log.commits.map(\.time).sorted())
    let answered = model.past.map(\.time)
    #expect(log.commits.map(\.time).suffix(answered.count) == answered[...])
  }

  /// Returns writes that set or delete random documents among a hundred: a few, or nearly all.
  private static func writes(_ generator: inout QueryGenerator) throws -> [Write] {
    let count = generator.dice.pick([1, 3, 10, 90])
    let deletes = generator.dice.number(below: 4) == 0
    return try Set((0..<count).map { _ in generator.dice.number(below: 100) })
      .map { id in
        let path = id % 10 == 0 ? "c/\(id)/c/x" : "c/\(id)"
        return deletes ? try .delete(path) : try .set(path, generator.fields())
      }
  }

  private static func compare(
    _ store: Store,
    _ model: Model,
    _ generator: inout QueryGenerator
  ) throws {
    var everything = StructuredQuery(from: "c")
    everything.from[0].allDescendants = true
    let found = try store.run(everything, parent: resource()).documents
    #expect(found.count == model.documents.count)
    for document in found { #expect(model.documents[document.name] == document) }

    let direct = found.filter { $0.name.path.segments.count == 2 }
    let reference = ReferenceEvaluation(documents: direct)
    var answered = 0
    while answered < 6 {
      let query = generator.query()
      guard (try? query.validate()) != nil else { continue }
      answered += 1
      #expect(try store.ids(query) == reference.ids(query), "\(query)")
    }
    // The store's history must consist of the acknowledged commits, too.
    for moment in model.past.suffix(3) {
      let read = try store.attemptQuery(
        everything,
        parent: resource(),
        .readTime(moment.time)
      ).now
      let documents = try read.next(.max)
      #expect(documents.count == moment.documents.count)
      for document in documents { #expect(moment.documents[document.name] == document) }
    }
  }
}
