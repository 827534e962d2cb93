import Chat
import FirestoreModel
import RPCStatus
import TestKit
import Testing

@testable import analyzeMessage

struct AnalysisRecordTests {
  private static let now = Timestamp(seconds: 1_700_000_000)

  private static let idiom = AnalysisRecord.Finding(
    analysis: Analysis(
      hasCulturalContext: true,
      type: .idiom,
      idiomDetected: "break a leg",
      explanation: "Buona fortuna.",
      relevance: .high,
      suggestedEquivalent: "In bocca al lupo"
    ),
    engine: "e1"
  )
  private static let nothing = AnalysisRecord.Finding(analysis: .nothing, engine: "e1")

  private func message(_ text: String = "Break a leg!") throws -> Message {
    Message(try ChatDocuments.message(["senderId": "sarah", "text": .string(text)]))
  }

  private func record(
    _ documents: [Document] = [],
    text: String = "Break a leg!",
    first: String? = "it",
    now: Timestamp = now
  ) throws -> AnalysisRecord {
    AnalysisRecord(
      of: try message(text),
      first: try first.map(Language.init),
      documents: Dictionary(uniqueKeysWithValues: documents.map { ($0.name, $0) }),
      now: now
    )
  }

  private func documents(_ writes: [Write]) -> [Document] {
    writes.compactMap {
      guard case .update(var document) = $0.operation else { return nil }
      document.updateTime = ChatDocuments.updateTime
      return document
    }
  }

  @Test func `the first language has the plain name, further ones their own`() throws {
    let writes = try record().writes([
      Language("it"): Self.idiom, Language("fr"): Self.idiom, Language("de"): Self.nothing,
    ])
    let names = writes.map(\.name.path.description)
    #expect(names.prefix(2) == ["aiAnalysis/m1_fr", "aiAnalysis/m1"])
    #expect(names.last?.hasPrefix("functionEvents/analyzeMessage_") == true)
    #expect(writes.allSatisfy { $0.currentDocument == .exists(false) })
  }

  @Test func `what was written is found again, also that there was nothing`() throws {
    let italian = try Language("it")
    let german = try Language("de")
    let kept = documents(try record().writes([italian: Self.idiom, german: Self.nothing]))
    let record = try record(kept)
    #expect(try record.finding(for: italian) == Self.idiom)
    #expect(try record.finding(for: german) == Self.nothing)
    #expect(try record.finding(for: Language("fr")) == nil)
  }

  @Test func `an edit, thirty days, or another conversation's message of that id end it`() throws {
    let italian = try Language("it")
    let kept = documents(try record().writes([italian: Self.idiom, Language("de"): Self.nothing]))
    for record in [
      try record(kept, text: "Break a leg?"),
      try record(kept, now: Self.now.advanced(by: .seconds(30 * 86_400))),
      try record(
        kept.map {
          var document = $0
          document.fields["conversationId"] = "another"
          document.fields["textHash"] = "another"
          return document
        }
      ),
    ] {
      #expect(try record.finding(for: italian) == nil)
      #expect(try record.finding(for: Language("de")) == nil)
    }
  }

  @Test func `an analysis of another conversation is never overwritten`() throws {
    var kept = documents(try record().writes([Language("it"): Self.idiom]))
    kept[0].fields["conversationId"] = "another"
    let error = #expect(throws: StatusError.self) {
      try record(kept).writes([Language("it"): Self.idiom])
    }
    #expect(error?.code == .alreadyExists)
  }

  @Test func `a write asks for the version that was read`() throws {
    let kept = documents(try record(text: "older").writes([Language("it"): Self.idiom]))
    let writes = try record(kept).writes([Language("it"): Self.idiom])
    #expect(writes.map(\.currentDocument) == [.updateTime(ChatDocuments.updateTime)])
  }

  @Test func `languages without anything to explain are added to each other`() throws {
    let kept = documents(try record().writes([Language("de"): Self.nothing]))
    let added = documents(try record(kept).writes([Language("fr"): Self.nothing]))
    #expect(added.first?.fields["nothingFor"] == .map(["de": "e1", "fr": "e1"]))
  }

  @Test func `when readers change, the plain name stays whose it was`() throws {
    let italian = try Language("it")
    let kept = documents(try record().writes([italian: Self.idiom]))
    let writes = try record(kept, first: "fr").writes([Language("fr"): Self.idiom])
    #expect(writes.map(\.name.path.description) == ["aiAnalysis/m1_fr"])
    #expect(try record(kept, first: "fr").finding(for: italian) == Self.idiom)
  }

  @Test(arguments: Value.everyType)
  func `a document of strange types is none`(value: Value) throws {
    var kept = documents(try record().writes([Language("it"): Self.idiom]))
    for field in ["type", "relevance", "expiresAt", "textHash", "language"] {
      guard value != kept[0].fields[field] else { continue }
      var changed = kept
      changed[0].fields[field] = value
      #expect(try record(changed).finding(for: Language("it")) == nil, "\(field)")
    }
    kept[0].fields["idiomDetected"] = value
    kept[0].fields["suggestedEquivalent"] = value
    #expect(try record(kept).finding(for: Language("it"))?.analysis.type == .idiom)
  }
}
