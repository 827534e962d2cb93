import Core

/// The answers and pushes of the server, as texts.
enum ServerMessage {
  static func hello(time: Int64, host: String, session: String) -> [UInt8] {
    encode([
      "t": .string("c"),
      "d": .object([
        "t": .string("h"),
        "d": .object([
          "ts": .integer(time), "v": .string("5"), "h": .string(host), "s": .string(session),
        ]),
      ]),
    ])
  }

  static let pong = encode(["t": .string("c"), "d": .object(["t": .string("o"), "d": .null])])

  static func error(_ text: String) -> [UInt8] {
    encode(["t": .string("c"), "d": .object(["t": .string("e"), "d": .string(text)])])
  }

  static func answer(to number: Int64, _ status: String, _ data: JSONValue) -> [UInt8] {
    encode([
      "t": .string("d"),
      "d": .object([
        "r": .integer(number), "b": .object(["s": .string(status), "d": data]),
      ]),
    ])
  }

  /// Returns the push of a change.
  static func update(_ update: TreeUpdate, tag: Int64?) -> [UInt8] {
    var text = Array(#"{"t":"d","d":{"a":"\#(update.isMerge ? "m" : "d")","b":{"p":"#.utf8)
    text += (try? JSON.encode(JSONValue.string(update.path.description))) ?? Data()
    text += #","d":"#.utf8
    text += update.json(.export)
    if let tag { text += ",\"t\":\(tag)".utf8 }
    text += "}}}".utf8
    return text
  }

  /// Returns the push that tells that the client may no longer listen.
  static func cancel(_ path: TreePath, query: JSONValue?) -> [UInt8] {
    var body: JSONObject = ["p": .string(path.description)]
    // Firebase's SDKs expect a list here.
    body["q"] = query.map { .array([$0]) }
    return encode([
      "t": .string("d"), "d": .object(["a": .string("c"), "b": .object(body)]),
    ])
  }

  /// The push that tells that the user's token has expired.
  static let expired = encode([
    "t": .string("d"),
    "d": .object([
      "a": .string("ac"),
      "b": .object([
        "s": .string("expired_token"), "d": .string("Auth token is expired."),
      ]),
    ]),
  ])

  private static func encode(_ members: JSONObject) -> [UInt8] {
    // Texts and numbers from JSON are always JSON.
    Array((try? JSON.encode(JSONValue.object(members))) ?? Data())
  }
}
