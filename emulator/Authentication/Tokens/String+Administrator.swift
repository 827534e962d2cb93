extension String {
  /// A Boolean value that indicates whether a bearer token is an administrator's, for whom no rules
  /// hold: `owner`, or an access token of Google's OAuth, which begins with `ya29.`.
  ///
  /// Upper and lower case are equal, as in Google's emulators.
  package var isOfAdministrator: Bool {
    let start = String(decoding: utf8.prefix(5), as: UTF8.self).lowercased()
    return start == "ya29." || (start == "owner" && utf8.count == 5)
  }
}
