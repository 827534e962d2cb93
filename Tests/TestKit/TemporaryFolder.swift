import Platform
import RPCStatus

/// Runs `body` with an empty folder of its own, which is gone afterwards.
package func withTemporaryFolder<Result: Sendable>(
  _ body: (String) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "worldchat-tests-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
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
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  for name in names {
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/\(name)",
      withDestinationPath: try Products.path(of: name)
    )
  }
}
