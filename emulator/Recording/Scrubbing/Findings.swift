import FirestoreModel
import HTTPService
import Platform

/// What a recording has of everything that must stay together when people are replaced.
struct Findings {
  /// What documents are called, and users.
  private(set) var ids: Set<String> = []
  private(set) var names: Set<String> = []
  /// Of devices.
  private(set) var tokens: Set<String> = []
  /// Codes that occur.
  private(set) var languages: Set<String> = []
  private(set) var collections: Set<String> = []
  /// What looks like one.
  private(set) var hashes: Set<String> = []
  /// Every text once, with the member it is the value of.
  private(set) var strings: [(name: String, place: Vocabulary.Place, text: String)] = []
  private var seen: Set<String> = []

  mutating func read(_ fixture: ReplayFixture) {
    for path in fixture.documents.keys.sorted() { read(path: path) }
    // It stays as it is, and so does what is named after it.
    add(fixture.invocationID, of: "id", in: .attributes)
    for (name, member) in (fixture.event.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      let name = name.string
      if !fixture.isEvent { read(key: name) }
      read(member, of: name, in: fixture.place(ofMember: name))
    }
    let json = try? fixture.json
    for member in ["documents", "meanwhile"] {
      for (_, document) in (json?[member]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
        read(document, of: "document", in: .document)
      }
    }
    for exchange in fixture.exchanges {
      for body in [exchange.request.body, exchange.response.body] {
        switch body {
        case .none: break
        case .json(let json): read(json, of: "body", in: .exchange)
        case .text(let text):
          for said in StreamedBody(text)?.said ?? [] { read(said, of: "content", in: .exchange) }
        }
      }
    }
  }

  private mutating func read(path: String) {
    guard path != Vocabulary.controls else { return }
    let segments = path.splitAtSlashes
    for index in path.idIndices {
      let prefix = Vocabulary.unscrubbedPrefix(of: segments[index], in: segments[index - 1])
      ids.insert(String(segments[index].dropFirst(prefix.count)))
      collections.insert(segments[index - 1])
    }
    add(path, of: "path", in: .document)
  }

  /// A member that the application doesn't know is called after somebody, or after a document.
  private mutating func read(key: String) {
    if !Vocabulary.isMember(key), !key.isHash { ids.insert(key) }
  }

  private mutating func read(_ value: JSONValue, of name: String, in place: Vocabulary.Place) {
    switch value {
    case .null, .boolean, .integer, .number: break
    case .string(let text): read(text, of: name, in: place)
    case .array(let values): for value in values { read(value, of: name, in: place) }
    case .object(let members):
      for (member, value) in members.sorted(by: { $0.key < $1.key }) {
        let member = member.string
        if member.isHash { hashes.insert(member) }
        if Vocabulary.byLanguage.contains(name), member.isLanguageCode {
          languages.insert(member)
        } else if place == .document {
          read(key: member)
        }
        let isType = Vocabulary.types.contains(member)
        read(value, of: isType ? name : Vocabulary.holder(member, in: name), in: place)
      }
    }
  }

  private mutating func read(_ text: String, of name: String, in place: Vocabulary.Place) {
    if Vocabulary.languages.contains(name) || Vocabulary.maps.contains(name), text.isLanguageCode {
      languages.insert(text)
    }
    if Vocabulary.isCode(text, of: name, in: place) { return }
    switch name {
    case "token", "fcmToken", "fcmTokens": tokens.insert(text)
    case "displayName", "name", "nickname", "username", "email": names.insert(text)
    case "uid", "user_id", "sub", "authid", "participants": ids.insert(text)
    case _ where name.hasSuffix("Id") || name.hasSuffix("Ids"): ids.insert(text)
    case "document", "subject", "referenceValue":
      if !text.idIndices.isEmpty { read(path: text.pathBelowDocuments) }
    default: break
    }
    add(text, of: name, in: place)
  }

  private mutating func add(_ text: String, of name: String, in place: Vocabulary.Place) {
    guard seen.insert(text).inserted else { return }
    strings.append((name, place, text))
    for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) where word.isHash {
      hashes.insert(String(word))
    }
  }
}

extension StringProtocol {
  /// Whether it could be (a part of) SHA-256 in hexadecimal.
  var isHash: Bool {
    let digits = hasPrefix("t") ? dropFirst() : self[...]
    return digits.utf8.count >= 20
      && digits.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  /// `it`, `pt-BR`, `zh-Hant`.
  var isLanguageCode: Bool {
    let parts = split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...3).contains(first.utf8.count),
      first.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
    else { return false }
    return parts.dropFirst().allSatisfy { (2...4).contains($0.utf8.count) } && parts.count <= 2
  }
}

extension String {
  /// What follows `documents/`, which begins the subjects of events and ends the names of databases.
  var pathBelowDocuments: String {
    let segments = splitAtSlashes
    guard let place = segments.firstIndex(of: "documents") else { return self }
    return segments[(place + 1)...].joined(separator: "/")
  }

  /// Where the ids stand among the segments of a document's path or full name; none in other texts.
  var idIndices: [Int] {
    let segments = splitAtSlashes
    let start = segments.firstIndex(of: "documents").map { $0 + 1 } ?? 0
    let count = segments.count - start
    guard count >= 2, count.isMultiple(of: 2), !segments.contains("") else { return [] }
    return stride(from: start + 1, to: segments.count, by: 2).map(\.self)
  }

  /// Whether it names a document, below these collections alone.
  func isPath(in collections: Set<String>) -> Bool {
    let indices = contains("/") ? idIndices : []
    let segments = splitAtSlashes
    return !indices.isEmpty && indices.allSatisfy { collections.contains(segments[$0 - 1]) }
  }
}
