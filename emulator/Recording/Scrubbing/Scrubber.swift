import FirestoreModel
import HTTPService
import JSONCoding
import Platform
import RPCStatus

/// Puts other people into a recording: every text and id becomes one of the same length, script and
/// language that tells of nobody.
///
/// It goes word by word, and in one fixture a word always becomes the same: so texts that were equal
/// stay equal, quotations stay quotations, and ids and what refers to them stay together. The
/// commonest words of each language stay as they are, with punctuation, emoji and numbers of one or
/// two digits that no others follow. Hashes of texts, paths and tokens become the hashes of what these
/// became. Members that WorldChat's documents don't have are replaced as ids are, and numbers of
/// seven digits and more unless they measure something. **Times stay**, for functions compare them:
/// a `timestampValue` that is somebody's birthday is still there.
struct Scrubber {
  private let fixture: ReplayFixture
  private let keepsPeople: Bool
  private let words: WordMap
  private let tokens: Set<String>
  private let collections: Set<String>
  private let languages: Set<String>

  /// - Parameter functions: whose names stay as they are, in ids, too.
  init(_ fixture: ReplayFixture, keepsPeople: Bool, functions: Set<String>) {
    self.fixture = fixture
    self.keepsPeople = keepsPeople
    var found = Findings()
    found.read(fixture)
    tokens = found.tokens
    collections = found.collections
    languages = found.languages
    words = WordMap(
      kept: functions.union(found.languages).union(Vocabulary.keys),
      replaced: found.ids.union(found.names).union(found.tokens)
    )
    words.addHashes { hash in
      // Without one, the thousands of hashes below would be for nothing.
      guard !found.hashes.isEmpty else { return }
      for (name, place, text) in found.strings {
        let other = self.text(text, of: name, in: place)
        hash(text, other)
        for source in found.languages {
          for target in found.languages {
            hash("\(text)|\(source)|\(target)", "\(other)|\(source)|\(target)")
          }
        }
      }
    }
  }

  /// - Throws: if there is something in it that can't be replaced.
  func scrubbed() throws(StatusError) -> ReplayFixture {
    var scrubbed = fixture
    scrubbed.project = FixtureMaker.project
    scrubbed.event = event
    // They are learned when it is replayed.
    scrubbed.queries = nil
    let original = try fixture.json
    func replacing(_ member: String, _ change: (JSONValue) -> JSONValue) -> JSONValue {
      let all = (original[member]?.object ?? [:]).map { (ByteKey(path($0.string)), change($1)) }
      return .object(Dictionary(all) { first, _ in first })
    }
    func document(_ json: JSONValue) -> JSONValue { value(json, of: "document", in: .document) }
    let members: JSONObject = [
      "documents": replacing("documents", document),
      "meanwhile": replacing("meanwhile") { changes in
        .array(
          (changes.array ?? []).map { change in
            var members = change.object ?? [:]
            members["document"] = members["document"].map(document)
            return .object(members)
          }
        )
      },
    ]
    scrubbed.exchanges = fixture.exchanges.map { exchange in
      var exchange = exchange
      exchange.request.path = renamingProject(exchange.request.path)
      exchange.request.body = body(exchange.request.body)
      exchange.response.body = body(exchange.response.body)
      return exchange
    }
    let json = try scrubbed.json.object ?? [:]
    if let letter = words.irreplaceable.min() {
      throw StatusError(
        .failedPrecondition,
        "a letter in it can't be replaced: U+\(String(letter.value, radix: 16, uppercase: true))"
      )
    }
    return try ReplayFixture(.object(json.merging(members) { _, new in new }))
  }

  private var event: JSONValue {
    .object(
      Dictionary(
        (fixture.event.object ?? [:]).map { name, member in
          (
            fixture.isEvent ? name : ByteKey(key(name.string)),
            value(member, of: name.string, in: fixture.place(ofMember: name.string))
          )
        }
      ) { first, _ in first }
    )
  }

  private func body(_ body: ProviderExchange.Body) -> ProviderExchange.Body {
    switch body {
    case .none: .none
    case .json(let json): .json(value(json, of: "body", in: .exchange))
    case .text(let text):
      if let stream = StreamedBody(text) {
        .text(
          stream.replacing(
            said: { self.text($0, of: "content", in: .exchange) },
            rest: { value($0, of: "body", in: .exchange) }
          )
        )
      } else {
        .text(self.text(text, of: "body", in: .exchange))
      }
    }
  }

  // MARK: Values

  /// - Parameter name: the member this is the value of, which tells codes from texts.
  private func value(
    _ value: JSONValue,
    of name: String,
    in place: Vocabulary.Place
  ) -> JSONValue {
    switch value {
    case .null, .boolean: return value
    case .integer(let integer):
      guard let other = number(String(integer), of: name, in: place) else { return value }
      return .integer(Int64(other) ?? 0)
    case .number(let double):
      guard let other = number(double.description, of: name, in: place) else { return value }
      return .number(Double(other) ?? 0)
    case .array(let values) where name == "fieldPaths" && place == .document:
      return .array(
        values.map { path in
          let names = (path.string ?? "").split(separator: ".").map { key(String($0)) }
          return .string(names.joined(separator: "."))
        }
      )
    case .string(let text): return .string(self.text(text, of: name, in: place))
    case .array(let values): return .array(values.map { self.value($0, of: name, in: place) })
    case .object(let members):
      if let typed = firestoreValue(members, of: name, in: place) { return typed }
      return .object(
        Dictionary(
          members.map { member, value in
            (
              place == .document ? ByteKey(key(member.string)) : member,
              self.value(value, of: Vocabulary.holder(member.string, in: name), in: place)
            )
          }
        ) { first, _ in first }
      )
    }
  }

