import Core
import FirestoreModel

extension Value {
  /// The value as Firestore stores it.
  ///
  /// Timestamps are rounded down to microseconds. The decimals NaN and infinity, which clients may
  /// spell in several ways, get one spelling.
  var asStored: Value {
    if isAsStored { return self }
    return switch self {
    case .timestamp(let time):
      .timestamp(
        Timestamp(seconds: time.seconds, nanoseconds: time.nanoseconds / 1_000 * 1_000)
      )
    case .array(let values): .array(values.map(\.asStored))
    case .map(let fields):
      if case .decimal128(let text) = BSONValue(fields) {
        .map(["__decimal128__": .string(Self.infinities[text.lowercased()] ?? text)])
      } else {
        .map(fields.mapValues(\.asStored))
      }
    default: self
    }
  }

  /// A Boolean value that indicates whether the value is in its stored form.
  ///
  /// Nearly all values are in that form, so most documents needn't be copied.
  fileprivate var isAsStored: Bool {
    switch self {
    case .timestamp(let time): time.nanoseconds % 1_000 == 0
    case .array(let values): values.allSatisfy(\.isAsStored)
    case .map(let fields):
      fields["__decimal128__"] == nil && fields.values.allSatisfy(\.isAsStored)
    default: true
    }
  }

  private static let infinities = [
    "inf": "Infinity", "+inf": "Infinity", "infinity": "Infinity", "-inf": "-Infinity",
    "-infinity": "-Infinity", "nan": "NaN",
  ]
}

extension FieldTransform {
  /// The transform with its operands in stored form, so that they equal stored values.
  var asStored: FieldTransform {
    switch operation {
    case .appendMissingElements(let values):
      FieldTransform(fieldPath, .appendMissingElements(values.map(\.asStored)))
    case .removeAllFromArray(let values):
      FieldTransform(fieldPath, .removeAllFromArray(values.map(\.asStored)))
    case .setToServerValue, .increment, .maximum, .minimum: self
    }
  }
}

extension Write {
  /// The write with its values in stored form, and with an update mask whose paths don't overlap.
  ///
  /// If two paths overlap, the shorter one remains.
  var asStored: Write {
    var write = self
    write.updateMask = updateMask?.outermost
    switch operation {
    case .update(var document):
      guard !document.fields.values.allSatisfy(\.isAsStored) else { break }
      document.fields = document.fields.mapValues(\.asStored)
      write.operation = .update(document)
    case .transform(let name, let transforms):
      write.operation = .transform(name, transforms.map(\.asStored))
    case .delete, .verify: break
    }
    if !updateTransforms.isEmpty { write.updateTransforms = updateTransforms.map(\.asStored) }
    return write
  }
}
