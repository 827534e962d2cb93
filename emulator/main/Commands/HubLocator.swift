import Core
import HTTPClient
import Services

/// The locator file, through which Firebase's tools and the emulator's commands find a project's
/// hub.
struct HubLocator: Sendable {
  private let path: String

  init(project: String, temporaryDirectory: String) {
    path = HubService.Locator.path(project: project, temporaryDirectory: temporaryDirectory)
  }

  /// Writes the file, unless another emulator of the project is running.
  ///
  /// - Returns: Whether the file was written.
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

  /// The content of the file, or `nil` if there is none. A killed emulator may have left the file.
  private var content: HubService.Locator? {
    (try? Data(contentsOf: URL(filePath: path))).flatMap {
      try? JSON.decode(HubService.Locator.self, from: $0, what: path)
    }
  }

  /// Returns the hub's base URL.
  ///
  /// - Throws: `NOT_FOUND` if no emulator of the project has a hub.
  private func origin() async throws(StatusError) -> String {
    guard let locator = content, let origin = locator.origins.first, await locator.isAnswered else {
      throw StatusError(
        .notFound,
        "no emulator of this project is running with a hub (\(path)): start one, or set "
          + "FIREBASE_EMULATOR_HUB to its host:port"
      )
    }
    return origin
  }

  /// Returns the base URL of the hub in FIREBASE_EMULATOR_HUB, or else of the hub of a project's
  /// running emulator.
  ///
  /// - Throws: `NOT_FOUND` if there is no hub.
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

  /// Removes the file, unless another emulator has replaced it.
  func remove() {
    if content?.pid == getpid() { unlink(path) }
  }
}

extension HubService.Locator {
  /// A Boolean value that indicates whether the emulator that wrote the file answers at its
  /// address.
  ///
  /// A process id alone proves nothing, since the system reuses ids.
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
  /// The host and port of the hub, from the variable that `exec` sets for its command.
  var hub: String? {
    self["FIREBASE_EMULATOR_HUB"].flatMap { $0.isEmpty ? nil : $0 }
  }
}
