import Core
import Delivery
import FirestoreModel
import FunctionRuntime
import Testing

/// The limits for the number and size of ended deliveries that a dispatcher keeps.
@Suite(.timeLimit(.minutes(10)))
struct MemoryTests {
  /// A function that fails for notes whose IDs begin with `f`.
  private let probe = script(
    "probe",
    #""concurrency":4,"#,
    """
    case "$(cat)" in
    *notes/f*) exit 1 ;;
    *) echo '\(contentLine)' ;;
    esac
    """
  )

  @Test func `failures are forgotten last, and are always counted`() async throws {
    try await withDispatcher(["probe": probe], maximumKept: 4) { dispatcher in
      _ = try await dispatcher.delivered(creation(of: "f1"))
      for number in 1...12 { _ = try await dispatcher.delivered(creation(of: "n\(number)")) }
      #expect(dispatcher.deliveries.count <= 4)
      #expect(dispatcher.deliveries.first?.event.id == "event-f1")
      #expect(dispatcher.deadLetterCount == 1)
      for number in 2...9 { _ = try await dispatcher.enqueue(creation(of: "f\(number)")) }
      await dispatcher.quiet()
      #expect(dispatcher.deliveries.count <= 4)
      #expect(dispatcher.deliveries.allSatisfy { $0.state == .deadLettered })
      #expect(dispatcher.deadLetterCount == 9)
    }
  }
}

/// The limit for the size of ended deliveries, with large documents.
struct LargeDocumentTests {
  @Test func `ended deliveries are remembered up to a number of bytes`() async throws {
    let target = ScriptedTarget { _ in .ok }
    try await withTargets([(.notes("probe"), target)]) { dispatcher in
      for number in 0..<100 {
        guard case .document(var event) = try creation(of: "n\(number)") else { continue }
        event.value?.fields["text"] = .string(String(repeating: "x", count: 1_000_000))
        await dispatcher.ended(try await dispatcher.enqueue(.document(event)))
      }
      #expect((20..<70).contains(dispatcher.deliveries.count))
      #expect(dispatcher.deliveries.last?.event.document?.id == "n99")
    }
  }
}
