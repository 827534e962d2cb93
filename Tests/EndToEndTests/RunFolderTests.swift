import Core
import TestKit
import Testing

@testable import emulator

/// Folders of emulators that start while others end.
///
/// An emulator that ends removes the folders that killed emulators have left.
struct RunFolderTests {
  @Test func `a folder that is being created is not removed`() async throws {
    try await withTemporaryFolder(inMemory: true) { temporary in
      try await withThrowingTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<1_000 {
              let run = try RunFolder(temporaryDirectory: temporary)
              #expect(access(run.path, F_OK) == 0)
              run.remove()
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }
  }
}
