package import Core
package import HTTPService
package import ProviderFakes

/// The playback of a provider's cassettes, without network access.
///
/// A request that wasn't recorded is reported and answered with 501. Equal requests get the
/// recorded responses in their order; the last response then repeats.
package struct CassetteProvider: HTTPService {
  package let name = "providers"
  private let exchanges: RecordedExchanges
  private let report: @Sendable (_ problem: String) -> Void

  /// Creates a playback.
  ///
  /// - Parameter report: called with a sentence for each request that wasn't recorded.
  package init(
    _ exchanges: [ProviderExchange],
    report: @escaping @Sendable (_ problem: String) -> Void
  ) {
    self.exchanges = RecordedExchanges(exchanges, repeatsLast: true)
    self.report = report
  }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool { false }

  /// Returns the recorded response.
  ///
  /// - Parameter request: the request, without the leading `providers` in its path.
  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    do throws(StatusError) {
      return try exchanges.answer(Cassette.withoutSecrets(.init(request))).serviceResponse
    } catch {
      report(error.message)
      // The response leaves out the difference: a client would take it for a limitation of the
      // provider and change its request.
      throw StatusError(
        error.code,
        "no cassette has this request: see the difference in the emulator's log"
      )
    }
  }
}
