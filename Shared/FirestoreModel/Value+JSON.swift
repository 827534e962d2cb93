import JSONCoding
import Platform

/// The REST form, one member that names the type: `{"integerValue":"7"}`.
///
/// Integers travel as decimal strings (numbers are read as well); NaN, the infinities and -0 as
/// strings, since JSON has none of them; bytes as base64, read in either alphabet.
extension Value: Codable {
  private enum Kind: String, CodingKey, CaseIterable {
    case nullValue, booleanValue, integerValue, doubleValue, timestampValue, stringValue
    case bytesValue, referenceValue, geoPointValue, arrayValue, mapValue
  }

  private struct GeoPoint: Codable {
    var latitude: Double?
    var longitude: Double?
  }

  private struct ArrayValue: Codable {
    var values: [Value]?
  }

  private struct MapValue: Codable {
    var fields: Fields?
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Kind.self)
    try decoder.refuseUnknownMembers(besides: Kind.self)
    guard let kind = container.allKeys.first, container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a value has exactly one member, such as stringValue"
        )
      )
    }
    switch kind {
    case .nullValue: self = .null
    case .booleanValue: self = .boolean(try container.decode(Bool.self, forKey: kind))
    case .integerValue: self = .integer(try container.decodeInteger(forKey: kind))
    case .doubleValue: self = .double(try container.decodeDouble(forKey: kind))
    case .timestampValue:
      self = .timestamp(try container.decode(Timestamp.self, forKey: kind))
    case .stringValue: self = .string(try container.decode(String.self, forKey: kind))
    case .bytesValue: self = .bytes(try container.decodeBytes(forKey: kind))
    case .referenceValue: self = .reference(try container.decode(String.self, forKey: kind))
    case .geoPointValue:
      try decoder.refuseUnknownMembers(
        of: kind,
        in: container,
        besides: "latitude",
        "longitude"
      )
      let point = try container.decode(GeoPoint.self, forKey: kind)
      self = .geoPoint(latitude: point.latitude ?? 0, longitude: point.longitude ?? 0)
    case .arrayValue:
      try decoder.refuseUnknownMembers(of: kind, in: container, besides: "values")
      self = .array(try container.decode(ArrayValue.self, forKey: kind).values ?? [])
    case .mapValue:
      try decoder.refuseUnknownMembers(of: kind, in: container, besides: "fields")
      self = .map(try container.decode(MapValue.self, forKey: kind).fields ?? [:])
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Kind.self)
    switch self {
    case .null: try container.encodeNil(forKey: .nullValue)
    case .boolean(let boolean): try container.encode(boolean, forKey: .booleanValue)
    case .integer(let integer): try container.encode(String(integer), forKey: .integerValue)
    case .double(let double):
      if let name = double.nameInJSON {
        try container.encode(name, forKey: .doubleValue)
      } else {
        try container.encode(double, forKey: .doubleValue)
      }
    case .timestamp(let timestamp): try container.encode(timestamp, forKey: .timestampValue)
    case .string(let string): try container.encode(string, forKey: .stringValue)
    case .bytes(let data): try container.encode(data.base64EncodedString(), forKey: .bytesValue)
    case .reference(let name): try container.encode(name, forKey: .referenceValue)
    case .geoPoint(let latitude, let longitude):
      try container.encode(
        GeoPoint(latitude: latitude, longitude: longitude),
        forKey: .geoPointValue
      )
    case .array(let values):
      try container.encode(
        ArrayValue(values: values.isEmpty ? nil : values),
        forKey: .arrayValue
      )
    case .map(let fields):
      try container.encode(MapValue(fields: fields.isEmpty ? nil : fields), forKey: .mapValue)
    }
  }
}

extension Double {
  /// What stands for this number where JSON has no number for it.
  fileprivate var nameInJSON: String? {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    return self == 0 && sign == .minus ? "-0" : nil
  }
}

extension KeyedDecodingContainer {
  fileprivate func decodeInteger(forKey key: Key) throws -> Int64 {
    guard let text = try? decode(String.self, forKey: key) else {
      return try decode(Int64.self, forKey: key)
    }
    guard let integer = Int64(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: key,
        in: self,
        debugDescription: "not a 64-bit integer"
      )
    }
    return integer
  }

  fileprivate func decodeDouble(forKey key: Key) throws -> Double {
    if let number = try? decode(Double.self, forKey: key) { return number }
    switch try decode(String.self, forKey: key) {
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    case let text:
      guard let number = Double(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: key,
          in: self,
          debugDescription: "not a number"
        )
      }
      return number
    }
  }

  fileprivate func decodeBytes(forKey key: Key) throws -> Data {
    var text = try decode(String.self, forKey: key)
    text = text.replacing("-", with: "+").replacing("_", with: "/")
    while !text.utf8.count.isMultiple(of: 4) { text += "=" }
    guard let data = Data(base64Encoded: text) else {
      throw DecodingError.dataCorruptedError(
        forKey: key,
        in: self,
        debugDescription: "not base64"
      )
    }
    return data
  }
}
