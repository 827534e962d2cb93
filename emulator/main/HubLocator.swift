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

  func write(hub: Addresses.Address) throws(StatusError) {
    let locator = HubService.Locator(hub: hub, pid: getpid())
    do {
      try JSON.encode(locator).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw StatusError(.failedPrecondition, "\(path) can't be written")
    }
  }

  /// The hub's base URL.
  ///
  /// - Throws: `NOT_FOUND` if no emulator of the project runs.
  func origin() throws(StatusError) -> String {
    guard let data = try? Data(contentsOf: URL(filePath: path)),
      let locator = try? JSON.decode(HubService.Locator.self, from: data, what: path),
      let origin = locator.origins.first
    else {
      throw StatusError(.notFound, "no emulator of this project is running (\(path))")
    }
    return origin
  }

  /// Removes the file, unless another emulator has written its own meanwhile.
  func remove() {
    guard let data = try? Data(contentsOf: URL(filePath: path)),
      let locator = try? JSON.decode(HubService.Locator.self, from: data, what: path),
      locator.pid == getpid()
    else { return }
    unlink(path)
  }
}
