import Core
import FunctionRuntime
import HTTPService

/// The names of databases in requests.
enum DatabaseName {
  private static let mostBytes = 128

  /// Returns the name in a request's parameter `ns`, or the one of the project's default database.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the name is too long or has other characters than letters,
  ///   digits, hyphens and underscores.
  static func name(of request: ServiceRequest, project: String) throws(StatusError) -> ByteKey {
    guard let name = request[query: "ns"] else { return defaultName(of: project) }
    guard isValid(name) else {
      throw StatusError(
        .invalidArgument,
        "ns, the name of the database, must have 1 to \(mostBytes) letters, digits, hyphens and "
          + "underscores"
      )
    }
    return ByteKey(name)
  }

  static func isValid(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= mostBytes else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  static func defaultName(of project: String) -> ByteKey {
    ByteKey(ReferenceEvent.defaultInstance(of: project))
  }
}
