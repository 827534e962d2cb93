import FirestoreModel

extension Value {
  /// The value as Firestore keeps it: timestamps lose what is below a microsecond, towards the
  /// past.
  var asStored: Value {
    switch self {
    case .timestamp(let time):
      .timestamp(
        Timestamp(seconds: time.seconds, nanoseconds: time.nanoseconds / 1_000 * 1_000)
      )
    case .array(let values): .array(values.map(\.asStored))
    case .map(let fields): .map(fields.mapValues(\.asStored))
    default: self
    }
  }
}

extension FieldTransform {
  /// The transform with its operands as they would be stored, so that they meet equals.
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
  /// The write with its values as they will be stored.
  var asStored: Write {
    var write = self
    switch operation {
    case .update(var document):
      document.fields = document.fields.mapValues(\.asStored)
      write.operation = .update(document)
    case .transform(let name, let transforms):
      write.operation = .transform(name, transforms.map(\.asStored))
    case .delete, .verify: break
    }
    write.updateTransforms = updateTransforms.map(\.asStored)
    return write
  }
}
