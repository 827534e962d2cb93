import Core
import FirestoreModel
import TestKit
import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(10)))
struct AliasesTests {
  /// Returns aliases for people with these names, in order: P1, P2 and so on.
  ///
  /// - Parameter names: the name in each person's profile, or `nil` for a person without a profile.
  private func aliases(_ names: String?...) throws -> Aliases { try aliases(names) }

  private func aliases(_ names: [String?]) throws -> Aliases {
    var profiles: [String: UserProfile] = [:]
    for (index, name) in names.enumerated() {
      guard let name else { continue }
      let uid = "u\(index + 1)"
      profiles[uid] = UserProfile(try ChatDocuments.user(uid, ["displayName": .string(name)]))
    }
    return Aliases(names.indices.map { "u\($0 + 1)" }, profiles: profiles)
  }

  @Test func `every person has an alias by order, with or without a profile`() throws {
    let aliases = Aliases(["b", "a", "b", "c", "a"], profiles: [:])
    #expect(["a", "b", "c", "d", ""].map { aliases[$0] } == ["P2", "P1", "P3", nil, nil])
  }

  // MARK: Hiding

  static let texts: [(text: String, hidden: String)] = [
    ("What did Marco say?", "What did [P2] say?"),
    ("What did Marco Rossi say?", "What did [P2] say?"),
    ("what did MARCO ROSSI say", "what did [P2] say"),
    ("marco's, (Marco) «marco»,Marco.", "[P2]'s, ([P2]) «[P2]»,[P2]."),
    ("@marco #Marco marco_rossi", "@[P2] #[P2] [P2]_rossi"),
    ("Marco  Rossi", "[P2]  Rossi"),
    ("Marco-Rossi and Rossi", "[P2]-Rossi and Rossi"),
    (
      "Marcos, Marconi, xMarco, Marco2, Marco\u{301}",
      "Marcos, Marconi, xMarco, Marco2, Marco\u{301}"
    ),
    ("Marco Rossini", "[P2] Rossini"),
    ("MarcoMarco Marco", "MarcoMarco [P2]"),
    ("Sarah and Marco Rossi and sarah", "[P1] and [P2] and [P1]"),
    ("[Marco] [P1] P2", "[[P2]] [P1] P2"),
    ("Jean-Luc, jean", "[P3], [P3]"),
    ("", ""), ("nobody", "nobody"),
  ]

  @Test(arguments: texts)
  func `people are hidden by their name and its first word`(text: String, hidden: String) throws {
    let aliases = try aliases("Sarah", "Marco Rossi", "Jean-Luc")
    #expect(aliases.marking(text) == hidden)
  }

  static let scripts: [(name: String, text: String, hidden: String)] = [
    ("José", "did JOSÉ or Jose\u{301} come?", "did [P1] or [P1] come?"),
    ("José", "did Jose come?", "did Jose come?"),
    ("Ирина Петрова", "что сказала ИРИНА?", "что сказала [P1]?"),
    ("李明", "我和李明去吃饭", "我和[P1]去吃饭"),
    ("李明", "李先生", "李先生"),
    ("山田 太郎", "山田さんは何と言った?", "[P1]さんは何と言った?"),
    ("さくら", "さくらは来る?", "[P1]は来る?"),
    ("김민수", "김민수가 뭐라고 했어?", "[P1]가 뭐라고 했어?"),
    ("สมชาย", "สมชายพูดว่าอะไร", "[P1]พูดว่าอะไร"),
    ("प्रिया", "प्रिया ने क्या कहा", "[P1] ने क्या कहा"),
    ("  Marco \n", "did Marco say", "did [P1] say"),
    ("Marco\u{200B}\u{202E}", "did Marco say", "did [P1] say"),
    ("Anna 🌸", "Anna 🌸 and Anna", "[P1] and [P1]"),
    ("O'Neil", "o'neil and O’Neil", "[P1] and O’Neil"),
  ]

  @Test(arguments: scripts)
  func `names of every script are words of their own`(
    name: String,
    text: String,
    hidden: String
  ) throws {
    #expect(try aliases(name).marking(text) == hidden)
  }

