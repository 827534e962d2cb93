import Core
import TestKit
import Testing

/// The version that `emulator --version` prints.
struct VersionTests {
  @Test func `a build folder has no version`() async throws {
    let output = try await runProgram("emulator", ["--version"])
    #expect(output.exitCode == 0)
    #expect(output.text == "development\n")
  }

  @Test func `the version is the first line of the file beside the executable`() async throws {
    try await withTemporaryFolder { folder in
      let emulator = "\(folder)/emulator"
      try FileManager.default.copyItem(atPath: Products.path(of: "emulator"), toPath: emulator)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/link",
        withDestinationPath: emulator
      )
      for (text, version) in [
        ("1.2.3 0123abc\nmore\n", "1.2.3 0123abc"), ("1.2.3", "1.2.3"), ("\n", "development"),
        (String(repeating: "9", count: 1_000), String(repeating: "9", count: 200)),
      ] {
        try await makeFile("\(folder)/VERSION", text)
        let output = try await runProgram("\(folder)/link", ["--version"])
        #expect(output.text == "\(version)\n")
      }
    }
  }
}
