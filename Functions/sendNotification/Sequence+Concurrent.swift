import Core

extension Sequence where Element: Sendable {
  /// Returns the results of `work` for all elements, in their order, with bounded concurrency.
  ///
  /// - Parameter limit: the maximum number of elements to work on at the same time.
  func concurrently<Outcome: Sendable>(
    atMost limit: Int,
    _ work: @escaping @Sendable (Element) async -> Outcome
  ) async -> [Outcome] {
    let outcomes = await withTaskGroup(of: (Int, Outcome).self) { group in
      var outcomes: [Int: Outcome] = [:]
      for (index, element) in enumerated() {
        if index >= limit, let (index, outcome) = await group.next() { outcomes[index] = outcome }
        group.addTask {
          // The outcome has its own variable: in `return (index, await work(element))`, Swift 6.3's
          // optimizer loses the index.
          let outcome = await work(element)
          return (index, outcome)
        }
      }
      for await (index, outcome) in group { outcomes[index] = outcome }
      return outcomes
    }
    return outcomes.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the results of work that may fail, in the elements' order.
  ///
  /// - Throws: the first error in that order, once all work has ended.
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
