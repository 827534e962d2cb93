import Core
import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime
import TestKit
import Testing

@testable import Recording

/// The limit for the memory of recorded invocations that no client fetches.
struct InvocationRecorderTests {
  private let recorder = InvocationRecorder(
    now: { Timestamp(seconds: 0) },
    newID: { "session" },
    maximumKeptBytes: 300_000
  )
  private let function = InstalledFunction(
    manifest: FunctionManifest(name: "translateMessage", callable: true),
    command: Command(
      executable: "translateMessage",
      environment: ["GOOGLE_CLOUD_PROJECT": "demo-kept"]
    ),
    file: nil
  )

  /// Records a call.
  ///
  /// - Parameter bytes: the length of the call's text.
  private func record(_ id: String, bytes: Int) throws {
    let text = String(repeating: "x", count: bytes)
    let request = InvocationRequest(
      event: Data(#"{"data":{"text":"\#(text)"}}"#.utf8),
      invocation: Invocation(id: id, traceparent: "trace of \(id)")
    )
    recorder.begin(function, request)
    recorder.end(request, try InvocationResult(line: Data(#"{"status":"ok","exitCode":0}"#.utf8)))
  }

  private func isKept(_ id: String) -> Bool { (try? recorder.kept(id)) != nil }

  @Test func `the newest invocations are kept, up to a number`() throws {
    recorder.keepsNewest = true
    for number in 1...201 { try record("\(number)", bytes: 1) }
    #expect(!isKept("1"))
    #expect(isKept("2"))
    #expect(isKept("201"))
  }

  @Test func `the newest invocations are kept, up to a size, and the last one always`() throws {
    recorder.keepsNewest = true
    for number in 1...3 { try record("\(number)", bytes: 100_000) }
    #expect(!isKept("1"))
    #expect(isKept("2"))
    try record("large", bytes: 400_000)
    #expect(!isKept("3"))
    #expect(isKept("large"))
  }

  @Test func `recording ends when it is switched off`() throws {
    recorder.keepsNewest = true
    try record("1", bytes: 1)
    recorder.keepsNewest = false
    recorder.keepsNewest = true
    #expect(!isKept("1"))
  }
}
