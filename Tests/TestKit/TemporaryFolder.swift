import Core

/// Runs `body` with a new, empty folder, and removes the folder afterwards.
///
/// - Parameter inMemory: whether the folder may be in memory. Code that syncs its files often would
///   slow down all tests that use the disk.
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

/// Creates a folder and its missing parents.
package func makeFolder(_ path: String) throws {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
}

/// Creates a file, and its folder if necessary.
///
/// A child process writes executable files. If this process had the file open for writing, a
/// program started by another test at that moment would inherit the open file, and the system would
/// refuse to execute it.
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

/// Creates a folder with links to this package's functions only. The build folder also has other
/// files, which the emulator would take for functions.
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
