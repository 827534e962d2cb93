import TestKit
import Testing

/// A trait that starts one emulator for all tests of a suite. Each test uses its own project.
///
/// The emulator's triggers are off, because the tests run the functions themselves.
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

/// Returns the emulator that the trait has started for the running suite.
func sharedEmulator() throws -> EmulatorProcess {
  try #require(EmulatorTrait.running, "the suite has no .sharedEmulator")
}
