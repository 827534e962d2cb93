import Core
import Testing

@testable import CloudStorage

/// The headers Range and Content-Range.
struct RangeTests {
  @Test(arguments: [
    ("bytes=0-3", 0, 4), ("bytes=2-", 2, 10), ("bytes=9-9", 9, 10), ("bytes=3-100", 3, 10),
    ("bytes=-4", 6, 10), ("bytes=-100", 0, 10), ("bytes=0-9223372036854775807", 0, 10),
  ])
  func `a range is cut to the object`(header: String, start: Int64, end: Int64) throws {
    let range = try ByteRange.parse(header, size: 10)
    #expect(range == ByteRange(lowerBound: start, upperBound: end))
  }

  @Test(arguments: [
    nil, "", "bytes=", "bytes=-", "bytes=3-2", "bytes=a-b", "bytes=1-2,4-5", "lines=1-2", "bytes=1",
    "bytes=--1",
  ])
  func `a header of another form is ignored`(header: String?) throws {
    #expect(try ByteRange.parse(header, size: 10) == nil)
  }

  @Test(arguments: [
    ("bytes=10-", 10), ("bytes=99999999999999999999-", 10), ("bytes=11-12", 10), ("bytes=0-", 0),
    ("bytes=-0", 10), ("bytes=-5", 0),
  ])
  func `a range after the end is refused`(header: String, size: Int64) {
    #expect { try ByteRange.parse(header, size: size) } throws: { error in
      (error as? StorageError)?.httpStatus == 416
    }
  }

  @Test func `a chunk's position is read`() throws {
    let known = try ContentRange("bytes 0-9/20")
    #expect(known.bytes == ByteRange(lowerBound: 0, upperBound: 10))
    #expect(known.total == 20)
    let open = try ContentRange("bytes 5-5/*")
    #expect(open.bytes?.count == 1)
    #expect(open.total == nil)
    let query = try ContentRange("bytes */20")
    #expect(query.bytes == nil)
    #expect(query.total == 20)
  }

  @Test(arguments: [
    "", "bytes", "bytes 1", "bytes 5-4/10", "bytes -1-4/10", "bytes 0-10/10", "bytes 0-9/-1",
    "bytes 0-/5", "bytes a-b/c", "bytes 0-9223372036854775807/*", "bytes 0-1/2/3", "chunks 0-1/2",
  ])
  func `a chunk's position of another form is refused`(header: String) {
    #expect(throws: StorageError.self) { try ContentRange(header) }
  }
}
