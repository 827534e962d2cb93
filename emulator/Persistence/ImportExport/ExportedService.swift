package import Core

/// A service besides Firestore whose data exports contain, in a folder of their own.
package protocol ExportedService: Sendable {
  /// Firebase's name of the service, such as `auth`.
  var name: String { get }

  /// Writes the service's data.
  ///
  /// - Parameter folder: The path of a new, empty folder.
  /// - Returns: What was written, such as `4 accounts`, or `nil` if there is nothing to tell.
  func write(to folder: String) throws(StatusError) -> String?

  /// Reads and checks the service's data, and changes nothing.
  ///
  /// - Parameter folder: The path of the folder in the export.
  /// - Returns: A closure that imports the data, and returns what was imported, such as
  ///   `4 accounts`, or `nil` if there is nothing to tell.
  /// - Throws: `NOT_FOUND` or `INVALID_ARGUMENT`, whose message names the file.
  func read(
    from folder: String
  ) throws(StatusError) -> @Sendable () async throws(StatusError) -> String?
}

/// The entry of a service besides Firestore in the metadata of an export.
struct ServiceEntry: Codable, Sendable {
  /// The version of the tool that has written the data.
  var version: String?
  /// The path of the service's folder, relative to that of the export.
  var path: String

  /// Creates the entry of a service's usual folder.
  init(of service: String) {
    version = "1.0.0"
    path = Self.folder(of: service)
  }

  /// Returns the name of a service's usual folder.
  static func folder(of service: String) -> String { "\(service)_export" }
}
