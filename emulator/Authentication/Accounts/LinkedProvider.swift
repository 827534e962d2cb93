import Core

/// A way in which a user signs in: the account at a provider that is linked with the user.
package struct LinkedProvider: Sendable {
  package var providerId: String
  /// The account's ID at the provider.
  package var rawId: String
  package var federatedId: String?
  package var email: String?
  package var displayName: String?
  package var photoUrl: String?
  package var phoneNumber: String?
  package var screenName: String?
}

extension LinkedProvider {
  /// The provider in the format of Firebase's ProviderUserInfo.
  var json: JSONValue {
    var members: JSONObject = ["providerId": .string(providerId), "rawId": .string(rawId)]
    members["federatedId"] = federatedId.map(JSONValue.string)
    members["email"] = email.map(JSONValue.string)
    members["displayName"] = displayName.map(JSONValue.string)
    members["photoUrl"] = photoUrl.map(JSONValue.string)
    members["phoneNumber"] = phoneNumber.map(JSONValue.string)
    members["screenName"] = screenName.map(JSONValue.string)
    return .object(members)
  }

  /// Creates a provider from a ProviderUserInfo.
  ///
  /// - Parameters:
  ///   - providerId: The ID in the fields.
  ///   - rawId: The ID in the fields.
  init(
    providerId: String,
    rawId: String,
    fields: RequestFields
  ) throws(AuthenticationError) {
    self.init(
      providerId: providerId,
      rawId: rawId,
      federatedId: try fields.string("federatedId"),
      email: try fields.string("email"),
      displayName: try fields.string("displayName"),
      photoUrl: try fields.string("photoUrl"),
      phoneNumber: try fields.string("phoneNumber"),
      screenName: try fields.string("screenName")
    )
  }
}
