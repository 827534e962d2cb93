/// A service in front of another one, which it asks for the answers.
///
/// Its name, and which requests are brief, are those of the service behind it.
package protocol HTTPMiddleware: HTTPService {
  /// The service behind this one.
  var service: any HTTPService { get }
}

extension HTTPMiddleware {
  package var name: String { service.name }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool {
    service.runsOnEventLoop(request)
  }
}
