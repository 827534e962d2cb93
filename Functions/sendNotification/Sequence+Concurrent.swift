import Core

extension Sequence where Element: Sendable {
  /// What becomes of each element, in their order, with no more than so many at work at once.
  func concurrently<Outcome: Sendable>(
    atMost limit: Int,
    _ work: @escaping @Sendable (Element) async -> Outcome
  ) async -> [Outcome] {
    let outcomes = await withTaskGroup(of: (Int, Outcome).self) { group in
      var outcomes: [Int: Outcome] = [:]
      for (index, element) in enumerated() {
        if index >= limit, let (index, outcome) = await group.next() { outcomes[index] = outcome }
        group.addTask {
          // The pair is made outside: optimized code of Swift 6.3 loses its number in there.
          let outcome = await work(element)
          return (index, outcome)
        }
      }
      for await (index, outcome) in group { outcomes[index] = outcome }
      return outcomes
    }
    return outcomes.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The same where each may fail.
  ///
  /// - Throws: the first error, in that order.
  func concurrently<Success: Sendable>(
    atMost limit: Int,
    _ work: @escaping @Sendable (Element) async throws(StatusError) -> Success
  ) async throws(StatusError) -> [Success] {
    let outcomes: [Result<Success, StatusError>] = await concurrently(atMost: limit) { element in
      do throws(StatusError) {
        return .success(try await work(element))
      } catch {
        return .failure(error)
      }
    }
    var successes: [Success] = []
    for outcome in outcomes { successes.append(try outcome.get()) }
    return successes
  }
}
