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

  private static func taking(_ count: Int, _ result: RulesType...) -> Signature {
    Signature(Array(repeating: nil, count: count), result.isEmpty ? nil : result)
  }

  /// The functions that every service has.
  static let functions: [String: Signature] = [
    "debug": taking(1), "float": taking(1, .float), "int": taking(1, .int),
    "path": taking(1, .path), "string": taking(1, .string), "vector": taking(1, .vector),
  ]

  /// The functions that read documents, which only Firestore has.
  static let documentFunctions: [String: Signature] = [
    "exists": Signature([[.path]], nil), "existsAfter": Signature([[.path]], nil),
    "get": Signature([[.path]], nil), "getAfter": Signature([[.path]], nil),
  ]

  /// The functions of namespaces.
  static let namespaces: [String: [String: Signature]] = [
    "duration": [
      "abs": taking(1, .duration), "time": taking(4, .duration), "value": taking(2, .duration),
    ],
    "hashing": [
      "crc32": taking(1, .bytes), "crc32c": taking(1, .bytes), "md5": taking(1, .bytes),
      "sha256": taking(1, .bytes),
    ],
    "latlng": ["value": taking(2, .latlng)],
    "math": [
      "abs": taking(1, .int, .float), "ceil": taking(1, .float), "floor": taking(1, .float),
      "isInfinity": Signature([[.float, .int]], [.bool]),
      "isNaN": Signature([[.float, .int]], [.bool]), "pow": taking(2, .float),
      "round": taking(1, .int), "sqrt": taking(1, .float),
    ],
    "timestamp": ["date": taking(3, .timestamp), "value": taking(1, .timestamp)],
  ]

  /// The functions of the namespace `firestore` in rules of Storage.
  static let firestore: [String: Signature] = [
    "exists": Signature([[.path]], nil), "get": Signature([[.path]], nil),
  ]

  /// The methods of all types.
  static let methods: [String: Signature] = {
    var methods: [String: Signature] = [
      "bind": [.path].taking(1, .path), "concat": [.list].taking(1, .list),
      "date": [.timestamp].taking(0, .timestamp), "diff": [.map].taking(1, .mapDiff),
      "distance": [.latlng].taking(1, .float), "join": [.list].taking(1, .string),
      "keys": [.map].taking(0, .list), "removeAll": [.list].taking(1, .list),
      "replace": [.string].taking(2, .string), "segments": [.path].taking(0, .path),
      "size": [.string, .bytes, .list, .set, .map].taking(0, .int),
      "split": [.string].taking(1, .list), "time": [.timestamp].taking(0, .duration),
      "toSet": [.list].taking(0, .set), "toUtf8": [.string].taking(0, .bytes),
      "values": [.map].taking(0, .list),
      "get": Signature([[.string, .list], nil], nil, of: [.map]),
      "matches": Signature([[.string]], [.bool], of: [.string]),
    ]
    for name in ["hasAll", "hasAny", "hasOnly"] {
      methods[name] = Signature([[.list, .set]], [.bool], of: [.list, .set])
    }
    for name in ["day", "dayOfWeek", "dayOfYear", "hours", "minutes", "month", "toMillis", "year"] {
      methods[name] = [.timestamp].taking(0, .int)
    }
    for name in ["nanos", "seconds"] { methods[name] = [.duration, .timestamp].taking(0, .int) }
    for name in ["latitude", "longitude"] { methods[name] = [.latlng].taking(0, .float) }
    for name in ["lower", "trim", "upper"] { methods[name] = [.string].taking(0, .string) }
    for name in ["toBase64", "toHexString"] { methods[name] = [.bytes].taking(0, .string) }
    for name in ["addedKeys", "affectedKeys", "changedKeys", "removedKeys", "unchangedKeys"] {
      methods[name] = [.mapDiff].taking(0, .set)
    }
    for name in ["difference", "intersection", "union"] {
      methods[name] = [.set].taking(1, .set)
    }
    return methods
  }()
}

extension [RulesType] {
  /// Returns the signature of a method of these types whose arguments can have any type.
  fileprivate func taking(_ count: Int, _ result: RulesType) -> Signature {
    Signature([[RulesType]?](repeating: nil, count: count), [result], of: self)
  }
}
