package import Core
package import HTTPService
package import ProviderFakes

/// A provider whose answers are on cassettes: nothing leaves the machine.
///
/// A request that wasn't recorded is a 501, and reported by its name. Of equal ones each answer is given
/// once, in its turn, and the last one for ever.
package struct CassetteProvider: HTTPService {
  package let name = "providers"
  private let exchanges: RecordedExchanges
  private let report: @Sendable (_ problem: String) -> Void

  /// - Parameter report: gets one sentence for each request that wasn't recorded.
  package init(
    _ exchanges: [ProviderExchange],
    report: @escaping @Sendable (_ problem: String) -> Void
  ) {
    self.exchanges = RecordedExchanges(exchanges, repeatsLast: true)
    self.report = report
  }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool { false }

  /// - Parameter request: its path without `providers`.
  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    do throws(StatusError) {
      return try exchanges.answer(Cassette.withoutSecrets(.init(request))).serviceResponse
    } catch {
      report(error.message)
      // What differs would be taken for what the provider can't do, and be asked for otherwise.
      throw StatusError(error.code, "it isn't on a cassette; the emulator's log says what differs")
    }
  }
}
