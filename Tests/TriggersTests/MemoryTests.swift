import FunctionRuntime
import Testing
import Triggers

/// What a dispatcher remembers of deliveries that have ended.
@Suite(.timeLimit(.minutes(2)))
struct MemoryTests {
  /// Fails for the notes whose ids begin with f.
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

  @Test func `failures are forgotten last, and always counted`() async throws {
    try await withDispatcher(["probe": probe], maximumKept: 4) { dispatcher in
      _ = try await dispatcher.delivered(creation(of: "f1"))
      for number in 1...12 { _ = try await dispatcher.delivered(creation(of: "n\(number)")) }
      #expect(dispatcher.deliveries.count <= 4)
      #expect(dispatcher.deliveries.first?.event.id == "event-f1")
      #expect(dispatcher.deadLetterCount == 1)
      for number in 2...9 { _ = try await dispatcher.record(creation(of: "f\(number)")) }
      await dispatcher.quiet()
      #expect(dispatcher.deliveries.count <= 4)
      #expect(dispatcher.deliveries.allSatisfy { $0.state == .deadLettered })
      #expect(dispatcher.deadLetterCount == 9)
    }
  }
}
