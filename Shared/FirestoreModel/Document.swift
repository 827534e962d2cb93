package import JSONCoding
import Platform

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

extension Document: JSONDecodable, JSONEncodable {
  private enum Member: String, CodingKey, CaseIterable {
    case name, fields, createTime, updateTime
  }

  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    if isStrict {
      try json.refuseMembers(besides: Member.allCases.map(\.rawValue))
    }
    func member<Value: JSONDecodable>(_ member: Member) throws(JSONFault) -> Value? {
      try json.member(member.rawValue, isStrict: isStrict)
    }
    self.init(
      name: try json.requiredMember(Member.name.rawValue, isStrict: isStrict),
      fields: try member(.fields) ?? [:],
      createTime: try member(.createTime),
      updateTime: try member(.updateTime)
    )
  }

  package var json: JSONValue {
    var members: JSONObject = ["name": name.json]
    if !fields.isEmpty { members[Member.fields.rawValue] = fields.json }
    members[Member.createTime.rawValue] = createTime?.json
    members[Member.updateTime.rawValue] = updateTime?.json
    return .object(members)
  }
}

/// The paths a read returns or a write touches. Empty touches nothing; absent means everything.
package struct FieldMask: Hashable, Sendable, Decodable, JSONEncodable {
  package var fieldPaths: [FieldPath]

  package init(_ fieldPaths: [FieldPath]) { self.fieldPaths = fieldPaths }

  /// The mask without the paths that lie below another of its paths, or are in it twice.
  package var outermost: FieldMask {
    guard fieldPaths.count > 1 else { return self }
    var kept: [FieldPath] = []
    // Sorted, a path is followed directly by those below it.
    for path in fieldPaths.sorted() {
      if let last = kept.last, path.segments.starts(with: last.segments) { continue }
      kept.append(path)
    }
    return FieldMask(kept)
  }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: Member.self)
    let container = try decoder.container(keyedBy: Member.self)
    fieldPaths = try container.decodeIfPresent([FieldPath].self, forKey: .fieldPaths) ?? []
  }

  package var json: JSONValue {
    .object(["fieldPaths": .array(fieldPaths.map(\.json))])
  }

  private enum Member: String, CodingKey, CaseIterable { case fieldPaths }
}
