extension String {
  /// The token of an Authorization header, `Bearer …`, or `nil` if it has none.
  package var bearerToken: String? {
    prefix(7).lowercased() == "bearer " ? String(dropFirst(7)) : nil
  }
}
