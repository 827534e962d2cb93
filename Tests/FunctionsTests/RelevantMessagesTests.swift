import Chat
import Core
import FirestoreModel
import TestKit
import Testing

@testable import askAI

struct RelevantMessagesTests {
  /// Returns a conversation of ordinary messages.
  ///
  /// - Parameter special: fields that replace those of some messages, by index.
  private func messages(_ count: Int, _ special: [Int: Fields] = [:]) throws -> [Message] {
    try (0..<count).map { index in
      var fields: Fields = [
        "senderId": "sarah", "text": .string("Nothing much happened on the way \(index)"),
        "timestamp": .timestamp(Timestamp(seconds: Int64(index))),
      ]
      fields.merge(special[index] ?? [:]) { $1 }
      return Message(try ChatDocuments.message(fields, id: "m\(index)"))
    }
  }

  private func chosen(
    _ messages: [Message],
    _ questions: [String],
    cited: Set<String> = [],
    _ language: String = "en"
  ) throws -> Set<String> {
    let relevant = RelevantMessages(
      of: messages,
      for: questions,
      cited: cited,
      language: try Language(language)
    )
    return Set(relevant.messages.map(\.document.name.id))
  }

  private let newest = Set((270..<300).map { "m\($0)" })

  @Test func `all messages of a short conversation are chosen`() throws {
    #expect(try chosen(messages(12), ["When is dinner?"]).count == 12)
    #expect(try chosen([], ["When is dinner?"]).isEmpty)
  }

  @Test func `an old message that the question is about is found, and its reply`() throws {
    let messages = try messages(300, [17: ["text": "The dentist's phone is on the fridge"]])
    let found = try chosen(messages, ["Where did you put the number of the dentist?"])
    #expect(found == newest.union(["m17", "m18"]))
  }

  @Test func `a message is found by another form of the word, and by its translation`() throws {
    let text = "Wir zelten im August am Gardasee"
    let meta: Value = [
      "en": ["textHash": .string(ContentHash.text(text)), "engine": "nmt"]
    ]
    let special: Fields = [
      "text": .string(text), "translations": ["en": "We go camping at the lake in August"],
      "translationMeta": meta,
    ]
    let messages = try messages(300, [40: special])
    #expect(try chosen(messages, ["Who goes campings?"]).contains("m40"))
    #expect(try chosen(messages, ["Wer zeltet?"]).contains("m40"))
    // A translation without the function's metadata may be forged, so it isn't searched.
    var forged = special
    forged["translationMeta"] = nil
    #expect(try !chosen(self.messages(300, [40: forged]), ["Who goes campings?"]).contains("m40"))
  }

  @Test func `in scripts without spaces, characters are compared`() throws {
    let messages = try messages(300, [5: ["text": "明日は歯医者に行きます"]])
    #expect(try chosen(messages, ["歯医者はいつ？"], "ja").contains("m5"))
  }

  @Test func `a short question continues earlier questions and citations`() throws {
    let messages = try messages(
      300,
      [9: ["text": "The concert starts at nine"], 50: ["text": "Bring the tickets"]]
    )
    let found = try chosen(messages, ["Where is the concert?", "and when?"], cited: ["m50"])
    #expect(found.isSuperset(of: ["m9", "m50"]))
  }

  @Test func `common words find nothing`() throws {
    let messages = try messages(300, [9: ["text": "What do you want to do?"]])
    #expect(try chosen(messages, ["What do you know about the concert?"]) == newest)
  }

  @Test func `long messages don't displace relevant ones, and all fit the budget`() throws {
    let long = String(repeating: "Blah and so on and so forth. ", count: 60)
    let fields: Fields = ["text": .string(long)]
    var special = Dictionary(uniqueKeysWithValues: (0..<300).map { ($0, fields) })
    special[3] = ["text": "The dentist is Dr. Bianchi"]
    let messages = try messages(300, special)
    let relevant = RelevantMessages(
      of: messages,
      for: ["Which dentist?"],
      language: try Language("en")
    )
    #expect(relevant.messages.contains { $0.document.name.id == "m3" })
    let profiles = ["sarah": UserProfile(try ChatDocuments.user("sarah", [:]))]
    let window = ConversationWindow(
      relevant.messages,
      aliases: Aliases(["sarah"], profiles: profiles),
      profiles: profiles
    )
    #expect(window.entries.count == relevant.messages.count, "the window leaves no message out")
  }
}

