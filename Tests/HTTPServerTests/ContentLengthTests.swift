import HTTPServer
import TestKit
import Testing

/// The values of `Content-Length`, including values that exceed every integer type.
struct ContentLengthTests {
  @Test(
    arguments: [
      "1025", "9223372036854775807", "9223372036854775808", "18446744073709551615",
      "00000000000000000000000001025",
    ],
    ["", "Expect: 100-continue\r\n"]
  )
  func `a body that is announced as too large is refused before it arrives`(
    length: String,
    field: String
  ) async throws {
    for limits in [ConnectionLimits(), nil] {
      try await withListener(limits) { port in
        let connection = try RawConnection(port: port)
        connection.send("POST / HTTP/1.1\r\nHost: a\r\n\(field)Content-Length: \(length)\r\n\r\n")
        let answer = try await answer(on: connection)
        #expect(statuses(answer) == ["413"])
        #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
      }
    }
  }

  @Test(arguments: [
    "18446744073709551616", "99999999999999999999", "+5", "-5", "5 5", "0x5", "5.0", "\u{664}",
  ])
  func `an invalid or excessive length is refused`(length: String) async throws {
    for limits in [ConnectionLimits(), nil] {
      try await withListener(limits) { port in
        let connection = try RawConnection(port: port)
        connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
        let answer = try await answer(on: connection)
        #expect(statuses(answer) == ["400"])
        #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
      }
    }
  }

  @Test func `leading zeros of a length are ignored`() async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send(
        "POST /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
          + "Content-Length: 0000000000000000000000000000002\r\n\r\nhi"
      )
      #expect(try await answer(on: connection).hasSuffix("\r\n\r\n/x"))
    }
  }
}
