extension String {
  /// A Boolean value that indicates whether this is a token of HTTP, such as a method or a field's
  /// name.
  ///
  /// Source: RFC 9110, section 5.6.2.
  package var isHTTPToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
