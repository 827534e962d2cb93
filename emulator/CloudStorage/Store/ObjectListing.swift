import Core
import Store

/// A query for a page of a bucket's objects, in the order of their names.
struct ObjectListing: Sendable {
  /// A page of results.
  struct Page: Sendable {
    var objects: [StoredObject] = []
    /// The beginnings of the names that are listed together, each up to the delimiter.
    var prefixes: [String] = []
    var nextPageToken: String?
  }

  static let maximumResults = 1_000
  /// The number of names that are read at once.
  private static let chunk = 256

  var prefix = ""
  /// The text up to which names are listed together, or an empty text to list all names.
  var delimiter = ""
  /// The first name, and the name after the last one; empty texts stand for no bound.
  var startOffset = ""
  var endOffset = ""
  /// A Boolean value that indicates whether an object whose name ends with its prefix is listed
  /// besides the prefix.
  var includesTrailingDelimiter = false
  var limit = maximumResults
  /// The position after an earlier page.
  var token: Token?

  /// The last result of a page: an object, or the prefix of several.
  struct Token: Sendable {
    var name: String
    var isPrefix: Bool

    var text: String { Data(((isPrefix ? "p" : "o") + name).utf8).base64EncodedString() }

    init(_ name: String, isPrefix: Bool) {
      self.name = name
      self.isPrefix = isPrefix
    }

    /// - Throws: An error if the text isn't from an earlier page.
    init(_ text: String) throws(StorageError) {
      guard let data = Data(base64Encoded: text), let kind = data.first,
        [UInt8(ascii: "o"), UInt8(ascii: "p")].contains(kind),
        let name = String(validating: data.dropFirst(), as: UTF8.self), !name.isEmpty
      else { throw .invalid("pageToken is not the nextPageToken of a page") }
      self.init(name, isPrefix: kind == UInt8(ascii: "p"))
    }

    /// Returns whether a name is on an earlier page.
    fileprivate func covers(_ name: ByteKey) -> Bool {
      name <= ByteKey(self.name) || (isPrefix && name.utf8.starts(with: self.name.utf8))
    }
  }

  /// Returns the page of a bucket.
  func page(of bucket: BucketTable.Entry) -> Page {
    var page = Page()
    let start = max(ByteKey(prefix), ByteKey(startOffset))
    var last = token
    while true {
      let names = bucket.names.keys(atMost: Self.chunk) { name in
        name < start || last?.covers(name) == true
      }
      if names.isEmpty { return page }
      for name in names {
        if last?.covers(name) == true { continue }
        guard name.utf8.starts(with: prefix.utf8),
          endOffset.isEmpty || name < ByteKey(endOffset)
        else { return page }
        guard page.objects.count + page.prefixes.count < limit else {
          page.nextPageToken = last?.text
          return page
        }
        if let common = commonPrefix(of: name) {
          page.prefixes.append(common)
          last = Token(common, isPrefix: true)
          if includesTrailingDelimiter, common.hasSameBytes(as: name.string),
            let object = bucket.objects[name]
          {
            page.objects.append(object)
          }
        } else if let object = bucket.objects[name] {
          page.objects.append(object)
          last = Token(name.string, isPrefix: false)
        }
      }
    }
  }

  /// Returns the beginning of a name up to the first delimiter after the prefix, or `nil` if it has
  /// none.
  private func commonPrefix(of name: ByteKey) -> String? {
    guard !delimiter.isEmpty else { return nil }
    let rest = name.string.utf8.dropFirst(prefix.utf8.count)
    guard let end = rest.firstRange(of: delimiter.utf8)?.upperBound else { return nil }
    return String(name.string.utf8[..<end])
  }
}
