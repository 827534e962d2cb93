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
  /// The user's choice of translations in `translationMode`.
  package var translationMode: TranslationMode
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
    translationMode = TranslationMode(fields["translationMode"])
    tokens =
      [fields["fcmToken"]?.deviceToken].compactMap(\.self)
      + (fields["fcmTokens"]?.arrayValue ?? []).compactMap(\.deviceToken)
  }

  /// Returns a Boolean value that indicates whether the user is online and has a conversation open
  /// on a phone, as mirrorPresence last wrote.
  package func hasOpen(_ conversationID: String) -> Bool {
    document.fields["online"] == true
      && document.fields["open"]?.nonEmptyString?.hasSameBytes(as: conversationID) == true
  }

  /// The maximum number of entries of `secondaryLanguages` that count.
  private static let maximumSecondaryLanguages = 20

  /// Returns a Boolean value that indicates whether the user reads a language besides the primary
  /// one, because `secondaryLanguages` lists it or a variant that is readable as it.
  package func alsoReads(_ language: Language) -> Bool {
    let entries = document.fields["secondaryLanguages"]?.arrayValue ?? []
    return entries.prefix(Self.maximumSecondaryLanguages).contains { entry in
      guard let code = entry.shortString, let known = try? Language(code) else { return false }
      return language.isReadable(as: known)
    }
  }
}

/// The translations and explanations of others' messages that a user wants.
///
/// A client's call is answered in every mode.
package enum TranslationMode: String, Sendable {
  /// They are made for each message.
  case always
  /// None are made or sent in pushes.
  case never
  /// None are made until the client calls. A push has a translation that the message already has.
  case onDemand

  /// Creates the mode from a profile's field.
  ///
  /// A missing field, null and any other text mean `always`. A value of another type means
  /// `onDemand`: somebody probably meant to limit the translations, so none is paid for.
  fileprivate init(_ value: Value?) {
    switch value {
    case nil, .null: self = .always
    case .string: self = value?.shortString.flatMap(Self.init) ?? .always
    default: self = .onDemand
    }
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
