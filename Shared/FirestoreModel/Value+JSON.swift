package import JSONCoding
import Platform

/// The REST form, one member that names the type: `{"integerValue":"7"}`.
///
/// Integers travel as decimal strings (numbers are read as well); NaN, the infinities and -0 as
/// strings, since JSON has none of them; bytes as base64, read in either alphabet.
extension Value: JSONDecodable, JSONEncodable {
  private enum Kind: String, CaseIterable {
    case nullValue, booleanValue, integerValue, doubleValue, timestampValue, stringValue
    case bytesValue, referenceValue, geoPointValue, arrayValue, mapValue
  }

  // MARK: Reading

  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    if isStrict { try json.refuseMembers(besides: Kind.allCases.map(\.rawValue)) }
    var found: (kind: Kind, content: JSONValue)?
    for (name, content) in try json.asMembers() {
      guard let kind = Kind(name) else { continue }
      guard found == nil else { throw Self.notOneMember }
      found = (kind, content)
    }
    guard let (kind, content) = found else { throw Self.notOneMember }
    do throws(JSONFault) {
      self = try Self.value(of: kind, content, isStrict: isStrict)
    } catch {
      throw error.at(kind.rawValue)
    }
  }

  private static var notOneMember: JSONFault {
    JSONFault(.refused("a value has exactly one member, such as stringValue"))
  }

  private static func value(
    of kind: Kind,
    _ json: JSONValue,
    isStrict: Bool
  ) throws(JSONFault) -> Value {
    switch kind {
    case .nullValue: return .null
    case .booleanValue:
      guard case .boolean(let boolean) = json else { throw JSONFault(.wrongType(Bool.self)) }
      return .boolean(boolean)
    case .integerValue: return .integer(try integer(json))
    case .doubleValue: return .double(try double(json))
    case .timestampValue:
      return .timestamp(try Timestamp(json: json, isStrict: isStrict))
    case .stringValue: return .string(try json.asText())
    case .bytesValue: return .bytes(try bytes(json.asText()))
    case .referenceValue: return .reference(try json.asText())
    case .geoPointValue:
      if isStrict { try json.refuseMembers(besides: ["latitude", "longitude"]) }
      return .geoPoint(
        latitude: try number(json.presentMember("latitude") ?? .integer(0)),
        longitude: try number(json.presentMember("longitude") ?? .integer(0))
      )
    case .arrayValue:
      if isStrict { try json.refuseMembers(besides: ["values"]) }
      return .array(try json.member("values", isStrict: isStrict) ?? [])
    case .mapValue:
      if isStrict { try json.refuseMembers(besides: ["fields"]) }
      return .map(try json.member("fields", isStrict: isStrict) ?? [:])
    }
  }

  private static func integer(_ json: JSONValue) throws(JSONFault) -> Int64 {
    guard case .string(let text) = json else { return try json.asInteger() }
    guard let integer = Int64(text) else { throw JSONFault(.refused("not a 64-bit integer")) }
    return integer
  }

  private static func number(_ json: JSONValue) throws(JSONFault) -> Double {
    switch json {
    case .integer(let integer): return Double(integer)
    case .number(let number): return number
    default: throw JSONFault(.wrongType(Double.self))
    }
  }

  private static func double(_ json: JSONValue) throws(JSONFault) -> Double {
    guard case .string(let text) = json else { return try number(json) }
    switch text {
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    default:
      guard let number = Double(text) else { throw JSONFault(.refused("not a number")) }
      return number
    }
  }

  private static func bytes(_ text: String) throws(JSONFault) -> Data {
    var text = text.replacing("-", with: "+").replacing("_", with: "/")
    while !text.utf8.count.isMultiple(of: 4) { text += "=" }
    guard let data = Data(base64Encoded: text) else { throw JSONFault(.refused("not base64")) }
    return data
  }

  // MARK: Writing

  package var json: JSONValue {
    switch self {
    case .null: Self.json(.nullValue, .null)
    case .boolean(let boolean): Self.json(.booleanValue, .boolean(boolean))
    case .integer(let integer): Self.json(.integerValue, .string(String(integer)))
    case .double(let double):
      Self.json(.doubleValue, double.nameInJSON.map(JSONValue.string) ?? .number(double))
    case .timestamp(let timestamp):
      Self.json(.timestampValue, .string(timestamp.description))
    case .string(let string): Self.json(.stringValue, .string(string))
    case .bytes(let data): Self.json(.bytesValue, .string(data.base64EncodedString()))
    case .reference(let name): Self.json(.referenceValue, .string(name))
    case .geoPoint(let latitude, let longitude):
      Self.json(
        .geoPointValue,
        .object(["latitude": .number(latitude), "longitude": .number(longitude)])
      )
    case .array(let values):
      Self.json(
        .arrayValue,
        .object(values.isEmpty ? [:] : ["values": .array(values.map(\.json))])
      )
    case .map(let fields):
      Self.json(.mapValue, .object(fields.isEmpty ? [:] : ["fields": fields.json]))
    }
  }

  private static func json(_ kind: Kind, _ content: JSONValue) -> JSONValue {
    .object([ByteKey(kind.rawValue): content])
  }
}

extension Fields: JSONDecodable {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    let members = try json.asMembers()
    self.init(minimumCapacity: members.count)
    for (name, member) in members {
      do throws(JSONFault) {
        self[name] = try FirestoreModel.Value(json: member, isStrict: isStrict)
      } catch {
        throw error.at(name.string)
      }
    }
  }

  var json: JSONValue { .object(mapValues(\.json)) }
}

extension Double {
  /// What stands for this number where JSON has no number for it.
  fileprivate var nameInJSON: String? {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    return self == 0 && sign == .minus ? "-0" : nil
  }
}