struct QueryHistoryTests {
  private let now = Timestamp(seconds: 1_700_000_000)

  private func view(_ profiles: [String: Fields] = [:]) throws -> MemberView {
    MemberView(
      uid: "marco",
      conversation: try Conversation(
        ChatDocuments.conversation(["participants": ["lea", "sarah", "marco"]])
      ),
      messages: [],
      profiles: try Dictionary(
        uniqueKeysWithValues: profiles.map { uid, fields in
          (uid, UserProfile(try ChatDocuments.user(uid, fields)))
        }
      )
    )
  }

  private func asked(_ id: String, _ changes: Fields = [:]) throws -> Document {
    let fields: Fields = [
      "conversationId": "c1", "userQuery": "Where is dinner?", "status": "answered",
      "modelAnswer": "[P1] says at [P9]'s, [P2].", "people": ["P1": "sarah", "P2": "gone"],
      "contextIds": ["m3"], "timestamp": .timestamp(now),
    ]
    return try ChatDocuments.document(
      "aiChats/marco/queries/\(id)",
      fields.merging(changes) { $1 }
    )
  }

  private func history(
    _ documents: [Document],
    visible: Set<String> = ["m3"],
    profiles: [String: Fields] = [:]
  ) throws -> QueryHistory {
    QueryHistory(
      documents,
      before: try asked("now").name,
      view: try view(profiles),
      visible: visible,
      now: now
    )
  }

  @Test func `an answer is dropped with its messages, and with people who opt out`() throws {
    let question = [QueryHistory.Exchange(question: "Where is dinner?", answer: nil)]
    #expect(try history([asked("a")], visible: []).exchanges == question)
    #expect(
      try history([asked("a", ["contextIds": ["m3", "m4"]])], visible: ["m3"]).exchanges == question
    )
    let optedOut: [String: Fields] = ["sarah": ["aiOptOut": true]]
    #expect(try history([asked("a")], profiles: optedOut).exchanges == question)
    #expect(try history([asked("a")], profiles: ["sarah": [:]]).exchanges.first?.answer != nil)
  }

  @Test func `people have their current aliases`() throws {
    let history = try history([asked("a")])
    #expect(
      history.exchanges == [
        .init(question: "Where is dinner?", answer: "[P2] says at [P9]'s, [?].")
      ]
    )
    #expect(history.cited == ["m3"])
  }

  @Test func `the last three questions of this conversation count, the oldest first`() throws {
    let documents = try (1...5).map { try asked("q\($0)", ["userQuery": .string("q\($0)")]) }
    #expect(try history(documents).exchanges.map(\.question) == ["q3", "q2", "q1"])
  }

  @Test func `other, unanswered, old or mistyped questions don't count`() throws {
    let day = Timestamp(seconds: now.seconds - 86_400)
    for changes: Fields in [
      ["conversationId": "c2"], ["status": "failed"], ["status": "pending"], ["userQuery": 7],
      ["timestamp": .timestamp(day)], ["timestamp": "today"],
    ] {
      #expect(try history([asked("a", changes)]).exchanges == [])
    }
    #expect(try history([asked("now")]).exchanges == [], "the current question is left out")
    for changes: Fields in [["modelAnswer": []], ["contextIds": "m3"], ["contextIds": ["m3", 7]]] {
      let strange = try history([asked("a", changes.merging(["people": 7]) { $1 })])
      #expect(strange.exchanges == [.init(question: "Where is dinner?", answer: nil)])
      #expect(strange.cited == (changes["contextIds"] == nil ? ["m3"] : []))
    }
  }

  @Test func `a member's questions from before they joined are ignored`() throws {
    var view = try view()
    for (joined, isKnown) in [(now, true), (now.advanced(by: .seconds(1)), false)] {
      view.conversation = try Conversation(
        ChatDocuments.conversation([
          "participants": ["sarah", "marco"], "joinedAt": ["marco": .timestamp(joined)],
        ])
      )
      let history = QueryHistory(
        [try asked("a")],
        before: try asked("now").name,
        view: view,
        visible: ["m3"],
        now: now
      )
      #expect(history.exchanges.isEmpty != isKnown)
    }
  }
}
