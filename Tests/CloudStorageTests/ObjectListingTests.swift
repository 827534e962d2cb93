import Core
import FirestoreModel
import TestKit
import Testing

@testable import CloudStorage

/// Lists of objects, compared with a filter of all names.
struct ObjectListingTests {
  private static let names = [
    "a", "a/", "a//b", "a/b", "a/b/c", "a/c", "a0", "b/x/1", "b/x/2", "b/y", "c", "ä", "é/1",
    "e\u{301}/1",
    "z/\u{10FFFF}", "z/\u{10FFFF}/1", "z0",
  ]

  private static func entry(_ names: [String]) -> BucketTable.Entry? {
    var table = BucketTable()
    let bucket = ByteKey("bucket")
    table.set(bucket, to: Bucket("bucket", at: Timestamp(seconds: 0)))
    for name in names {
      let metadata = ObjectMetadata(
        bucket: "bucket",
        name: name,
        generation: 1,
        size: 0,
        crc32c: 0,
        timeCreated: Timestamp(seconds: 0),
        updated: Timestamp(seconds: 0),
        attributes: ObjectAttributes()
      )
      table.set(ObjectKey(metadata), to: StoredObject(metadata: metadata, file: "f"))
    }
    return table[bucket]
  }

  /// Returns the results of a list: names, and prefixes in brackets.
  private static func expected(
    prefix: String,
    delimiter: String,
    trailing: Bool,
    _ names: [String]
  ) -> (names: [String], prefixes: [String]) {
    var (found, prefixes): ([String], [String]) = ([], [])
    for name in names.sorted(by: { ByteKey($0) < ByteKey($1) }) {
      guard name.utf8.starts(with: prefix.utf8) else { continue }
      let rest = Array(name.utf8.dropFirst(prefix.utf8.count))
      guard !delimiter.isEmpty, let end = rest.firstIndex(of: Array(delimiter.utf8)[0]) else {
        found.append(name)
        continue
      }
      let common = prefix + String(decoding: rest[...end], as: UTF8.self)
      if prefixes.last?.hasSameBytes(as: common) != true { prefixes.append(common) }
      if trailing, common.hasSameBytes(as: name) { found.append(name) }
    }
    return (found, prefixes)
  }

  @Test(arguments: ["", "a", "a/", "a/b", "b/", "z/", "none"], ["", "/"])
  func `a list has the same results in pages of any size`(
    prefix: String,
    delimiter: String
  ) throws {
    let entry = try #require(Self.entry(Self.names.shuffled()))
    for trailing in [false, true] {
      let expected = Self.expected(
        prefix: prefix,
        delimiter: delimiter,
        trailing: trailing,
        Self.names
      )
      for limit in [1, 2, 3, 1_000] {
        var listing = ObjectListing()
        (listing.prefix, listing.delimiter) = (prefix, delimiter)
        (listing.limit, listing.includesTrailingDelimiter) = (limit, trailing)
        var (names, prefixes): ([String], [String]) = ([], [])
        repeat {
          let page = listing.page(of: entry)
          names += page.objects.map(\.metadata.name)
          prefixes += page.prefixes
          #expect(page.prefixes.count + page.objects.count <= limit + (trailing ? 1 : 0))
          listing.token = try page.nextPageToken.map(ObjectListing.Token.init)
        } while listing.token != nil
        #expect(names.map { ByteKey($0) } == expected.names.map { ByteKey($0) })
        #expect(prefixes.map { ByteKey($0) } == expected.prefixes.map { ByteKey($0) })
      }
    }
  }

  @Test func `offsets limit the names`() throws {
    let entry = try #require(Self.entry(Self.names))
    var listing = ObjectListing()
    (listing.startOffset, listing.endOffset) = ("a/b", "b/y")
    let names = listing.page(of: entry).objects.map(\.metadata.name)
    #expect(names == ["a/b", "a/b/c", "a/c", "a0", "b/x/1", "b/x/2"])
  }

  @Test func `a prefix with many objects is one result`() throws {
    let entry = try #require(Self.entry((0..<5_000).map { "many/\($0)" } + ["one"]))
    var listing = ObjectListing()
    (listing.delimiter, listing.limit) = ("/", 1)
    let page = listing.page(of: entry)
    #expect(page.prefixes == ["many/"])
    listing.token = try page.nextPageToken.map(ObjectListing.Token.init)
    #expect(listing.page(of: entry).objects.map(\.metadata.name) == ["one"])
  }

  @Test(arguments: ["", "x", "bz==", "0==", "b/9v"])
  func `a token of no page is refused`(text: String) {
    #expect(throws: StorageError.self) { try ObjectListing.Token(text) }
  }
}
