import Core
package import FirestoreModel

/// A user's profile. Members of the wrong type count as missing.
package struct UserProfile: Sendable {
  package let document: Document
  package var displayName: String?
  /// `primaryLanguage`, or `language` as older clients wrote it.
  package var language: String?
  /// The user's text reaches no model and no translator.
  package var hasOptedOut: Bool
  /// Whether a push to this user may say what was written.
  package var showsPreview: Bool
  /// Tokens kept on the profile by older clients; they belong into `devices`.
  package var tokens: [String]

  package init(_ document: Document) {
    let fields = document.fields
    self.document = document
    displayName = fields["displayName"]?.nonEmptyString
    language = fields["primaryLanguage"]?.shortString ?? fields["language"]?.shortString
    // Whatever isn't a plain no was meant as a yes.
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
  /// A device's token for pushes: text in ASCII of at most 4,096 bytes. FCM gives no other.
  package var deviceToken: String? {
    guard case .string(let token) = self, (1...4_096).contains(token.utf8.count),
      token.isASCII
    else { return nil }
    return token
  }
}
