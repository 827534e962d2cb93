import Core
import Cryptography
import FirestoreModel

extension IndexConfiguration {
  /// Returns the link to the Firebase console that creates a missing index.
  ///
  /// The link has the format of the links in production's published error messages. It contains a
  /// `google.firestore.admin.v1.Index` with the fields. The console calls an index of one field an
  /// exemption; such an index is named after the field.
  ///
  /// - Parameter fields: The fields of the index, without vector fields. The document name is among
  ///   them if the index states its direction.
  static func consoleLink(
    _ database: DatabaseName,
    _ collection: String,
    _ scope: Scope,
    _ fields: [Field]
  ) -> String {
    let group = "\(database)/collectionGroups/\(collection)"
    let isExemption = fields.count == 1
    var index = ProtobufMessage()
    index.append(1, isExemption ? "\(group)/fields/\(fields[0].fieldPath)" : "\(group)/indexes/_")
    index.append(2, scope == .collection ? 1 : 2)
    for field in fields { index.append(3, ProtobufMessage(field)) }
    if !isExemption, fields.last?.fieldPath != .documentName {
      let order = fields.last?.order ?? .ascending
      index.append(3, ProtobufMessage(Field(fieldPath: .documentName, order: order)))
    }
    let place = database.database == "(default)" ? "" : "/databases/\(database.database)"
    return
      "https://console.firebase.google.com/v1/r/project/\(database.project)/firestore\(place)/indexes"
      + "?create_\(isExemption ? "exemption" : "composite")=\(Base64URL.encode(index.bytes))"
  }
}

/// A protobuf message in the wire format. It supports the types of fields that an index has.
private struct ProtobufMessage {
  var bytes = Data()

  init() {}

  /// Creates a `google.firestore.admin.v1.Index.IndexField`.
  init(_ field: IndexConfiguration.Field) {
    append(1, field.fieldPath.description)
    if field.arrayConfig != nil {
      append(3, 1)
    } else {
      append(2, field.order == .descending ? 2 : 1)
    }
  }

  mutating func append(_ number: UInt8, _ value: UInt8) { bytes += [number << 3, value] }

  mutating func append(_ number: UInt8, _ text: String) { append(number, Data(text.utf8)) }

  mutating func append(_ number: UInt8, _ message: ProtobufMessage) {
    append(number, message.bytes)
  }

  private mutating func append(_ number: UInt8, _ content: Data) {
    bytes.append(number << 3 | 2)
    var count = content.count
    while count > 0x7F {
      bytes.append(UInt8(count & 0x7F | 0x80))
      count >>= 7
    }
    bytes.append(UInt8(count))
    bytes.append(content)
  }
}
