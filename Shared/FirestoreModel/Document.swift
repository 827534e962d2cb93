import JSONCoding

/// A document as the wire carries it; times are absent while it is on its way to be written.
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

  /// This document with only the fields a mask names; nil is no mask.
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
  private enum Member: String, CodingKey, CaseIterable {
    case name, fields, createTime, updateTime
  }

  package init(from decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    do throws(JSONFault) {
      try self.init(json: json, isStrict: decoder.refusesUnknownMembers)
    } catch {
      throw error.decodingError(at: decoder.codingPath)
    }
  }

  /// - Parameter isStrict: whether members that a document doesn't have are refused.
  private init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    if isStrict { try json.refuseMembers(besides: Set(Member.allCases.map(\.rawValue))) }
    guard let name = try json.asMembers()[Member.name.rawValue] else {
      throw JSONFault(.missing(Member.name.rawValue))
    }
    var part = Member.name
    do throws(JSONFault) {
      self.init(name: try DocumentName(json: name), fields: [:])
      part = .fields
      if let fields = try json.presentMember(part.rawValue) {
        self.fields = try Fields(json: fields, isStrict: isStrict)
      }
      part = .createTime
      if let time = try json.presentMember(part.rawValue) { createTime = try Timestamp(json: time) }
      part = .updateTime
      if let time = try json.presentMember(part.rawValue) { updateTime = try Timestamp(json: time) }
    } catch {
      throw error.at(part.rawValue)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encode(name, forKey: .name)
    if !fields.isEmpty { try container.encode(fields.json, forKey: .fields) }
    try container.encodeIfPresent(createTime, forKey: .createTime)
    try container.encodeIfPresent(updateTime, forKey: .updateTime)
  }
}

/// The paths a read returns or a write touches. Empty touches nothing; absent means everything.
package struct FieldMask: Hashable, Sendable, Codable {
  package var fieldPaths: [FieldPath]

  package init(_ fieldPaths: [FieldPath]) { self.fieldPaths = fieldPaths }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: Member.self)
    let container = try decoder.container(keyedBy: Member.self)
    fieldPaths = try container.decodeIfPresent([FieldPath].self, forKey: .fieldPaths) ?? []
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encode(fieldPaths, forKey: .fieldPaths)
  }

  private enum Member: String, CodingKey, CaseIterable { case fieldPaths }
}
