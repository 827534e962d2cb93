import Core
import HTTPService
import TestKit
import Testing

@testable import CloudStorage

/// The reader of multipart bodies, whose bytes arrive in pieces of any size.
struct MultipartBodyTests {
  private static let type = "multipart/related; boundary=\"b;==\""

  private static func body(_ text: Data, pieces size: Int) -> RequestBody {
    let body = RequestBody()
    var rest = text[...]
    while !rest.isEmpty {
      body.append(Data(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    body.finish()
    return body
  }

  private static func read(_ text: Data, pieces size: Int) async throws -> (Data, Data) {
    var reader = try MultipartBody(body(text, pieces: size), contentType: type)
    #expect(try await reader.nextPart()["content-type"] == "application/json")
    let metadata = try await reader.smallPart(atMost: 1_000)
    #expect(try await reader.nextPart()["content-type"] == "image/png")
    var content = Data()
    try await reader.lastPart { content.append($0) }
    return (metadata, content)
  }

  private static func text(_ content: Data, end: String = "\r\n--b;==--\r\n") -> Data {
    Data(
      "--b;==\r\nContent-Type: application/json\r\n\r\n{}\r\n--b;==\r\nCONTENT-TYPE:image/png\r\n\r\n"
        .utf8
    )
      + content + Data(end.utf8)
  }

  @Test(arguments: [1, 2, 7, 64, 100_000])
  func `content is the same, whatever its bytes and pieces`(size: Int) async throws {
    let contents = [
      Data(), Data("\r\n".utf8), Data("\r\n--b;=".utf8), Data("\r\r\n--b\r\n--b;=x".utf8),
      Data((0..<3_000).map { UInt8(truncatingIfNeeded: $0) }),
    ]
    for content in contents {
      let (metadata, read) = try await Self.read(Self.text(content), pieces: size)
      #expect(metadata == Data("{}".utf8))
      #expect(read == content)
    }
  }

  @Test(arguments: ["", "\r\n", "\r\n--b;", "\r\n--b;="])
  func `a body that is cut off is refused`(end: String) async throws {
    await #expect(throws: StorageError.self) {
      try await Self.read(Self.text(Data("abc".utf8), end: end), pieces: 10)
    }
  }

  @Test(arguments: [nil, "multipart/related", "multipart/related; boundary=", "text/plain"])
  func `a type without a boundary is refused`(type: String?) {
    #expect(throws: StorageError.self) { try MultipartBody(RequestBody(Data()), contentType: type) }
  }

  @Test func `metadata has a limit`() async throws {
    let text = Data("--b;==\r\n\r\n\(String(repeating: "x", count: 5_000))".utf8)
    var reader = try MultipartBody(Self.body(text, pieces: 100), contentType: Self.type)
    _ = try await reader.nextPart()
    await #expect(throws: StorageError.self) { try await reader.smallPart(atMost: 1_000) }
  }
}
