import Core
package import FirestoreModel

/// The language codes of a message and of a reader, as their clients have them.
///
/// A client looks for a translation under the key of these codes, for example of `text|en|pt-BR`.
/// Readers of `pt-BR` and `pt` share the entry of `text|en|pt`. So the entry is copied to the
/// client's key, and its field `copies` lists the codes.
package struct CodePair: Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of an entry's copies.
  ///
  /// A language has few codes that clients use, but anybody can write more, such as `pT_bR`.
  static let maximumCopies = 16
  /// The number of listed copies that are read. Concurrent invocations can exceed `maximumCopies`.
  package static let maximumListed = 24
  /// The maximum length in bytes of a copied text and its translation together, so that a commit
  /// with many copies isn't too large.
  private static let maximumBytes = 65_536
  static let field: ByteKey = "copies"

  let source: String
  let target: String

  package init(source: String, target: String) {
    self.source = source
    self.target = target
  }

  package var description: String { "\(source)|\(target)" }

  private init?(_ value: Value) {
    let codes = value.shortString?.split(separator: "|", omittingEmptySubsequences: false) ?? []
    guard codes.count == 2 else { return nil }
    self.init(source: String(codes[0]), target: String(codes[1]))
  }

  /// Returns the pairs that an entry lists, without those that aren't of the request's languages.
  static func listed(in entry: Fields, of request: Translator.Request) -> [CodePair] {
    (entry[field]?.arrayValue ?? []).prefix(maximumListed)
      .compactMap { CodePair($0) }.filter { $0.isVariant(of: request) }
  }

  /// Returns the pairs to which a translation can be copied, sorted.
  ///
  /// - Parameter listed: the pairs that have a copy.
  static func new(
    among pairs: [CodePair],
    besides listed: [CodePair],
    of request: Translator.Request,
    translatedAs text: String
  ) -> [CodePair] {
    let variants = Set(pairs.filter { $0.isVariant(of: request) }).subtracting(listed)
    guard !variants.isEmpty, request.text.utf8.count + text.utf8.count <= maximumBytes else {
      return []
    }
    return Array(
      variants.sorted { $0.description < $1.description }
        .prefix(max(0, maximumCopies - listed.count))
    )
  }

  /// Returns a Boolean value that indicates whether the codes mean the request's languages without
  /// being the request's own codes.
  private func isVariant(of request: Translator.Request) -> Bool {
    let isOwn = source == request.source.code && target == request.target.code
    return !isOwn && (try? Language(source))?.asTranslated == request.source
      && (try? Language(target))?.asTranslated == request.target
  }

  /// Returns an entry's field that lists its copies.
  static func fields(listing pairs: [CodePair]) -> Fields {
    pairs.isEmpty ? [:] : [field: .array(pairs.map { .string($0.description) })]
  }

  /// Returns the transform that lists further copies in an entry.
  static func transform(listing pairs: [CodePair]) -> FieldTransform {
    FieldTransform(
      FieldPath(field),
      .appendMissingElements(pairs.map { .string($0.description) })
    )
  }

  /// Returns the name of an entry's copy.
  func copyName(of entry: DocumentName, _ request: Translator.Request) -> DocumentName? {
    let key = ContentHash.translation(of: request.text, for: self)
    return (try? entry.path.parent.appending(key)).flatMap {
      try? DocumentName(database: entry.database, path: $0)
    }
  }

  /// Returns the write that copies an entry. The copy expires with the entry and counts no uses.
  func copy(_ fields: Fields, of entry: DocumentName, _ request: Translator.Request) -> Write? {
    guard let name = copyName(of: entry, request) else { return nil }
    var copy = fields.filter { Self.copiedFields.contains($0.key) }
    copy["timestamp"] = copy["timestamp"] ?? copy["createdAt"]
    copy["sourceText"] = .string(request.text)
    copy.merge(CachedTranslation.languages(source, target)) { _, new in new }
    return Write(.update(Document(name: name, fields: copy)))
  }

  private static let copiedFields: Set<ByteKey> = [
    "translatedText", "engine", "provider", "createdAt", "timestamp", "expiresAt", "ttl",
  ]
}

extension Translator.Request {
  /// Returns the names of a cache entry's copies. Delete them together with the entry.
  package func copies(of entry: Document) -> [DocumentName] {
    CodePair.listed(in: entry.fields, of: self).compactMap { $0.copyName(of: entry.name, self) }
  }
}