  /// A value of a document, which has one member that names the type; nil for anything else.
  private func firestoreValue(
    _ members: JSONObject,
    of name: String,
    in place: Vocabulary.Place
  ) -> JSONValue? {
    guard members.count == 1, let (type, inner) = members.first else { return nil }
    switch type {
    case "stringValue", "arrayValue": return .object([type: value(inner, of: name, in: place)])
    case "mapValue":
      let fields = (inner["fields"]?.object ?? [:]).map { member, value in
        (
          ByteKey(key(member.string)),
          self.value(value, of: Vocabulary.holder(member.string, in: name), in: place)
        )
      }
      return .object([
        type: .object([
          "fields": .object(Dictionary(fields) { first, _ in first })
        ])
      ])
    case "values" where inner.array != nil:
      return .object([type: value(inner, of: name, in: place)])
    case "referenceValue": return .object([type: .string(path(inner.string ?? ""))])
    case "integerValue":
      guard let text = inner.string, Int64(text) != nil else { return nil }
      return .object([type: .string(number(text, of: name, in: place) ?? text)])
    case "timestampValue":
      guard let text = inner.string, (try? Timestamp(text)) != nil else { return nil }
      return .object(members)
    case "doubleValue":
      if let text = inner.string, ["NaN", "Infinity", "-Infinity"].contains(text) {
        return .object(members)
      }
      return inner.string == nil ? .object([type: value(inner, of: name, in: place)]) : nil
    case "bytesValue" where !keepsPeople:
      let digits = (inner.string ?? "").map { $0 == "=" ? $0 : "A" }
      return .object([type: .string(String(digits))])
    case "geoPointValue" where !keepsPeople:
      return .object([type: .object(["latitude": .integer(0), "longitude": .integer(0)])])
    default: return nil
    }
  }

  /// A number that may be somebody's: of a phone, an account, a place on earth.
  ///
  /// - Returns: nil if it stays.
  private func number(_ text: String, of name: String, in place: Vocabulary.Place) -> String? {
    guard place == .document, !keepsPeople, !Vocabulary.measures.contains(name),
      text.count(where: \.isNumber) >= Self.personalDigits
    else { return nil }
    let other = words.replace(text)
    // The largest numbers have other numbers of as many digits that are too large.
    return text.contains(".") || Int64(other) != nil ? other : String(other.dropLast())
  }

  private static let personalDigits = 7

  /// A member's name in a document or a call: the application's own, or somebody's id.
  private func key(_ key: String) -> String {
    if let hash = words.hash(key) { return hash }
    guard !languages.contains(key), !Vocabulary.isMember(key),
      !keepsPeople || tokens.contains(key)
    else { return key }
    return words.replace(key)
  }

  private func text(_ text: String, of name: String, in place: Vocabulary.Place) -> String {
    if Vocabulary.isCode(text, of: name, in: place) { return renamingProject(text) }
    if !keepsPeople, let first = text.first, first == "{" || first == "[",
      let json = try? JSONValue(parsing: Data(text.utf8))
    {
      return value(json, of: name, in: place).line
    }
    if text.isPath(in: collections) { return path(text) }
    if keepsPeople {
      if let hash = words.hash(text) { return hash }
      return tokens.contains(text) ? words.replace(text) : renamingProject(text)
    }
    return AddressText.replacing(renamingProject(text), words.replace)
  }

  /// A document's path, its ids replaced, in a full name or without one.
  private func path(_ path: String) -> String {
    let path = renamingProject(path)
    guard path.pathBelowDocuments != Vocabulary.controls else { return path }
    var segments = path.splitAtSlashes
    for index in path.idIndices {
      let id = segments[index]
      if keepsPeople {
        if let hash = words.hash(id) { segments[index] = hash }
        if tokens.contains(id) { segments[index] = words.replace(id) }
      } else {
        let prefix = Vocabulary.unscrubbedPrefix(of: id, in: segments[index - 1])
        segments[index] = prefix + words.replace(String(id.dropFirst(prefix.count)))
      }
    }
    return segments.joined(separator: "/")
  }

  private func renamingProject(_ text: String) -> String {
    if text == fixture.project { return FixtureMaker.project }
    let (old, new) = ("projects/\(fixture.project)/", "projects/\(FixtureMaker.project)/")
    return text.replacing(old, with: new)
  }
}

extension ReplayFixture {
  /// Where what stands beside an event's data, or in it, belongs.
  func place(ofMember name: String) -> Vocabulary.Place {
    isEvent && name != "data" ? .attributes : .document
  }
}
