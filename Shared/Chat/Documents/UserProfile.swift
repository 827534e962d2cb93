import Core
package import FirestoreModel

/// A user's profile.
///
/// Fields of the wrong type count as missing.
package struct UserProfile: Sendable {
  package let document: Document
  package var displayName: String?
  /// The code in `primaryLanguage`, or in `language`, which older clients wrote.
  package var language: String?
  /// A Boolean value that indicates whether the user's text must not reach any model or translator.
  package var hasOptedOut: Bool
  /// A Boolean value that indicates whether pushes to this user may contain the message's text.
  package var showsPreview: Bool
  /// The device tokens that older clients kept on the profile. Newer clients store tokens in the
  /// collection `devices`.
  package var tokens: [String]

  package init(_ document: Document) {
    let fields = document.fields
    self.document = document
    displayName = fields["displayName"]?.nonEmptyString
    language = fields["primaryLanguage"]?.shortString ?? fields["language"]?.shortString
    // A missing field, null and `false` mean no. Any other value counts as opting out.
    switch fields["aiOptOut"] {
    case nil, .null, .boolean(false): hasOptedOut = false
    default: hasOptedOut = true
    }
    showsPreview = Value.isOn(fields["notificationPreview"])
    tokens =
      [fields["fcmToken"]?.deviceToken].compactMap(\.self)
      + (fields["fcmTokens"]?.arrayValue ?? []).compactMap(\.deviceToken)
  }
}

extension Value {
  /// The value as a device's FCM token, or `nil` if it isn't 1 to 4,096 bytes of ASCII.
  ///
  /// FCM issues no other tokens.
  package var deviceToken: String? {
    guard case .string(let token) = self, (1...4_096).contains(token.utf8.count),
      token.isASCII
    else { return nil }
    return token
  }
}
