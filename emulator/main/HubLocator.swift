import JSONCoding
import Platform
import RPCStatus
import Server

/// The file by which Firebase's tools, and our own commands, find the hub of a project.
struct HubLocator: Sendable {
  private let path: String

  init(project: String, temporaryDirectory: String) {
    path = HubService.Locator.path(project: project, temporaryDirectory: temporaryDirectory)
  }

  /// - Returns: false, and nothing is written, if another emulator of the project is alive.
  func write(hub: Addresses.Address) throws(StatusError) -> Bool {
    if let other = living, other.pid != getpid() { return false }
    let locator = HubService.Locator(hub: hub, pid: getpid())
    do {
      try JSON.encode(locator).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw StatusError(.failedPrecondition, "\(path) can't be written")
    }
    return true
  }

  /// What the file says, if the process that wrote it is there still.
  private var living: HubService.Locator? {
    guard let data = try? Data(contentsOf: URL(filePath: path)),
      let locator = try? JSON.decode(HubService.Locator.self, from: data, what: path),
      locator.pid > 0, kill(locator.pid, 0) == 0 || errno == EPERM
    else { return nil }
    return locator
  }

  /// The hub's base URL.
  ///
  /// - Throws: `NOT_FOUND` if no emulator of the project runs.
  func origin() throws(StatusError) -> String {
    guard let origin = living?.origins.first else {
      throw StatusError(.notFound, "no emulator of this project is running (\(path))")
    }
    return origin
  }

  /// The base URL of the hub that the variables name, else of the running emulator of a project.
  ///
  /// - Throws: `NOT_FOUND` if there is none.
  static func origin(
    of project: String,
    _ environment: [String: String]
  ) throws(StatusError) -> String {
    if let host = environment.hub { return "http://\(host)" }
    return try HubLocator(
      project: project,
      temporaryDirectory: environment.temporaryDirectory
    ).origin()
  }

  /// Removes the file, unless another emulator has written its own meanwhile.
  func remove() {
    if living?.pid == getpid() { unlink(path) }
  }
}

extension [String: String] {
  /// Host and port of the hub, as `exec` tells its command.
  var hub: String? {
    self["FIREBASE_EMULATOR_HUB"].flatMap { $0.isEmpty ? nil : $0 }
  }
}
