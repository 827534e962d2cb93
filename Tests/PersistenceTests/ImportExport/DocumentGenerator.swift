import Core
import FirestoreModel
import TestKit

/// A generator of random documents, with all types of values and all kinds of IDs.
///
/// The same seed generates the same documents.
struct DocumentGenerator {
  private var dice: Dice
  private let database: DatabaseName

  init(seed: UInt64, database: DatabaseName = defaultDatabase) {
    dice = Dice(seed: seed)
    self.database = database
  }

  private static let ids = [
    "a", "é", "e\u{301}", "__id7__", "__id-7__", "__id9223372036854775807__", "new\nline",
    "tab\tquote\"back\\slash", "\u{0}nul", "😀", "\u{2028}", " ", "a.b", "%2F", "*", "`",
    String(repeating: "x", count: 1_000),
  ]

  private static let names = [
    "a", "b.c", "é", "`", " ", "\\", "\"", "\n", "__a", "fields", "😀",
    String(repeating: "n", count: 300),
  ]

  private static let scalars: [Value] = [
    .null, true, false, 0, -1, .integer(.max), .integer(.min), .double(.nan), .double(.infinity),
    .double(-.infinity), .double(-0.0), .double(0), .double(1.5), .double(1e300),
    .double(.leastNonzeroMagnitude), .double(0.1), .double(0x1p63), "", "a", "a\u{0}b", "é",
    "e\u{301}", "😀",
    "\u{2028}\n\r\t\u{7F}\u{FEFF}", .string(String(repeating: "z", count: 1_600)),
    .bytes(Data()), .bytes(Data(0...255)), .bytes(Data(repeating: 7, count: 1_600)),
    .timestamp(Timestamp(seconds: -62_135_596_800)),
    .timestamp(Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_000)),
    .timestamp(Timestamp(microseconds: -1)), .timestamp(Timestamp(microseconds: 1)),
    .geoPoint(latitude: -90, longitude: 180), .geoPoint(latitude: 0.1, longitude: -0.2),
    .reference("projects/demo-transfer/databases/(default)/documents/c/__id3__"),
    .reference("projects/other/databases/second/documents/a/b/c/new\nline"),
  ]

  private mutating func value(depth: Int = 0) -> Value {
    switch dice.number(below: depth < 4 ? 12 : 9) {
    case 0: return .integer(Int64(bitPattern: dice.bits))
    case 1: return .double(Double(bitPattern: dice.bits))
    case 9:
      return ["__type__": "__vector__", "value": .array([.double(1.5), .double(-0.0)])]
    case 10: return .map(fields(depth: depth + 1))
    case 11:
      var elements: [Value] = []
      for _ in 0..<dice.number(below: 4) {
        let element = value(depth: depth + 1)
        switch element {
        case .array: elements.append(.map(["inner": element]))
        case .map(let fields) where fields["__type__"] != nil: elements.append(.null)
        default: elements.append(element)
        }
      }
      return .array(elements)
    default: return dice.pick(Self.scalars)
    }
  }

  private mutating func fields(depth: Int = 0) -> Fields {
    var fields: Fields = [:]
    for _ in 0..<dice.number(below: 6) { fields[dice.pick(Self.names)] = value(depth: depth) }
    return fields
  }

  /// Returns the given number of documents, or fewer if some names occur twice.
  mutating func documents(_ count: Int) throws -> [Document] {
    var documents: [DocumentName: Document] = [:]
    for index in 0..<count {
      var segments = ["c", dice.pick(Self.ids)]
      if dice.number(below: 3) > 0 { segments = [dice.pick(["c", "é", "x y"]), "d\(index)"] }
      if dice.number(below: 4) == 0 { segments += ["sub", dice.pick(Self.ids)] }
      let path = try ResourcePath(segments: segments)
      let time = Timestamp(microseconds: 1_700_000_000_000_000 + Int64(dice.number(below: 1 << 30)))
      let name = try DocumentName(database: database, path: path)
      documents[name] = Document(
        name: name,
        fields: fields(),
        createTime: time,
        updateTime: time.advanced(by: .microseconds(dice.number(below: 1_000)))
      )
    }
    return Array(documents.values)
  }
}
