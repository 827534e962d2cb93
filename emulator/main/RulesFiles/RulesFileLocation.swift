import Core
import FirestoreAPI
import FunctionHost
import Rules

/// The location of a file with security rules.
struct RulesFileLocation: Sendable {
  /// The path as an option or firebase.json has it.
  var name: String
  /// The absolute path.
  var path: String

  /// The most bytes that are read. The compiler's limit is lower, and its error names the size.
  static let limit: off_t = 1 << 20

  /// The identity of the file, or `nil` if there is none.
  var identity: FileIdentity? { FileIdentity(path) }

  /// Reads and compiles the file.
  ///
  /// - Throws: `NOT_FOUND` if the file can't be read, and `INVALID_ARGUMENT` if it isn't a text.
  func read() throws(StatusError) -> RulesFile {
    RulesFile(name: name, content: try text())
  }

  /// Reads the file.
  ///
  /// - Throws: `NOT_FOUND` if the file can't be read, and `INVALID_ARGUMENT` if it isn't a text.
  func text() throws(StatusError) -> String {
    var information = stat()
    guard stat(path, &information) == 0 else {
      throw StatusError(.notFound, "\(name) can't be read: \(lastSystemError())")
    }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw StatusError(.invalidArgument, "\(name) is not a file")
    }
    guard information.st_size <= Self.limit else {
      throw StatusError(
        .invalidArgument,
        "\(name) is larger than 256 KiB, which is the limit of rules"
      )
    }
    guard let bytes = try? Data(contentsOf: URL(filePath: path)) else {
      throw StatusError(.notFound, "\(name) can't be read: \(lastSystemError())")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StatusError(.invalidArgument, "\(name) is not a text in UTF-8")
    }
    return text
  }
}
