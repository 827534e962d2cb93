import Core
import HTTPClient
import Services

/// The file by which Firebase's tools, and our own commands, find the hub of a project.
struct HubLocator: Sendable {
  private let path: String

  init(project: String, temporaryDirectory: String) {
    path = HubService.Locator.path(project: project, temporaryDirectory: temporaryDirectory)
  }

  /// - Returns: false, and nothing is written, if another emulator of the project is running.
  func write(hub: Addresses.Address) async throws(StatusError) -> Bool {
    if let other = content, other.pid != getpid(), await other.isAnswered { return false }
    let locator = HubService.Locator(hub: hub, pid: getpid())
    do {
      try JSON.encode(locator).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw StatusError(.failedPrecondition, "\(path) can't be written")
    }
    return true
  }

  /// What the file says, which may be of an emulator that was killed.
  private var content: HubService.Locator? {
    (try? Data(contentsOf: URL(filePath: path))).flatMap {
      try? JSON.decode(HubService.Locator.self, from: $0, what: path)
    }
  }

  /// The hub's base URL.
  ///
  /// - Throws: `NOT_FOUND` if no emulator of the project has a hub.
  private func origin() async throws(StatusError) -> String {
    guard let locator = content, let origin = locator.origins.first, await locator.isAnswered else {
      throw StatusError(
        .notFound,
        "no emulator of this project is running with a hub (\(path)); FIREBASE_EMULATOR_HUB names "
          + "one as host:port"
      )
    }
    return origin
  }

  /// The base URL of the hub that the variables name, else of the running emulator of a project.
  ///
  /// - Throws: `NOT_FOUND` if there is none.
  static func origin(
    of project: String,
    _ environment: [String: String]
  ) async throws(StatusError) -> String {
    if let host = environment.hub { return "http://\(host)" }
    return try await HubLocator(
      project: project,
      temporaryDirectory: environment.temporaryDirectory
    ).origin()
  }

  /// Removes the file, unless another emulator has written its own meanwhile.
  func remove() {
    if content?.pid == getpid() { unlink(path) }
  }
}

extension HubService.Locator {
  /// Whether the emulator it was written by is at the other end. A process id would not tell: those
  /// are used again.
  fileprivate var isAnswered: Bool {
    get async {
      let transport = HTTPClient(environment: ProcessInfo.processInfo.environment)
      guard let origin = origins.first,
        let answer = try? await transport.send(
          HTTPRequest(method: "GET", url: origin),
          deadline: .now + .seconds(1)
        ),
        let other = try? JSON.decode(Self.self, from: answer.body, what: origin)
      else { return false }
      return other.pid == pid
    }
  }
}

extension [String: String] {
  /// Host and port of the hub, as `exec` tells its command.
  var hub: String? {
    self["FIREBASE_EMULATOR_HUB"].flatMap { $0.isEmpty ? nil : $0 }
  }
}
