import Core

/// Runs `body` with an empty folder of its own, which is gone afterwards.
///
/// - Parameter inMemory: whether it may be one that no disk has, for what syncs its files often:
///   whoever waits for a disk holds up the tests beside it.
package func withTemporaryFolder<Result: Sendable>(
  inMemory: Bool = false,
  _ body: (String) async throws -> Result
) async throws -> Result {
  let memory = "/dev/shm"
  let parent =
    inMemory && access(memory, W_OK) == 0
    ? memory : FileManager.default.temporaryDirectory.path
  let folder = "\(parent)/worldchat-tests-\(UUID().uuidString)"
  try makeFolder(folder)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
}

/// Makes a folder, and those above it.
package func makeFolder(_ path: String) throws {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
}

/// Makes a file, in a folder that is made if it isn't there.
///
/// An executable one is written by a child: while this process has a file open for writing, a
/// program being started by another test has it too, and the system refuses to execute it.
package func makeFile(
  _ path: String,
  _ content: String,
  isExecutable: Bool = false
) async throws {
  let output = try await runProgram(
    "/bin/sh",
    ["-c", "mkdir -p \"$(dirname \"$1\")\" && cat >\"$1\" && chmod \"$2\" \"$1\"", "sh", path]
      + [isExecutable ? "755" : "644"],
    input: Array(content.utf8)
  )
  guard output.exitCode == 0 else { throw StatusError(.internal, output.errorText) }
}

/// Makes a folder with links to our functions, so that nothing else in the build's folder is one.
package func makeFunctionsFolder(
  _ path: String,
  _ names: [String] = Products.functions
) throws {
  try makeFolder(path)
  for name in names {
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/\(name)",
      withDestinationPath: try Products.path(of: name)
    )
  }
}
