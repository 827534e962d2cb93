import Chat
import Core
import FirestoreModel
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
  private static let found = AnalysisRecord.Knowledge.finding(idiom)
  private static let foundNothing = AnalysisRecord.Knowledge.finding(nothing)

  private func message(_ text: String = "Break a leg!") throws -> Message {
    Message(try ChatDocuments.message(["senderId": "sarah", "text": .string(text)]))
  }

  private func record(
    _ documents: [Document] = [],
    text: String = "Break a leg!",
    recipient: String? = "it",
    now: Timestamp = now
  ) throws -> AnalysisRecord {
    AnalysisRecord(
      of: try message(text),
      recipient: try recipient.map(Language.init),
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

  @Test func `the recipient's language has the plain name, further ones their own`() throws {
    let writes = try record().writes([
      Language("it"): Self.found, Language("fr"): Self.found, Language("de"): Self.foundNothing,
    ])
    let names = writes.map(\.name.path.description)
    #expect(names.prefix(2) == ["aiAnalysis/m1_fr", "aiAnalysis/m1"])
    #expect(names.last?.hasPrefix("functionEvents/analyzeMessage_") == true)
    #expect(writes.allSatisfy { $0.currentDocument == .exists(false) })
  }

  @Test func `in a group every language has its own name`() throws {
    let writes = try record(recipient: nil).writes([
      Language("it"): Self.found, Language("zh-TW"): Self.found,
    ])
    #expect(writes.map(\.name.path.description) == ["aiAnalysis/m1_it", "aiAnalysis/m1_zh-TW"])
  }

  @Test func `a stored analysis is found again, also an empty one`() throws {
    let italian = try Language("it")
    let german = try Language("de")
    let kept = documents(try record().writes([italian: Self.found, german: Self.foundNothing]))
    let record = try record(kept)
    #expect(try record.knowledge(for: italian) == Self.found)
    #expect(try record.knowledge(for: german) == Self.foundNothing)
    #expect(try record.knowledge(for: Language("fr")) == .failures(0))
  }

  @Test func `an edit, thirty days, or another conversation's message with that id invalidate it`()
    throws
  {
    let italian = try Language("it")
    let kept = documents(
      try record().writes([italian: Self.found, Language("de"): Self.foundNothing])
    )
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
      #expect(try record.knowledge(for: italian) == .failures(0))
      #expect(try record.knowledge(for: Language("de")) == .failures(0))
    }
  }

  @Test func `an analysis of another conversation is never overwritten`() throws {
    var kept = documents(try record().writes([Language("it"): Self.found]))
    kept[0].fields["conversationId"] = "another"
    let error = #expect(throws: StatusError.self) {
      try record(kept).writes([Language("it"): Self.found])
    }
    #expect(error?.code == .alreadyExists)
  }

  @Test func `one message's analysis is not another's of the same conversation`() throws {
    // The analysis of the message `m1_fr` has the same document ID as the French analysis of `m1`.
    var theirs = documents(try record().writes([Language("fr"): Self.found]))
    theirs[0].fields["messageId"] = "m1_fr"
    #expect(theirs[0].name.id == "m1_fr")
    #expect(try record(theirs).knowledge(for: Language("fr")) == .failures(0))
    let error = #expect(throws: StatusError.self) { try record(theirs).place(for: Language("fr")) }
    #expect(error?.code == .alreadyExists)
    #expect(throws: Never.self) { try record(theirs).place(for: Language("it")) }
  }

  @Test func `a model's refusal is remembered, and the number of failures for a day`() throws {
    let italian = try Language("it")
    let french = try Language("fr")
    let kept = documents(try record().writes([italian: .declined, french: .failures(2)]))
    #expect(try record(kept).knowledge(for: italian) == .declined)
    #expect(try record(kept).knowledge(for: french) == .failures(2))
    // A failure in another language a day later doesn't make the expired count valid again.
    let next = Self.now.advanced(by: AnalysisRecord.failureLifetime)
    let again = documents(try record(kept, now: next).writes([Language("de"): .failures(1)]))
    #expect(try record(again, now: next).knowledge(for: french) == .failures(0))
    #expect(try record(again, now: next).knowledge(for: Language("de")) == .failures(1))
    let tomorrow = Self.now.advanced(by: AnalysisRecord.failureLifetime)
    #expect(try record(kept, now: tomorrow).knowledge(for: french) == .failures(0))
    #expect(try record(kept, now: tomorrow).knowledge(for: italian) == .declined)
    #expect(try record(kept, text: "another").knowledge(for: italian) == .failures(0))
    // A new outcome for one language keeps the outcomes for the others.
    let later = documents(try record(kept).writes([french: Self.foundNothing]))
    #expect(try record(later).knowledge(for: italian) == .declined)
    #expect(try record(later).knowledge(for: french) == Self.foundNothing)
  }

  @Test func `a write requires the version that was read`() throws {
    let kept = documents(try record(text: "older").writes([Language("it"): Self.found]))
    let writes = try record(kept).writes([Language("it"): Self.found])
    #expect(writes.map(\.currentDocument) == [.updateTime(ChatDocuments.updateTime)])
  }

  @Test func `languages without anything to explain are added to each other`() throws {
    let kept = documents(try record().writes([Language("de"): Self.foundNothing]))
    let added = documents(try record(kept).writes([Language("fr"): Self.foundNothing]))
    #expect(added.first?.fields["nothingFor"] == .map(["de": "e1", "fr": "e1"]))
  }

  @Test func `a recipient's new language replaces the former one, in the version that was read`()
    throws
  {
    let kept = documents(try record().writes([Language("it"): Self.found]))
    let record = try record(kept, recipient: "fr")
    #expect(try record.knowledge(for: Language("fr")) == .failures(0))
    let writes = try record.writes([Language("fr"): Self.found])
    #expect(writes.map(\.name.path.description) == ["aiAnalysis/m1"])
    #expect(writes.map(\.currentDocument) == [.updateTime(ChatDocuments.updateTime)])
  }

  @Test func `an analysis from before a conversation became a group is found, and the reverse`()
    throws
  {
    let brazilian = try Language("pt-BR")
    for (before, now) in [("pt-BR", nil), (nil, "pt-BR")] as [(String?, String?)] {
      let kept = documents(try record(recipient: before).writes([brazilian: Self.found]))
      #expect(try record(kept, recipient: now).knowledge(for: brazilian) == Self.found)
    }
  }

  @Test(arguments: Value.everyType)
  func `a document of other types is ignored`(value: Value) throws {
    var kept = documents(try record().writes([Language("it"): Self.found]))
    for field in ["type", "relevance", "expiresAt", "textHash", "language"] {
      guard value != kept[0].fields[field] else { continue }
      var changed = kept
      changed[0].fields[field] = value
      #expect(try record(changed).knowledge(for: Language("it")) == .failures(0), "\(field)")
    }
    kept[0].fields["idiomDetected"] = value
    kept[0].fields["suggestedEquivalent"] = value
    let knowledge = try record(kept).knowledge(for: Language("it"))
    guard case .finding(let finding) = knowledge else {
      Issue.record("\(knowledge)")
      return
    }
    #expect(finding.analysis.type == .idiom)
  }
}
