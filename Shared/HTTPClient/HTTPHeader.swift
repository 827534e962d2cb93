/// A header field of a request or response.
package struct HTTPHeader: Hashable, Sendable {
  /// The field's name, in upper, lower or mixed case.
  package var name: String
  /// The field's value, without surrounding white space.
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension [HTTPHeader] {
  /// The value of the first field with this name, ignoring case, or `nil` if there is none.
  package subscript(_ name: String) -> String? {
    let name = name.lowercased()
    return first { $0.name.lowercased() == name }?.value
  }
}
