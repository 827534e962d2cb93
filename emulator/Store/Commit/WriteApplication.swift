import FirestoreModel

extension Write {
  /// Returns the document that the write makes of a stored one.
  ///
  /// The function changes nothing, so a commit can be tried before it is applied.
  ///
  /// An updated document gets the commit's time as its update time, even if no field changes.
  /// `Staging.settle` restores the earlier time of a document that all writes together left
  /// unchanged.
  ///
  /// - Returns: The document, or `nil` if it doesn't exist after the write; and a result for each
  ///   transform, or `nil` if the write has no transforms.
  func applied(
    to stored: Document?,
    at time: Timestamp
  ) -> (document: Document?, transformResults: [Value]?) {
    switch operation {
    case .delete:
      return (nil, nil)
    case .verify:
      return (stored, nil)
    case .update(let document):
      var fields = document.fields
      if let updateMask {
        fields = stored?.fields ?? [:]
        for path in updateMask.fieldPaths {
          if let value = document.fields[path] {
            fields.set(value, at: path)
          } else {
            fields.remove(at: path)
          }
        }
      }
      return Self.finish(fields, updateTransforms, document.name, stored, time)
    case .transform(let name, let transforms):
      return Self.finish(
        stored?.fields ?? [:],
        transforms + updateTransforms,
        name,
        stored,
        time
      )
    }
  }

  private static func finish(
    _ fields: Fields,
    _ transforms: [FieldTransform],
    _ name: DocumentName,
    _ stored: Document?,
    _ time: Timestamp
  ) -> (document: Document?, transformResults: [Value]?) {
    var fields = fields
    let results = transforms.map { $0.apply(to: &fields, at: time) }
    let document = Document(
      name: name,
      fields: fields,
      createTime: stored?.createTime ?? time,
      updateTime: time
    )
    return (document, results.isEmpty ? nil : results)
  }
}
