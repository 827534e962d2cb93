import Core
import FirestoreModel
import FirestoreProtos
import SwiftProtobuf

// The mapping of documents to Datastore entities, as Google's emulator 1.19.9 writes and reads
// them:
//
// - A document is an entity. Its key has a kind for each collection, followed by the document ID as
//   a number (`__id7__` is 7) or as text. The project has a prefix: `dev~` in the emulator, `s~` or
//   `b~` in the cloud. The key also names the database, except for the default one. The create and
//   update times are lost.
// - A field is a raw (unindexed) property. In production's exports, it may also be an indexed one.
// - Null is a value message with no field set. Doubles are unchanged, including -0 and NaN.
// - A timestamp is an integer with meaning 7: the microseconds since 1970. Bytes have meaning 14,
//   or 16 for short ones in older exports. A geo point has meaning 9.
// - A map is a string with meaning 19, which contains an entity with an empty key. Its field names
//   are unchanged.
// - An array is one property for each element. They have the same name and are marked as multiple.
//   An empty array is one property without a value, with meaning 24. Arrays contain no arrays or
//   vectors.
// - A vector is an array of doubles, each with meaning 31.
// - A reference contains the parts of a document's key, but in another message type.
//
// The additional types of Enterprise databases are maps, as in Firestore's API.

private enum Meaning {
  static let timestamp: Int32 = 7
  static let point: Int32 = 9
  static let bytes: Int32 = 14
  static let shortBytes: Int32 = 16
  static let entity: Int32 = 19
  static let emptyArray: Int32 = 24
  static let vector: Int32 = 31
}

private let projectPrefix = "dev~"
private let defaultDatabase = "(default)"

// MARK: Writing

extension EntityDocument {
  init(_ document: Document) {
    let database = document.name.database
    self.init(document.fields)
    key.app = projectPrefix + database.project
    key.path = EntityPath(document.name.path)
    if database.database != defaultDatabase { key.databaseID = database.database }
    entityGroup.element = Array(key.path.element.prefix(1))
  }

  /// Creates an entity whose fields are sorted by name, so that equal documents have equal bytes.
  private init(_ fields: Fields) {
    self.init()
    key.app = ""
    key.path = EntityPath()
    entityGroup = EntityPath()
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      append(value, named: name.string)
    }
  }

  private mutating func append(_ value: Value, named name: String) {
    if let numbers = value.vector {
      for number in numbers { append(number, Meaning.vector, named: name, isElement: true) }
      return
    }
    guard case .array(let elements) = value else {
      return append(value, nil, named: name, isElement: false)
    }
    for element in elements { append(element, nil, named: name, isElement: true) }
    if elements.isEmpty {
      property.append(
        .with {
          $0.meaning = Meaning.emptyArray
          $0.name = name
          $0.multiple = false
          $0.value = EntityPropertyValue()
        }
      )
    }
  }

  private mutating func append(
    _ value: Value,
    _ meaning: Int32?,
    named name: String,
    isElement: Bool
  ) {
    var property = EntityProperty()
    if let meaning = meaning ?? value.meaning { property.meaning = meaning }
    property.name = name
    property.multiple = isElement
    property.value = value.entityValue
    rawProperty.append(property)
  }

  fileprivate static func data(of fields: Fields) -> Data {
    // Encoding fails only if a required field is missing, and the message has no required fields.
    (try? EntityDocument(fields).serializedBytes()) ?? Data()
  }
}

extension EntityPath {
  fileprivate init(_ path: ResourcePath) {
    self.init()
    let segments = path.segments
    for index in stride(from: 0, to: segments.count, by: 2) {
      element.append(
        .with {
          $0.type = segments[index]
          if let number = ResourcePath.numericID(segments[index + 1]) {
            $0.id = number
          } else {
            $0.name = segments[index + 1]
          }
        }
      )
    }
  }
}

extension Value {
  /// The numbers of a vector, or `nil` for another value.
  fileprivate var vector: [Value]? {
    guard case .map(let fields) = self, fields["__type__"]?.stringValue == "__vector__" else {
      return nil
    }
    return fields["value"]?.arrayValue
  }

  fileprivate var meaning: Int32? {
    switch self {
    case .null, .boolean, .integer, .double, .string, .reference, .array: nil
    case .timestamp: Meaning.timestamp
    case .bytes: Meaning.bytes
    case .geoPoint: Meaning.point
    case .map: Meaning.entity
    }
  }

  fileprivate var entityValue: EntityPropertyValue {
    var value = EntityPropertyValue()
    switch self {
    case .null, .array: break
    case .boolean(let boolean): value.booleanValue = boolean
    case .integer(let integer): value.int64Value = integer
    case .double(let double): value.doubleValue = double
    case .timestamp(let time): value.int64Value = time.microseconds
    case .string(let string): value.stringValue = Data(string.utf8)
    case .bytes(let data): value.stringValue = data
    case .map(let fields): value.stringValue = EntityDocument.data(of: fields)
    case .geoPoint(let latitude, let longitude):
      value.pointValue = .with {
        $0.x = latitude
        $0.y = longitude
      }
    case .reference(let text):
      if let name = try? DocumentName(text) { value.referenceValue = .init(name) }
    }
    return value
  }
}

