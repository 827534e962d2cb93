/// The types that a function or method takes and returns. `nil` stands for any type.
struct Signature {
  typealias Types = [RulesType]

  /// The types that have the method, or `nil` for a function.
  let base: Types?
  let parameters: [Types?]
  let result: Types?

  init(_ parameters: [Types?], _ result: Types?, of base: Types? = nil) {
    self.base = base
    self.parameters = parameters
    self.result = result
  }

  private static let number: Types = [.float, .int]
  private static let text: Types = [.bytes, .string]

  /// The functions that every service has.
  static let functions: [String: Signature] = [
    "debug": Signature([nil], nil), "float": Signature([[.int, .float, .string]], [.float]),
    "int": Signature([[.int, .float, .string]], [.int]), "path": Signature([[.string]], [.path]),
    "string": Signature([[.int, .float, .null, .string, .bool, .path]], [.string]),
    "vector": Signature([[.list]], [.vector]),
  ]

  /// The functions that read documents, which only Firestore has.
  static let documentFunctions: [String: Signature] = [
    "exists": Signature([[.path]], nil), "existsAfter": Signature([[.path]], nil),
    "get": Signature([[.path]], nil), "getAfter": Signature([[.path]], nil),
  ]

  /// The functions of namespaces.
  static let namespaces: [String: [String: Signature]] = [
    "duration": [
      "abs": Signature([[.duration]], [.duration]),
      "time": Signature([[.int], [.int], [.int], [.int]], [.duration]),
      "value": Signature([[.int], [.string]], [.duration]),
    ],
    "hashing": [
      "crc32": Signature([text], [.bytes]), "crc32c": Signature([text], [.bytes]),
      "md5": Signature([text], [.bytes]), "sha256": Signature([text], [.bytes]),
    ],
    "latlng": ["value": Signature([number, number], [.latlng])],
    "math": [
      "abs": Signature([[.int, .float]], [.int, .float]), "ceil": Signature([number], [.float]),
      "floor": Signature([number], [.float]), "isInfinity": Signature([number], [.bool]),
      "isNaN": Signature([number], [.bool]), "pow": Signature([number, number], [.float]),
      "round": Signature([number], [.int]), "sqrt": Signature([number], [.float]),
    ],
    "timestamp": [
      "date": Signature([[.int], [.int], [.int]], [.timestamp]),
      "value": Signature([[.int, .string]], [.timestamp]),
    ],
  ]

  /// The functions of the namespace `firestore` in rules of Storage.
  static let firestore: [String: Signature] = [
    "exists": Signature([[.path]], nil), "get": Signature([[.path]], nil),
  ]

  /// The methods of all types.
  static let methods: [String: Signature] = {
    var methods: [String: Signature] = [
      "bind": Signature([[.map]], [.path], of: [.path]),
      "concat": Signature([[.list]], [.list], of: [.list]),
      "date": Signature([], [.timestamp], of: [.timestamp]),
      "diff": Signature([[.map]], [.mapDiff], of: [.map]),
      "distance": Signature([[.latlng]], [.float], of: [.latlng]),
      "get": Signature([[.string, .list], nil], nil, of: [.map]),
      "join": Signature([[.string]], [.string], of: [.list]),
      "matches": Signature([[.string]], [.bool], of: [.string]),
      "removeAll": Signature([[.list]], [.list], of: [.list]),
      "replace": Signature([[.string], [.string]], [.string], of: [.string]),
      "segments": Signature([], [.path], of: [.path]),
      "size": Signature([], [.int], of: [.string, .bytes, .list, .set, .map]),
      "split": Signature([[.string]], [.list], of: [.string]),
      "time": Signature([], [.duration], of: [.timestamp]),
      "toSet": Signature([], [.set], of: [.list]),
      "toUtf8": Signature([], [.bytes], of: [.string]),
    ]
    func add(_ names: [String], _ signature: Signature) {
      for name in names { methods[name] = signature }
    }
    add(
      ["addedKeys", "affectedKeys", "changedKeys", "removedKeys", "unchangedKeys"],
      Signature([], [.set], of: [.mapDiff])
    )
    add(
      ["day", "dayOfWeek", "dayOfYear", "hours", "minutes", "month", "toMillis", "year"],
      Signature([], [.int], of: [.timestamp])
    )
    add(["difference", "intersection", "union"], Signature([[.set]], [.set], of: [.set]))
    add(["hasAll", "hasAny", "hasOnly"], Signature([[.list, .set]], [.bool], of: [.list, .set]))
    add(["keys", "values"], Signature([], [.list], of: [.map]))
    add(["latitude", "longitude"], Signature([], [.float], of: [.latlng]))
    add(["lower", "trim", "upper"], Signature([], [.string], of: [.string]))
    add(["nanos", "seconds"], Signature([], [.int], of: [.duration, .timestamp]))
    add(["toBase64", "toHexString"], Signature([], [.string], of: [.bytes]))
    return methods
  }()
}
