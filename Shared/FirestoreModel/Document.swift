import Core

/// A document as sent over the network. A document that isn't written yet has no create time and no
/// update time.
package struct Document: Hashable, Sendable {
  package var name: DocumentName
  package var fields: Fields
  package var createTime: Timestamp?
  package var updateTime: Timestamp?

  package init(
    name: DocumentName,
    fields: Fields,
    createTime: Timestamp? = nil,
    updateTime: Timestamp? = nil
  ) {
    self.name = name
    self.fields = fields
    self.createTime = createTime
    self.updateTime = updateTime
  }

  /// Returns the document with only the fields of a mask, or with all fields if the mask is `nil`.
  package func masked(by mask: FieldMask?) -> Document {
    guard let mask else { return self }
    var masked = self
    masked.fields = [:]
    for path in mask.fieldPaths {
      if let value = fields[path] { masked.fields.set(value, at: path) }
    }
    return masked
  }
}

extension Document: Codable {
  private enum CodingKeys: CodingKey { case name, fields, createTime, updateTime }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(DocumentName.self, forKey: .name)
    fields = try container.decodeIfPresent(DocumentFields.self, forKey: .fields)?.fields ?? [:]
    createTime = try container.decodeIfPresent(Timestamp.self, forKey: .createTime)
    updateTime = try container.decodeIfPresent(Timestamp.self, forKey: .updateTime)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    if !fields.isEmpty { try container.encode(DocumentFields(fields), forKey: .fields) }
    try container.encodeIfPresent(createTime, forKey: .createTime)
    try container.encodeIfPresent(updateTime, forKey: .updateTime)
  }
}

/// The field paths that a read returns or a write changes. An empty mask means no fields; no mask
/// means all fields.
package struct FieldMask: Hashable, Sendable, Codable {
  package var fieldPaths: [FieldPath]

  package init(_ fieldPaths: [FieldPath]) { self.fieldPaths = fieldPaths }

  /// The mask without duplicate paths, and without paths below another path of the mask.
  package var outermost: FieldMask {
    guard fieldPaths.count > 1 else { return self }
    var kept: [FieldPath] = []
    // After sorting, the paths below another one directly follow it.
    for path in fieldPaths.sorted() {
      if let last = kept.last, path.segments.starts(with: last.segments) { continue }
      kept.append(path)
    }
    return FieldMask(kept)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    fieldPaths = try container.decodeIfPresent([FieldPath].self, forKey: .fieldPaths) ?? []
  }
}
