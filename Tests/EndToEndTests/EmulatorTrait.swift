import TestKit
import Testing

/// The emulator that all tests of a suite share, each in a project of its own.
///
/// Its triggers are off: the tests run the functions themselves.
struct EmulatorTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withSharedEmulator(["--no-triggers"]) { emulator in
      try await EmulatorTrait.$running.withValue(emulator) { try await function() }
    }
  }

  @TaskLocal fileprivate static var running: EmulatorProcess?
}

extension Trait where Self == EmulatorTrait {
  static var sharedEmulator: Self { EmulatorTrait() }
}

/// Returns the emulator of the suite.
func sharedEmulator() throws -> EmulatorProcess {
  try #require(EmulatorTrait.running, "the suite has no .sharedEmulator")
}