extension EntityPropertyValue.ReferenceValue {
  fileprivate init(_ name: DocumentName) {
    self.init()
    app = projectPrefix + name.database.project
    if name.database.database != defaultDatabase { databaseID = name.database.database }
    pathElement = EntityPath(name.path).element.map { element in
      .with {
        $0.type = element.type
        if element.hasID { $0.id = element.id } else { $0.name = element.name }
      }
    }
  }
}

// MARK: Reading

extension EntityDocument {
  /// The ID of the database from which the document was exported.
  var database: String { key.hasDatabaseID ? key.databaseID : defaultDatabase }

  /// Returns the entity as a document of a database.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an entity that isn't a valid Firestore document. The message
  ///   is only the reason, and the caller adds the position.
  func document(in database: DatabaseName) throws(StatusError) -> Document {
    guard key.nameSpace.isEmpty else {
      throw .entity("its namespace is \(quoted(key.nameSpace)), but Firestore has no namespaces")
    }
    var segments: [String] = []
    for element in key.path.element {
      guard element.hasID || element.hasName else { throw .entity("its name is incomplete") }
      segments += [element.type, element.hasID ? "__id\(element.id)__" : element.name]
    }
    return Document(
      name: try DocumentName(database: database, path: ResourcePath(segments: segments)),
      fields: try fields(depth: 0)
    )
  }

  private func fields(depth: Int) throws(StatusError) -> Fields {
    // The limit is higher than Firestore's, and lower than the depth at which the stack overflows.
    guard depth <= 64 else { throw .entity("its maps are nested too deeply") }
    var fields: Fields = [:]
    var elements: [ByteKey: (values: [Value], isVector: Bool)] = [:]
    for properties in [property, rawProperty] {
      for property in properties {
        let isVector = property.meaning == Meaning.vector
        if property.meaning != Meaning.emptyArray, property.multiple || isVector {
          elements[ByteKey(property.name), default: ([], isVector)].values.append(
            try property.firestoreValue(depth: depth)
          )
          continue
        }
        let value: Value =
          property.meaning == Meaning.emptyArray
          ? .array([]) : try property.firestoreValue(depth: depth)
        guard fields.updateValue(value, forKey: ByteKey(property.name)) == nil else {
          throw .entity("field \(quoted(property.name)) occurs twice")
        }
      }
    }
    for (name, (values, isVector)) in elements {
      let value: Value =
        isVector ? ["__type__": "__vector__", "value": .array(values)] : .array(values)
      guard fields.updateValue(value, forKey: name) == nil else {
        throw .entity("field \(quoted(name.string)) occurs twice")
      }
    }
    return fields
  }

  fileprivate static func fields(in data: Data, depth: Int) throws(StatusError) -> Fields {
    guard let entity = try? EntityDocument(serializedBytes: data) else {
      throw .entity("a map in it can't be read")
    }
    return try entity.fields(depth: depth)
  }
}

extension EntityProperty {
  fileprivate func firestoreValue(depth: Int) throws(StatusError) -> Value {
    if value.hasInt64Value {
      return meaning == Meaning.timestamp
        ? .timestamp(Timestamp(microseconds: value.int64Value)) : .integer(value.int64Value)
    }
    if value.hasBooleanValue { return .boolean(value.booleanValue) }
    if value.hasDoubleValue { return .double(value.doubleValue) }
    if value.hasPointValue {
      return .geoPoint(latitude: value.pointValue.x, longitude: value.pointValue.y)
    }
    if value.hasReferenceValue { return .reference(try value.referenceValue.name().description) }
    guard value.hasStringValue else { return .null }
    switch meaning {
    case Meaning.bytes, Meaning.shortBytes: return .bytes(value.stringValue)
    case Meaning.entity:
      return .map(try EntityDocument.fields(in: value.stringValue, depth: depth + 1))
    default:
      guard let string = String(validating: value.stringValue, as: UTF8.self) else {
        throw .entity("field \(quoted(name)) is not UTF-8")
      }
      return .string(string)
    }
  }
}

extension EntityPropertyValue.ReferenceValue {
  fileprivate func name() throws(StatusError) -> DocumentName {
    var segments: [String] = []
    for element in pathElement {
      guard element.hasID || element.hasName else {
        throw .entity("a reference in it is incomplete")
      }
      segments += [element.type, element.hasID ? "__id\(element.id)__" : element.name]
    }
    let project = app.split(separator: "~", maxSplits: 1).last ?? ""
    return try DocumentName(
      database: DatabaseName(
        project: String(project),
        database: hasDatabaseID ? databaseID : defaultDatabase
      ),
      path: ResourcePath(segments: segments)
    )
  }
}

extension StatusError {
  fileprivate static func entity(_ problem: String) -> StatusError {
    StatusError(.invalidArgument, problem)
  }
}
