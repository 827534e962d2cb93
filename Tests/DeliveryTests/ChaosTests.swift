import FirestoreModel
import FunctionRuntime
import Testing

@testable import Delivery

/// What goes wrong on purpose, and that it does so again.
struct ChaosTests {
  private func delivery(_ id: String, of function: String = "probe") throws -> Delivery {
    Delivery(
      id: id,
      function: function,
      event: try creation(of: id),
      lineage: [],
      recorded: Timestamp(seconds: 1)
    )
  }

  private func plans(_ spec: String, attempt: Int = 0) throws -> [Chaos.Plan] {
    let chaos = try Chaos(spec)
    return try (0..<400).map { number in
      var delivery = try delivery("n\(number)")
      delivery.attemptCount = attempt
      return chaos.plan(for: delivery)
    }
  }

  @Test func `a seed goes wrong alike each time, and otherwise than another`() throws {
    let spec = "duplicate=0.3,crash=0.3,delay=1..50ms"
    let first = try plans("seed=7,\(spec)")
    #expect(try plans("seed=7,\(spec)") == first)
    #expect(try plans("seed=8,\(spec)") != first)
    // Else what crashes would crash for ever.
    #expect(try plans("seed=7,\(spec)", attempt: 1) != first)
  }

  @Test func `things go wrong as often as was asked for`() throws {
    let plans = try plans("seed=3,duplicate=0.25,crash=0.5,delay=10..20ms")
    #expect((60...140).contains(plans.count(where: \.isDuplicated)))
    #expect((150...250).contains(plans.count { $0.crash != nil }))
    #expect(plans.allSatisfy { (.milliseconds(10)...(.milliseconds(20))).contains($0.delay) })
    #expect(Set(plans.compactMap { $0.crash?.request }) == Set(1...10))
    #expect(plans.contains { $0.crash?.isOfDuplicate == true })
    #expect(plans.allSatisfy { $0.crash?.isOfDuplicate != true || $0.isDuplicated })
    #expect(try self.plans("seed=3").allSatisfy { $0 == Chaos.Plan() })
  }

  @Test func `a share of providers' requests gets a fault, the same each time`() throws {
    func faults(_ spec: String) throws -> [UInt64?] {
      let chaos = try Chaos(spec)
      return (0..<400).map { chaos.providerFault(of: "fcm \($0) 1") }
    }
    let first = try faults("seed=7,provider=0.25")
    #expect((60...140).contains(first.count { $0 != nil }))
    #expect(Set(first.compactMap { $0.map { $0 % 9 } }).count == 9)
    #expect(try faults("seed=7,provider=0.25,crash=0.5") == first)
    #expect(try faults("seed=8,provider=0.25") != first)
    #expect(try faults("seed=7").allSatisfy { $0 == nil })
  }

  @Test(arguments: ["reorder", "reorder,delay=0..5ms", "delay=0..5ms,reorder"])
  func `to reorder, delays differ enough`(spec: String) throws {
    let delays = try plans("seed=1,\(spec)").map(\.delay)
    #expect(delays.contains { $0 > .milliseconds(40) } && delays.contains { $0 < .milliseconds(5) })
  }

  @Test func `what is duplicated runs twice, under one id, and counts once`() async throws {
    let target = ScriptedTarget { _ in .ok }
    try await withTargets([(.notes("probe"), target)], chaos: Chaos("duplicate=1")) { dispatcher in
      let delivery = try await dispatcher.delivered(creation())
      #expect(delivery.state == .succeeded && delivery.attemptCount == 1)
      #expect(target.invocations.map(\.id) == [delivery.id, delivery.id])
      #expect(Set(target.invocations.map(\.traceparent)).count == 2)
    }
  }
}
