import Core

/// The fields of an FCM request with their types, and the errors of Google's JSON parser.
///
/// Source: firebase.google.com/docs/reference/fcm/rest/v1/projects.messages, and the messages that
/// Google's own client can send.
enum PushSchema {
  /// The type of a field in protobuf's JSON format.
  private indirect enum Shape: Sendable {
    case string
    case boolean
    case integer
    case float
    /// A number of seconds that ends with `s`.
    case duration
    case timestamp
    /// An enumeration: its type's name and its values.
    case enumeration(String, Set<String>)
    case list(Shape)
    /// A map of strings: `map<string, string>`.
    case strings
    /// Any JSON object.
    case anyObject
    case message([String: Shape])
  }

  private static let request = Shape.message([
    "validateOnly": .boolean,
    "message": .message([
      "name": .string, "data": .strings, "android": android, "webpush": webpush, "apns": apns,
      "fcmOptions": .message(["analyticsLabel": .string]),
      "notification": .message(["title": .string, "body": .string, "image": .string]),
      "token": .string, "fid": .string, "topic": .string, "condition": .string,
    ]),
  ])

  private static let android = Shape.message([
    "collapseKey": .string,
    "priority": .enumeration("AndroidConfig.AndroidMessagePriority", ["NORMAL", "HIGH"]),
    "ttl": .duration, "restrictedPackageName": .string, "data": .strings,
    "notification": androidNotification, "fcmOptions": .message(["analyticsLabel": .string]),
    "directBootOk": .boolean, "bandwidthConstrainedOk": .boolean,
    "restrictedSatelliteOk": .boolean,
  ])

  private static let androidNotification = Shape.message([
    "title": .string, "body": .string, "icon": .string, "color": .string, "sound": .string,
    "tag": .string, "clickAction": .string, "bodyLocKey": .string,
    "bodyLocArgs": .list(.string), "titleLocKey": .string, "titleLocArgs": .list(.string),
    "channelId": .string, "ticker": .string, "sticky": .boolean, "eventTime": .timestamp,
    "localOnly": .boolean,
    "notificationPriority": .enumeration(
      "AndroidNotification.NotificationPriority",
      [
        "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT",
        "PRIORITY_HIGH", "PRIORITY_MAX",
      ]
    ),
    "defaultSound": .boolean, "defaultVibrateTimings": .boolean,
    "defaultLightSettings": .boolean, "vibrateTimings": .list(.duration),
    "visibility": .enumeration(
      "AndroidNotification.Visibility",
      ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]
    ),
    "notificationCount": .integer,
    "lightSettings": .message([
      "color": .message(["red": .float, "green": .float, "blue": .float, "alpha": .float]),
      "lightOnDuration": .duration, "lightOffDuration": .duration,
    ]),
    "image": .string, "bypassProxyNotification": .boolean,
    "proxy": .enumeration(
      "AndroidNotification.Proxy",
      ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"]
    ),
  ])

  private static let webpush = Shape.message([
    "headers": .strings, "data": .strings, "notification": .anyObject,
    "fcmOptions": .message(["link": .string, "analyticsLabel": .string]),
  ])

  private static let apns = Shape.message([
    "headers": .strings, "payload": .anyObject, "liveActivityToken": .string,
    "fcmOptions": .message(["analyticsLabel": .string, "image": .string]),
  ])

  /// Returns the errors that Google's parser would report, ordered by path.
  static func violations(in body: JSONValue) -> [PushViolation] {
    violations(in: body, shape: request, at: "")
  }

  private static func violations(
    in value: JSONValue,
    shape: Shape,
    at path: String
  ) -> [PushViolation] {
    // In protobuf's JSON format `null` means that a field isn't set.
    if value == .null && !path.isEmpty { return [] }
    switch (shape, value) {
    case (.string, .string), (.boolean, .boolean), (.anyObject, .object): return []
    case (.integer, .integer(let number)) where Int32(exactly: number) != nil: return []
    case (.float, .integer), (.float, .number): return []
    case (.duration, .string(let text)) where text.protobufSeconds != nil:
      return []
    case (.timestamp, .string(let text)) where text.looksLikeTimestamp: return []
    case (.enumeration(_, let names), .string(let name)) where names.contains(name.uppercased()):
      return []
    case (.list(let element), .array(let values)):
      return values.enumerated().flatMap {
        violations(in: $0.element, shape: element, at: "\(path)[\($0.offset)]")
      }
    case (.strings, .object(let members)):
      return members.sorted { $0.key < $1.key }.enumerated().flatMap {
        violations(in: $0.element.value, shape: .string, at: "\(path)[\($0.offset)].value")
      }
    case (.message(let fields), .object(let members)):
      return members.sorted { $0.key < $1.key }.flatMap { key, member in
        let name = key.string
        guard let shape = fields[name.camelCased] else { return [unknown(name, at: path)] }
        let place = path.isEmpty ? name : "\(path).\(name)"
        return violations(in: member, shape: shape, at: place)
      }
    default:
      return [
        PushViolation(
          field: path,
          message: "Invalid value at '\(path)' (\(typeName(shape)))\(said(value))"
        )
      ]
    }
  }

  private static func unknown(_ name: String, at path: String) -> PushViolation {
    let place = path.isEmpty ? "" : " at '\(path)'"
    return PushViolation(
      field: path,
      message:
        "Invalid JSON payload received. Unknown name \(quoted(name))\(place): Cannot find field."
    )
  }

  private static func typeName(_ shape: Shape) -> String {
    switch shape {
    case .string, .strings: "TYPE_STRING"
    case .boolean: "TYPE_BOOL"
    case .integer: "TYPE_INT32"
    case .float: "TYPE_FLOAT"
    case .duration: "type.googleapis.com/google.protobuf.Duration"
    case .timestamp: "type.googleapis.com/google.protobuf.Timestamp"
    case .enumeration(let name, _): "type.googleapis.com/google.firebase.fcm.v1.\(name)"
    case .list(let element): typeName(element)
    case .anyObject: "type.googleapis.com/google.protobuf.Struct"
    case .message: "type.googleapis.com/google.firebase.fcm.v1.Message"
    }
  }

  /// Returns the end of the error message, in which Google's parser quotes a string, number or
  /// Boolean.
  private static func said(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): ", \(quoted(text))"
    case .integer(let number): ", \(number)"
    case .number(let number): ", \(number)"
    case .boolean(let boolean): ", \(boolean)"
    case .null, .array, .object: ""
    }
  }
}

extension String {
  /// The name in camel case: protobuf's JSON format accepts both `collapse_key` and `collapseKey`.
  var camelCased: String {
    let words = split(separator: "_", omittingEmptySubsequences: false)
    return (words.first.map(String.init) ?? "")
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The seconds of a duration in protobuf's JSON format, or `nil` if the text isn't one.
  var protobufSeconds: Double? {
    hasSuffix("s") ? Double(dropLast()).flatMap { $0.isFinite ? $0 : nil } : nil
  }

  /// A Boolean value that indicates whether the text has RFC 3339's form, including a time zone.
  fileprivate var looksLikeTimestamp: Bool {
    wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/) != nil
  }
}
