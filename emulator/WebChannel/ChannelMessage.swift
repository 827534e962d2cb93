package import Core

/// A JSON text that a server sends. It is encoded once for any number of channels.
package struct ChannelMessage: Sendable {
  package let json: Data
  /// The text's length in UTF-16 code units, in which clients count.
  let length: Int

  package init(json: Data) {
    self.json = json
    // Each UTF-8 sequence has one first byte. Sequences of four bytes are two code units.
    length = json.reduce(into: 0) { count, byte in
      if byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
    }
  }

  /// The message with which a stream fails, in the format of Google's servers.
  init(_ error: StatusError) {
    let body = JSONValue.object([
      "error": .object([
        "code": .integer(Int64(error.code.httpStatus)),
        "message": .string(error.message),
        "status": .string(error.code.rawValue),
      ])
    ])
    self.init(json: (try? JSON.encode(body)) ?? Data("{\"error\":{\"status\":\"INTERNAL\"}}".utf8))
  }
}