  @Test func `a name that two people share hides neither`() throws {
    let aliases = try aliases("Marco Rossi", "marco Bianchi", "Anna", "ANNA", "Li", "Li Wei")
    #expect(
      aliases.marking("Marco, Marco Rossi, Marco Bianchi, Anna, Li, Li Wei")
        == "Marco, [P1], [P2], Anna, Li, [P6]"
    )
  }

  @Test func `the longest name is replaced first`() throws {
    let aliases = try aliases("Anna", "Anna Maria Rossi", "Maria")
    #expect(aliases.marking("Anna Maria Rossi and Maria") == "[P2] and [P3]")
  }

  @Test(arguments: [
    ".", "?", "a", "I", "1", "42", "19:30", "😀", "🏳️‍🌈", "", " ", "\n", "\u{200D}", "\u{3164}",
    "\u{FE0F}", "\u{E0041}", "[", "]", "[]", "-", "…", "\u{301}", "明",
  ])
  func `a name that isn't a word hides nothing`(name: String) throws {
    let text = "I ate 42 of a 1? 😀 at 19:30. [] - … 明天 🏳️‍🌈"
    #expect(try aliases(name).marking(text) == text)
  }

  @Test func `a person without a name is neither hidden nor shown`() throws {
    let aliases = try aliases(nil, "Marco")
    #expect(aliases.marking("u1 and Marco") == "u1 and [P2]")
    #expect(aliases.showingNames(in: "[P1] and [P2]") == "? and Marco")
  }

  // MARK: Showing

  static let answers: [(text: String, shown: String)] = [
    ("[P2] said yes.", "Marco Rossi said yes."), ("[P1][P2]", "SarahMarco Rossi"),
    ("[[P1]]", "[Sarah]"),
    ("[P9] [P0] [p1] [P1 ] [ P1] [] [P", "[P9] [P0] [p1] [Sarah ] [ Sarah] [] [P"),
    ("P1 and (P2)", "Sarah and (Marco Rossi)"), ("[P1", "[Sarah"), ("P1]", "Sarah]"), ("[", "["),
    ("", ""),
    ("a [x] [P1] b", "a [x] Sarah b"), ("[P1]'s [P2]", "Sarah's Marco Rossi"),
    ("[P１]", "[P１]"), ("[P01]", "[P01]"), ("[P1\u{301}]", "[P1\u{301}]"),
  ]

  @Test(arguments: answers)
  func `aliases are shown as names`(text: String, shown: String) throws {
    #expect(try aliases("Sarah", "Marco Rossi").showingNames(in: text) == shown)
  }

  @Test func `people's own text is no alias unless it is in brackets`() throws {
    let aliases = try aliases("Sarah", "Marco")
    #expect(
      aliases.showingNames(in: "P1 says: park at P2. [P2] agrees.", about: ["Park at P2!"])
        == "Sarah says: park at P2. Marco agrees."
    )
  }

  @Test(arguments: [
    ("[P1] and [P2]", true), ("[P3]", false), ("[P0]", false), ("P3", true), ("[Pizza]", true),
    ("", true),
  ])
  func `an alias in brackets must belong to a person`(text: String, isKnown: Bool) throws {
    #expect(try aliases("Sarah", "Marco").knowsEverybody(in: text) == isKnown)
  }

  @Test func `names that look like aliases are replaced in one pass`() throws {
    let aliases = try aliases("[P2]", "[P1]", "P3", "[", "P5]")
    #expect(
      aliases.showingNames(in: "[P1] [P2] [P3] [P4]P1] [[P5]")
        == "[P2] [P1] P3 [[P2]] [P5]"
    )
    #expect(aliases.marking("P3 and P5]") == "[P3] and [P5]")
  }

  @Test(arguments: [
    "a@b.io", "@anna",
    "https://evil", "tel:1", "+39 055 1234567", "javascript:alert(1)", "](https://evil.com)", " ",
    "\u{200D}", "\u{3164}",
    "\u{FE0F}\u{200D}", "\u{E0041}\u{E0042}", "\n\t\u{A0}\u{2003}",
  ])
  func `a name that is a link or invisible is not shown`(name: String) throws {
    #expect(try aliases(name).showingNames(in: "[P1] said so.") == "? said so.")
  }

  @Test(arguments: [
    ("M.Rossi", "M. Rossi"), ("Dr.Rossi", "Dr. Rossi"), ("evil.com", "evil. com"),
    ("see evil.com now", "see evil. com now"), ("www.evil", "www. evil"),
    ("\u{200B}evil.com", "evil. com"),
  ])
  func `a name with a full stop is shown with a space after it`(name: String, shown: String) throws
  {
    let aliases = try aliases(name)
    #expect(aliases.showingNames(in: "[P1] said so.") == "\(shown) said so.")
    #expect(aliases.mentions(in: "When does M.Rossi come?").isEmpty == (name != "M.Rossi"))
  }

  @Test(arguments: [
    ("  Marco \n", "Marco"), ("Mar\u{202E}co\u{E0041}", "Marco"), ("Anna\nRossi", "Anna Rossi"),
    (String(repeating: "x", count: 41), String(repeating: "x", count: 39) + "…"),
    (String(repeating: "x", count: 40), String(repeating: "x", count: 40)),
    ("Anna ❤\u{FE0F}", "Anna ❤\u{FE0F}"), ("👩‍🚀", "👩‍🚀"), ("李明", "李明"),
  ])
  func `a name is shown shortened and without invisible characters`(
    name: String,
    shown: String
  ) throws {
    #expect(try aliases(name).showingNames(in: "[P1]") == shown)
  }

  @Test(arguments: ["[P1].com", "www.[P1]", "x@[P1].it", "[P1]@evil.com", "https://x.it/[P1]"])
  func `a name never completes a link`(text: String) throws {
    #expect(try aliases("evil").showingNames(in: text) == text)
  }

  @Test func `very long names and texts are checked quickly`() throws {
    let marks = "e" + String(repeating: "\u{301}", count: 100_000)
    let aliases = try aliases(marks, String(repeating: "a ", count: 50_000), "Marco")
    #expect(aliases.marking(marks + " Marco") == marks + " [P3]")
    #expect(aliases.showingNames(in: String(repeating: "[", count: 100_000)).utf8.count == 100_000)
    #expect(aliases.showingNames(in: "[P1]").unicodeScalars.count == 31)
    #expect(aliases.showingNames(in: "[P2]").unicodeScalars.count == 40)
  }
}

extension Aliases {
  /// Returns the text with each mention replaced by its alias, as in `[P2]`.
  fileprivate func marking(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    for mention in mentions(in: text) {
      // A name inside another word isn't a mention.
      let ranges = rest.ranges(of: mention.name)
      let isWord = { (range: Range<String.Index>) in
        (range.lowerBound == rest.startIndex
          || !rest[rest.index(before: range.lowerBound)].isLetter)
          && (range.upperBound == rest.endIndex || !rest[range.upperBound].isLetter)
      }
      guard let range = ranges.first(where: isWord) ?? ranges.first else { continue }
      result += rest[..<range.lowerBound] + "[\(mention.person)]"
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
