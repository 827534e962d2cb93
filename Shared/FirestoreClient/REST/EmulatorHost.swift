package import Core

/// The address of an emulator, as Firebase's tools name it in variables such as
/// FIRESTORE_EMULATOR_HOST.
package enum EmulatorHost {
  /// Returns a variable's value if it is `host:port`, without a scheme.
  ///
  /// - Throws: A configuration error that names the variable.
  package static func checked(
    _ host: String,
    variable: String
  ) throws(StatusError) -> String {
    guard !host.contains("/"), host.contains(":") else {
      throw .configuration(
        .failedPrecondition,
        "\(variable) must be host:port, without a scheme"
      )
    }
    return host
  }
}
