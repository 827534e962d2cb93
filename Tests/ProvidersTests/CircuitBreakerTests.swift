import Testing

@testable import Providers

/// The circuit breaker, with the time as an argument.
struct CircuitBreakerTests {
  private let start = ContinuousClock.now

  private func opened() -> CircuitBreaker {
    var breaker = CircuitBreaker()
    for _ in 1...CircuitBreaker.threshold {
      breaker.record(.failed, isProbe: false, at: start)
    }
    return breaker
  }

  @Test func `the breaker opens after the threshold of failures in a row, and not before`() {
    var breaker = CircuitBreaker()
    for _ in 1..<CircuitBreaker.threshold {
      breaker.record(.failed, isProbe: false, at: start)
    }
    #expect(breaker.admit(at: start) == .admitted(isProbe: false))
    breaker.record(.unknown, isProbe: false, at: start)
    breaker.record(.failed, isProbe: false, at: start)
    #expect(breaker.admit(at: start) == .refused(CircuitBreaker.pause))
    #expect(breaker.admit(at: start + .seconds(2)) == .refused(CircuitBreaker.pause - .seconds(2)))
  }

  @Test func `an answer in between resets the count`() {
    var breaker = CircuitBreaker()
    for _ in 1...3 {
      for _ in 1..<CircuitBreaker.threshold {
        breaker.record(.failed, isProbe: false, at: start)
      }
      breaker.record(.alive, isProbe: false, at: start)
    }
    #expect(breaker.admit(at: start) == .admitted(isProbe: false))
  }

  @Test func `after the pause one probe is admitted, and other calls are refused`() {
    var breaker = opened()
    let later = start + CircuitBreaker.pause
    #expect(breaker.admit(at: later) == .admitted(isProbe: true))
    #expect(breaker.admit(at: later) == .refused(CircuitBreaker.pause))
    // Calls that began before the breaker opened may end now. They must not change its state.
    breaker.record(.alive, isProbe: false, at: later)
    breaker.record(.failed, isProbe: false, at: later)
    #expect(breaker.admit(at: later) == .refused(CircuitBreaker.pause))
    breaker.record(.alive, isProbe: true, at: later)
    #expect(breaker.admit(at: later) == .admitted(isProbe: false))
  }

  @Test func `a failed probe reopens the breaker, and an inconclusive one admits the next`() {
    var breaker = opened()
    var now = start + CircuitBreaker.pause
    #expect(breaker.admit(at: now) == .admitted(isProbe: true))
    breaker.record(.failed, isProbe: true, at: now)
    #expect(breaker.admit(at: now) == .refused(CircuitBreaker.pause))
    now += CircuitBreaker.pause
    #expect(breaker.admit(at: now) == .admitted(isProbe: true))
    breaker.record(.unknown, isProbe: true, at: now)
    #expect(breaker.admit(at: now) == .admitted(isProbe: true))
  }
}
