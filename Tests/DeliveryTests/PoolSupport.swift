import Core
import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Logging
import TestKit
import Testing

/// The ways to run a function.
enum Mode: String, CaseIterable, Sendable {
  /// A process without `--worker`.
  case oneShot
  /// A worker for many events.
  case worker
  /// A worker for one event.
  case standby

  var members: String { self == .oneShot ? "" : #""worker":true,"# }

  /// The shell commands with which a process becomes ready for events.
  var ready: String {
    self == .oneShot ? "" : #"echo '{"contract":1,"function":"probe","ready":true}'"#
  }

  /// The shell commands of a process that answers every event correctly.
  var good: String {
    self == .oneShot
      ? "echo '\(contentLine)'"
      : "\(ready); while read -r line; do echo '\(contentLine)'; done"
  }
}

/// A pool of a function's processes, without a dispatcher.
struct TestPool: Sendable {
  let pool: FunctionPool
  let logs: LogStore
  let folder: String

  func invoke(
    _ id: String = "i1",
    attempt: Int = 1,
    event: String = "{}"
  ) async -> InvocationResult {
    await pool.invoke(eventID: "event-\(id)") { _ in
      InvocationRequest(
        event: Data(event.utf8),
        invocation: Invocation(id: id, attempt: attempt)
      )
    }
  }

  /// Returns the lines of a file that the function writes, or no lines if the file doesn't exist.
  func lines(of file: String) -> [String] {
    let text = FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
    return text.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Waits until the file has this many lines.
  func waitForLines(_ count: Int, of file: String) async throws {
    while lines(of: file).count < count { try await Task.sleep(for: .milliseconds(2)) }
  }

  /// Replaces the function's executable.
  func install(_ script: String) async throws {
    try await makeFile("\(folder)/new", script, isExecutable: true)
    try #require(rename("\(folder)/new", "\(folder)/functions/probe") == 0)
  }

  /// Creates a named pipe in the folder.
  func makePipe(_ name: String) throws {
    try #require(mkfifo("\(folder)/\(name)", 0o600) == 0)
  }

  /// Waits until a named pipe was opened for writing, and all writers have closed it or have ended.
  ///
  /// A writer's opening waits for this call.
  func readToEnd(_ pipe: String) async throws {
    _ = try await runProgram("/bin/cat", ["\(folder)/\(pipe)"], limit: .seconds(600))
  }

  /// Waits until every process of the groups has ended.
  ///
  /// Zombies count as ended.
  ///
  /// - Parameter groups: the process groups, or `nil` for all of the function.
  func waitForEnds(among groups: [String]? = nil) async throws {
    let groups = Set(groups ?? lines(of: "groups"))
    while try await !livingGroups().isDisjoint(with: groups) {
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

/// Returns the process groups on this machine that have a running member.
private func livingGroups() async throws -> Set<String> {
  #if canImport(Darwin)
    let table = try await runProgram("/bin/ps", ["-A", "-o", "stat=", "-o", "pgid="]).lines
      .map { $0.split(separator: " ") }
  #else
    let table = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
      // The state, the parent and the group come after the last parenthesis. The name before it may
      // contain any character.
      FileManager.default.contents(atPath: "/proc/\(name)/stat")
        .flatMap { String(decoding: $0, as: UTF8.self).split(separator: ")").last }
        .map { $0.split(separator: " ") }
        .flatMap { $0.count > 2 ? [$0[0], $0[2]] : nil }
    }
  #endif
  return Set(
    table.filter { $0.count == 2 && !$0[0].hasPrefix("Z") }.map { String($0[1]) }
  )
}

/// Returns a script of the function `probe`. Each process that takes events writes its ID to the
/// file `groups`.
///
/// - Parameter members: additional fields of the manifest, each followed by a comma.
func probe(_ members: String, _ body: String) -> String {
  script("probe", members, "echo $$ >>\"$FOLDER/groups\"\n\(body)")
}

/// Runs `body` with a pool, and waits until the function's processes have ended.
///
/// The script finds the test's folder in the variable `FOLDER`.
@discardableResult
func withPool<Result: Sendable>(
  _ script: String,
  _ settings: FunctionPool.Settings = .init(),
  _ body: (TestPool) async throws -> Result
) async throws -> Result {
  ignoreBrokenPipes()
  return try await withTemporaryFolder { folder in
    try await makeFile("\(folder)/functions/probe", script, isExecutable: true)
    let catalog = try await FunctionCatalog.discover(
      in: FunctionFolders(
        ["\(folder)/functions"],
        environment: plainEnvironment.merging(["FOLDER": folder]) { $1 }
      ),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    let function = try #require(catalog.functions["probe"])
    let logs = LogStore()
    let pool = FunctionPool(function, settings: settings, logs: logs)
    let test = TestPool(pool: pool, logs: logs, folder: folder)
    let result: Result
    do {
      result = try await body(test)
    } catch {
      await pool.close()
      throw error
    }
    await pool.close()
    try await test.waitForEnds()
    return result
  }
}
