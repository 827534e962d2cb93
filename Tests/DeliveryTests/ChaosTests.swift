import FirestoreModel
import FunctionRuntime
import Testing

@testable import Delivery

/// The faults of `--chaos`, which are the same for the same seed.
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

  @Test func `a seed always gives the same faults, and another seed others`() throws {
    let spec = "duplicate=0.3,crash=0.3,delay=1..50ms"
    let first = try plans("seed=7,\(spec)")
    #expect(try plans("seed=7,\(spec)") == first)
    #expect(try plans("seed=8,\(spec)") != first)
    // The faults depend on the attempt. Otherwise a delivery could crash in every attempt.
    #expect(try plans("seed=7,\(spec)", attempt: 1) != first)
  }

  @Test func `faults are as frequent as requested`() throws {
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
  func `with reorder, delays differ enough`(spec: String) throws {
    let delays = try plans("seed=1,\(spec)").map(\.delay)
    #expect(delays.contains { $0 > .milliseconds(40) } && delays.contains { $0 < .milliseconds(5) })
  }

  @Test func `a duplicated event runs twice with one id, and counts once`() async throws {
    let target = ScriptedTarget { _ in .ok }
    try await withTargets([(.notes("probe"), target)], chaos: Chaos("duplicate=1")) { dispatcher in
      let delivery = try await dispatcher.delivered(creation())
      #expect(delivery.state == .succeeded && delivery.attemptCount == 1)
      #expect(target.invocations.map(\.id) == [delivery.id, delivery.id])
      #expect(Set(target.invocations.map(\.traceparent)).count == 2)
    }
  }
}
